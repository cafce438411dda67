/**
 * Numbers, times and names as people read them.
 * @module
 */

/** What kinds of runs are called where their name does not say it. */
const KINDS = { trading: "Analysis", scan: "Market scan", filings_qa: "Question about filings", company_comparison: "Comparison" };
/** Settings that messages tell people to set, as the page of the settings calls them; others stand as they are written in a file. */
const SETTINGS = { tool_vendors: "“Tool vendors” (Settings)", data_vendor: "“Data vendor” (Settings)", data_vendors: "“Data vendors” (Settings)", news_article_limit: "“News article limit” (Settings)", llm_provider: "“Provider” (Settings)", data_dir: "data_dir" };
const UNITS = [[1e12, "T"], [1e9, "B"], [1e6, "M"]];

export function number(value) {
  if (value === null || value === undefined || Number.isNaN(value)) return "n/a";
  const size = Math.abs(value);
  for (const [unit, letter] of UNITS) if (size >= unit) return `${(value / unit).toFixed(2)}${letter}`;
  return value.toLocaleString("en-US", { maximumFractionDigits: size < 1 ? 4 : 2 });
}

export function price(value, unit = "") {
  if (value === null || value === undefined) return "n/a";
  const text = value.toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  return unit ? `${text} ${unit}` : text;
}

/** A signed percentage; @param {number | null | undefined} value - in percent */
export function change(value) {
  return value === null || value === undefined ? "n/a" : `${value > 0 ? "+" : ""}${value.toFixed(2)}%`;
}

export function percent(fraction) {
  return fraction === null || fraction === undefined ? "n/a" : `${Math.round(fraction * 100)}%`;
}

/** How strongly fixed rules speak, 0 to 1; the stated confidence of a language model, in percent. @param {Record<string, any>} decided - a row or decision */
export function sureness({ strength, confidence }) {
  if (strength !== null && strength !== undefined) return strength.toFixed(2);
  return confidence === null || confidence === undefined ? "" : percent(confidence);
}

/** What `sureness` of some rows or decisions is called. @param {Record<string, any>[]} rows */
export function surenessName(rows) {
  return rows.some((row) => row.strength !== null && row.strength !== undefined) ? "Strength" : "Confidence";
}

export function dollars(usd) {
  return usd > 0 && usd < 0.01 ? `$${usd.toFixed(4)}` : `$${usd.toFixed(2)}`;
}

export function tokens(count) {
  return count < 10_000 ? count.toLocaleString("en-US") : `${(count / 1000).toFixed(count < 100_000 ? 1 : 0)}k`;
}

/** How many answers there were, of models with their tokens, or of fixed rules. @param {number} calls @param {number} input @param {number} output @param {boolean} byRules */
export function answersIn(calls, input, output, byRules) {
  if (byRules) return [`${calls} ${calls === 1 ? "answer" : "answers"} by fixed rules`];
  return [`${calls} model ${calls === 1 ? "call" : "calls"}`, `${tokens(input)} tokens in, ${tokens(output)} out`];
}

