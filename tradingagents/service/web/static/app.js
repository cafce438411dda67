/**
 * The page: token, addresses, shortcuts, theme.
 * @module
 */

import { Api } from "./core/api.js";
import { errorBox, said } from "./core/context.js";
import { button, field, fill, h, icon } from "./core/dom.js";
import { learn } from "./core/format.js";
import { openDialog } from "./parts/dialog.js";
import { show as showBacktests } from "./views/backtests.js";
import { show as showChat } from "./views/chat.js";
import { show as showCompany } from "./views/company.js";
import { show as showCompare } from "./views/compare.js";
import { show as showData } from "./views/data.js";
import { show as showHistory } from "./views/history.js";
import { show as showHome } from "./views/home.js";
import { show as showInvestors } from "./views/investors.js";
import { show as showPaper } from "./views/paper.js";
import { show as showPortfolio } from "./views/portfolio.js";
import { show as showRun } from "./views/run.js";
import { show as showSettings } from "./views/settings.js";
import { show as showStart } from "./views/start.js";
import { show as showTask } from "./views/task.js";
import { show as showWatchlist } from "./views/watchlist.js";

const TOKEN = "tradingagents-token";
const THEME = "tradingagents-theme";
const SHORTCUTS = "tradingagents-shortcuts";
const THEMES = { auto: "as the system", light: "light", dark: "dark" };
const VIEWS = {
  home: showHome, new: showStart, company: showCompany, task: showTask, run: showRun, history: showHistory, compare: showCompare, chat: showChat, watchlist: showWatchlist,
  portfolio: showPortfolio, investors: showInvestors, data: showData, backtests: showBacktests, paper: showPaper, settings: showSettings,
};
/** Entry of the menu that a view belongs to. */
const MENU = { new: "home", company: "home", task: "history", run: "history", compare: "history", backtests: "history", paper: "portfolio", investors: "portfolio" };
/** Keys after `g`, with the views they lead to. */
const GOTO = { m: ["home", "Home"], n: ["new", "New"], c: ["chat", "Chat"], h: ["history", "Runs"], w: ["watchlist", "Watch list"], p: ["portfolio", "Portfolio"], d: ["data", "Data"] };
const SECOND_KEY = 1500;

const main = document.getElementById("main");
const live = document.getElementById("live");
const api = new Api({ token: takeToken() });
let current = new AbortController();
let choices = null;
let firstView = true;

