/**
 * The panel that shows where a figure comes from.
 * @module
 */

import { h, table } from "../core/dom.js";
import { valueOf } from "../core/figures.js";
import { capital, number, titleOf, utc, words } from "../core/format.js";
import { markdown } from "../core/markdown.js";
import { openDialog } from "./dialog.js";

const MOST_SOURCES = 4;

/**
 * Open the panel for a figure.
 * @param {string} figure - as written
 * @param {import("../core/figures.js").Source[]} sources
 * @param {Record<string, any>[]} sheet
 * @param {(method: string) => string[]} answersOf - texts of a tool's answers in this run
 */
export function showEvidence(figure, sources, sheet, answersOf) {
  const shown = sources.slice(0, MOST_SOURCES);
  const note = shown.length > 1
    ? h("p", { class: "muted" }, `${shown.length} figures of the data sheet have this value; the most likely is first.`) : null;
  const dialog = openDialog(`Where ${figure} comes from`, [
    note, shown.map((source) => sourceCard(source, sheet[source.row], answersOf(source.method))),
  ], { side: true });
  const found = dialog.querySelector("[data-found]");
  const body = dialog.querySelector(".dialog-body");
  if (found) body.scrollTop = found.getBoundingClientRect().top - body.getBoundingClientRect().top - body.clientHeight / 2;
}

/**
 * Open the panel for a whole row of the data sheet.
 * @param {Record<string, any>} row
 * @param {(method: string) => string[]} answersOf
 */
export function showRow(row, answersOf) {
  openDialog(titleOf(row.method), [sourceCard({ name: "", value: NaN, method: row.method, row: 0 }, row, answersOf(row.method))], { side: true });
}

function sourceCard(source, row, answers) {
  const figures = Object.entries(row.figures ?? {});
  return h("section", { class: "source card" },
    h("h3", {}, titleOf(source.method), " ", h("code", {}, source.method)),
    h("dl", { class: "facts" }, facts(row).map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)))),
    figures.length ? table("Figures of this answer", ["Figure", "Value"], figures.map(([name, value]) => figureRow(name, value, source, row.labels))) : null,
    (row.notes ?? []).map((note) => h("p", { class: "muted" }, note)),
    answers.map((text) => answerOf(text, source)));
}

function facts(row) {
  return [
    ["Subject", row.symbol ?? "the market"],
    ["Source", row.vendor],
    ["Window", row.start ? `${row.start} to ${row.end}` : row.end],
    ["Rows", number(row.rows)],
    ["Known by", utc(row.known_at)],
    ["Read from", (row.inputs ?? []).join(", ")],
  ].filter(([, value]) => value);
}

function figureRow(name, value, source, labels = {}) {
  const found = name === source.name;
  return h("tr", found ? { class: "found", dataset: { found: name }, "aria-current": "true" } : {},
    h("th", { scope: "row" }, name in labels ? capital(labels[name]) : words(name), found ? h("span", { class: "here" }, " this figure") : null),
    h("td", {}, number(value)));
}

/** The full answer of the tool, with the cells that hold the figure marked. */
function answerOf(text, source) {
  const body = h("div", { class: "prose" }, markdown(text, 4));
  for (const cell of body.querySelectorAll("td")) {
    if (!Number.isNaN(source.value) && valueOf(cell.textContent) === source.value) cell.classList.add("found");
  }
  return h("details", {}, h("summary", {}, "The tool's full answer"), body);
}