export function duration(milliseconds) {
  const seconds = Math.max(0, milliseconds / 1000);
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min ${Math.round(seconds % 60)} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export function when(instant) {
  if (!instant) return "";
  const time = new Date(instant);
  return Number.isNaN(time.getTime()) ? String(instant)
    : time.toLocaleString("en-GB", { day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit" });
}

/** A day such as `2025-03-14` as `14 Mar 2025`; @param {string} text @param {boolean} [month] - the month alone */
export function day(text, month = false) {
  const time = new Date(`${text}T00:00:00Z`);
  if (Number.isNaN(time.getTime())) return String(text ?? "");
  return time.toLocaleDateString("en-GB", { ...(month ? {} : { day: "numeric" }), month: "short", year: "numeric", timeZone: "UTC" });
}

/** An instant of the market's data, in UTC as the server says it. @param {string | null | undefined} instant */
export function utc(instant) {
  const time = new Date(instant ?? "");
  return Number.isNaN(time.getTime()) ? String(instant ?? "") : `${time.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

/** Words of an identifier: `close_200_sma` becomes `close 200 sma`. @param {string} name */
export function words(name) {
  return name.replace(/^get_/, "").replaceAll("_", " ");
}

/** @type {Record<string, string>} */
let titles = {};
let rulesRecord = "";

/** Take titles and the record of the fixed rules from the choices of the server. @param {Record<string, any>} told */
export function learn(told) {
  titles = told.titles;
  rulesRecord = inWords(told.rules_record);
}

/** How often the fixed rules were right, where some of these rows or decisions are theirs; else empty. @param {Record<string, any>[]} rows */
export function recordOf(rows) {
  return surenessName(rows) === "Strength" ? rulesRecord : "";
}

/** The title of a tool's answers or of a report. @param {string} name */
export function titleOf(name) {
  return titles[name] ?? capital(words(name));
}

/** The titles of a claim's sources, with what they were asked. @param {string} source */
export function sourceTitles(source) {
  return source.split(/, ?/).map((part) => part.split(":").map(titleOf).join(": ")).join(", ");
}

/**
 * A text whose identifiers, such as `free_cash_flow`, are written as words, and per cent as everywhere; settings of the
 * library stay. An argument such as `base_period=2024-09-30` is named as the field of its form.
 */
export function inWords(text, labels = {}) {
  return String(text ?? "").replace(/(\d) %/g, "$1%")
    .replace(/(?<=got no answer from )[a-z]\w*(?=:)/g, titleOf)
    .replace(/(?<![\w./-])([a-z][a-z0-9]*(?:_[a-z0-9]+)+)=/g, (_, name) => `“${capital(words(name))}” `)
    .replace(/(has no )?(?<![\w./-])([a-z][a-z0-9]*(?:_[a-z0-9]+)+)(?![\w/(-]|\.\w)/g, (_, before = "", name) => {
      const said = SETTINGS[name] ?? labels[name] ?? titles[name] ?? words(name);
      return before + (before && /^[A-Z][a-z]/.test(said) ? said.charAt(0).toLowerCase() + said.slice(1) : said);
    });
}

/** Write the identifiers in the texts of an element as words; code stays. @param {Element} root */
export function wordsIn(root) {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode;
    if (/[a-z]_[a-z]|\d %/.test(text.data) && !text.parentElement?.closest("code, pre, kbd")) text.data = inWords(text.data);
  }
}

export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * Arguments of a tool call on one line.
 * @param {Record<string, any> | null | undefined} values
 */
export function callText(values) {
  return Object.entries(values ?? {}).map(([name, value]) => `${words(name)}: ${typeof value === "string" ? value : JSON.stringify(value)}`).join(", ");
}

/** The day that a run is about. @param {Record<string, any>} run */
export function dayOf(run) {
  return String(run.trade_date ?? run.scan_date ?? run.day ?? run.as_of ?? "").slice(0, 10);
}

/** What a run is about, from its row or card. @param {Record<string, any>} row */
export function subjectOf(row) {
  return row.ticker || row.question || row.about || kindOf(row);
}

/** What the kind of a run is called, from its row or card. @param {Record<string, any>} row */
export function kindOf(row) {
  return KINDS[row.kind] ?? capital(words(row.kind || "run"));
}

/** Company or question, kind and day of a run. @param {Record<string, any>} row @param {number} [most] - characters of a question, of which the first sentence stands for all */
export function titleOfRun(row, most = 500) {
  const whole = row.instrument?.name ?? row.name ?? subjectOf(row), kind = kindOf(row);
  const subject = cut(most < whole.length ? whole.split(/(?<=[.?!])\s/)[0] : whole, most);
  if (subject === kind) return `${kind} of ${dayOf(row)}`;
  return /[.?!…]$/.test(subject) ? `${subject} ${kind} of ${dayOf(row)}` : `${subject}: ${kind.charAt(0).toLowerCase()}${kind.slice(1)} of ${dayOf(row)}`;
}

/** What a task is called before its run tells: company, kind and day. @param {Record<string, any>} task */
export function titleOfTask({ kind, title, request }) {
  return kind === "analyze" && title.startsWith(`${request.ticker} `) ? `${request.ticker}: analysis of ${title.slice(request.ticker.length + 1)}` : title;
}

/** The decision or the rating of a run, from its row; null where it has none. @param {Record<string, any>} row */
export function actionOf(row) {
  return row.action ?? (/^[A-Z][A-Z_]+$/.test(row.about ?? "") ? row.about : null);
}

/** What a run found, or why it failed; empty where its title or its decision says it. @param {Record<string, any>} row */
export function findingOf(row) {
  if (row.error) return waitingFor(row.error, row.status);
  if (row.picks !== null && row.picks !== undefined) return row.picks === 1 ? "1 stock to look at" : `${row.picks} stocks to look at`;
  if (row.found) return inWords(row.found);
  return row.about && row.about !== subjectOf(row) && row.about !== actionOf(row) ? capital(row.about) : "";
}

/** What a run or a task says of itself; one that waits for a person, without the command that answers it. @param {string} text @param {string} status */
export function waitingFor(text, status) {
  return inWords(status === "awaiting_approval" ? `${text.split("; answer with")[0].replace(/\.?$/, ".")}` : text);
}

/** The beginning of a text on one line. @param {string} text @param {number} most - characters */
export function cut(text, most) {
  return text.length <= most ? text : `${text.slice(0, most - 1).trimEnd()}…`;
}
