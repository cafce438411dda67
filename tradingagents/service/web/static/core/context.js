/**
 * What every view receives.
 *
 * @typedef {object} View
 * @property {import("./api.js").Api} api
 * @property {AbortSignal} signal - aborted when another view is shown
 * @property {HTMLElement} main - where the view shows itself
 * @property {string[]} path - parts of the address after the view's name
 * @property {URLSearchParams} query
 * @property {(text: string) => void} announce - for screen readers
 * @property {(title: string) => void} setTitle
 * @property {() => Promise<any>} choices - providers, vendors, analysts, defaults; asked once
 */

import { h } from "./dom.js";
import { capital, inWords } from "./format.js";

/** What is typed: between backticks, or a command that ends its part of a sentence; and settings as files name them. */
const TYPED = /`([^`]+)`|(\btradingagents(?: [a-z]+(?:\.[a-z]+)?| [A-Z]+)+)(?=[,;:.)]|$)|\b(data_dir|TRADINGAGENTS_[A-Z_]+)\b/g;

/** A sentence of the server for people: it begins with a capital, names are words, and what is typed is set as code. @param {string} text */
export function said(text) {
  const parts = [];
  let done = 0;
  for (const found of text.matchAll(TYPED)) {
    parts.push(inWords(text.slice(done, found.index)), h("code", {}, found[1] ?? found[2] ?? found[3]));
    done = found.index + found[0].length;
  }
  parts.push(inWords(text.slice(done)));
  if (typeof parts[0] === "string") parts[0] = capital(parts[0]);
  return parts.filter((part) => part !== "");
}

/**
 * A message for an error, in a box that screen readers announce.
 * @param {any} error
 */
export function errorBox(error) {
  return h("p", { class: "error", role: "alert" }, said(error?.message ?? String(error)));
}

/**
 * Run something and show its error, if any, in a box.
 * @param {Element} box
 * @param {() => Promise<void>} work
 */
export async function showingErrors(box, work) {
  try {
    await work();
  } catch (error) {
    if (error?.name !== "AbortError") box.replaceChildren(errorBox(error));
  }
}

/**
 * Return a function that fills a box anew; what an earlier call still waits for is given up, so that it cannot come last.
 * @param {AbortSignal} leaving - aborted when another view is shown
 * @param {Element} box
 * @param {(signal: AbortSignal) => Promise<void>} work
 */
export function reloading(leaving, box, work) {
  let current = new AbortController();
  leaving.addEventListener("abort", () => current.abort());
  return () => {
    current.abort();
    current = new AbortController();
    return showingErrors(box, () => work(current.signal));
  };
}

/** Show that something is being loaded. @param {string} [text] */
export function loading(text = "Loading…") {
  return h("p", { class: "empty", role: "status" }, h("span", { class: "spinner" }), " ", text);
}

/** The heading of a view. @param {string} title @param {...any} [extras] */
export function viewHead(title, ...extras) {
  return h("header", { class: "view-head" }, h("h1", { tabindex: "-1" }, title), extras);
}