/** Take the token out of the address, where it would stay in the browser's history. */
function takeToken() {
  const given = /(?:^#|&)token=([^&]+)/.exec(location.hash);
  if (given) {
    sessionStorage.setItem(TOKEN, decoded(given[1]));
    history.replaceState(null, "", `${location.pathname}${location.search}#/home`);
  }
  return sessionStorage.getItem(TOKEN);
}

/** Decode a part of an address; one that is no encoding, such as %ff, is taken as it stands. */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

async function route() {
  if (/(?:^#|&)token=/.test(location.hash)) api.token = takeToken();
  current.abort();
  current = new AbortController();
  const { signal } = current;
  const [address, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const [name, ...path] = address.split("/").map(decoded);
  const show = VIEWS[name] ?? showHome;
  markMenu(VIEWS[name] ? name : "home");
  try {
    await allChoices().then((told) => learn(told), () => null);
    await show({ api, signal, main, path, query: new URLSearchParams(query), announce, setTitle, choices: allChoices });
  } catch (error) {
    if (!signal.aborted) error.status === 401 ? showLocked() : showFailed(error);
  }
  if (signal.aborted) return;
  if (!firstView && !main.contains(document.activeElement)) main.querySelector("h1")?.focus();
  firstView = false;
}

/** What is shown behind the question for the token, and after it was closed. */
function showLocked() {
  fill(main, h("header", { class: "view-head" }, h("h1", { tabindex: "-1" }, "Token needed")), h("p", {}, said("This server answers those who have its token: open the address that `tradingagents serve` printed, or enter the token.")),
    h("p", { class: "actions" }, button("Enter the token", askForToken, { class: "button primary" })));
}

/** Say why a view cannot be shown, and the ways on. A connection that comes back is used at once. @param {any} error */
function showFailed(error) {
  const { signal } = current;
  fill(main, h("header", { class: "view-head" }, h("h1", { tabindex: "-1" }, error.status === 0 ? "No connection" : "This cannot be shown")), errorBox(error),
    h("p", { class: "actions" }, button("Try again", route, { class: "button" }), wayOn(), h("a", { class: "button", href: "#/home" }, "Start page")));
  if (error.status === 0) addEventListener("online", () => { if (!signal.aborted) route(); }, { signal, once: true });
}

/** A link to the list that the address belongs to, where there is one. */
function wayOn() {
  const name = location.hash.replace(/^#\/?/, "").split(/[/?]/)[0];
  const link = document.querySelector(`.top nav a[data-view="${CSS.escape(MENU[name] ?? name)}"]`);
  return link && link.dataset.view !== "home" ? h("a", { class: "button", href: link.getAttribute("href") }, link.textContent) : null;
}

function allChoices() {
  choices ??= api.get("/v1/settings").catch((error) => { choices = null; throw error; });
  return choices;
}

function markMenu(name) {
  for (const link of document.querySelectorAll(".top nav a")) {
    if (link.dataset.view === (MENU[name] ?? name)) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

/** @param {string} title */
function setTitle(title) {
  document.title = `${title} · TradingAgents`;
}

let spoken = 0;

/** Say something to screen readers; the latest of those that come at once. @param {string} text */
function announce(text) {
  clearTimeout(spoken);
  spoken = setTimeout(() => { live.textContent = text; }, 300);
}

/** Ask for a token unasked: once for each that is refused, since answers to requests under way come after it was closed. */
function tokenRefused() {
  if (refused === api.token) return;
  refused = api.token;
  askForToken();
}

/** The token that was last refused; undefined before one was. */
let refused;

function askForToken() {
  if (document.querySelector("dialog")) return;
  const input = h("input", { id: "token", type: "password", autocomplete: "off", required: true });
  const dialog = openDialog("Token needed", [
    api.token ? h("p", { class: "error", role: "alert" }, "The server refused this token; a new start of the server makes a new one.") : null,
    h("p", {}, said("Open the address that `tradingagents serve` prints, or enter its token.")),
    h("form", { class: "stack", onsubmit: (event) => { event.preventDefault(); refused = undefined; sessionStorage.setItem(TOKEN, input.value.trim()); api.token = input.value.trim(); dialog.close(); route(); } },
      field("Token", input), h("p", { class: "actions" }, h("button", { type: "submit", class: "button primary" }, "Continue"))),
  ]);
  input.focus();
}

function setTheme(theme) {
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  localStorage.setItem(THEME, theme);
  document.getElementById("theme").setAttribute("aria-label", `Colours: ${THEMES[theme]}. Change`);
}

function nextTheme() {
  const names = Object.keys(THEMES);
  const next = names[(names.indexOf(localStorage.getItem(THEME) ?? "auto") + 1) % names.length];
  setTheme(next);
  announce(`Colours: ${THEMES[next]}.`);
}

let firstKey = 0;

/** @param {KeyboardEvent} event */
function shortcut(event) {
  const typing = event.target.closest("input, textarea, select, [contenteditable], dialog");
  if (typing || event.ctrlKey || event.metaKey || event.altKey || localStorage.getItem(SHORTCUTS) === "off") return;
  const target = Date.now() - firstKey < SECOND_KEY ? GOTO[event.key] : null;
  firstKey = event.key === "g" ? Date.now() : 0;
  if (target) location.hash = `#/${target[0]}`;
  else if (event.key === "?") showHelp();
  else if (event.key === "/") main.querySelector("[data-focus=search]")?.focus();
  else return;
  event.preventDefault();
}

function showHelp() {
  const on = h("input", { type: "checkbox", id: "shortcuts", checked: localStorage.getItem(SHORTCUTS) !== "off",
    onchange: () => localStorage.setItem(SHORTCUTS, on.checked ? "on" : "off") });
  const keys = [...Object.entries(GOTO).map(([key, [, title]]) => [["g", key], title]), [["/"], "Go to the box, the filter or the message"], [["?"], "This help"], [["Esc"], "Close a dialog"], [["Enter"], "Send a message (with Shift: new line)"]];
  openDialog("Keyboard", [
    h("dl", { class: "shortcuts" }, keys.map(([pressed, what]) => h("div", {}, h("dt", {}, pressed.map((key) => h("kbd", {}, key))), h("dd", {}, what)))),
    h("p", { class: "field check" }, h("label", { for: "shortcuts" }, on, " Shortcuts on")),
  ]);
}

api.onUnauthorized = tokenRefused;
for (const link of document.querySelectorAll(".top nav a")) link.prepend(icon(link.dataset.icon));
document.getElementById("settings").append(icon("sliders"));
document.getElementById("theme").append(icon("theme"));
document.getElementById("help").append(icon("help"));
document.getElementById("theme").addEventListener("click", nextTheme);
document.getElementById("help").addEventListener("click", showHelp);
document.getElementById("skip").addEventListener("click", (event) => { event.preventDefault(); main.focus(); });
setTheme(localStorage.getItem(THEME) ?? "auto");
addEventListener("keydown", shortcut);
addEventListener("hashchange", route);
route();
