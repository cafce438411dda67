/**
 * Blocks of a page: each asks the server by itself, shows its answer with where it comes from, or says why it is empty.
 * @module
 */

import { append, button, fill, h } from "../core/dom.js";
import { loading, said } from "../core/context.js";
import { FigureIndex } from "../core/figures.js";
import { inWords, utc } from "../core/format.js";
import { markdown } from "../core/markdown.js";
import { showEvidence, showRow } from "./evidence.js";
import { linkSymbols } from "./symbols.js";

/**
 * @typedef {object} Answer - of a capability, see `CapabilityAnswer`
 * @typedef {object} Block
 * @property {string} id
 * @property {string} title
 * @property {boolean} [late] - asked after the others
 * @property {boolean} [wide]
 * @property {(page: any) => Promise<any>} ask - one answer or several
 * @property {(answers: any, page: any) => any} show - elements; a text says why there is nothing
 */

/** Answers that a block waits for at the same time as others. */
const AT_ONCE = 6;

/** The section of a block, empty. @param {Block} block */
export function sectionOf(block) {
  return h("section", { class: `card block${block.wide ? " wide" : ""}`, id: `block-${block.id}`, "aria-label": block.title, "aria-busy": "true" }, h("h2", {}, block.title), loading());
}

/**
 * Fill the sections of blocks, some at a time, the late ones last; none waits for another's answer.
 * @param {[Block, HTMLElement][]} waiting
 * @param {any} page
 */
export async function fillBlocks(waiting, page) {
  const queue = [...waiting.filter(([block]) => !block.late), ...waiting.filter(([block]) => block.late)];
  const work = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) await fillBlock(...next, page);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

/** @param {Block} block @param {HTMLElement} section @param {any} page */
async function fillBlock(block, section, page) {
  const head = section.firstElementChild;
  try {
    const answers = await block.ask(page);
    if (page.signal.aborted) return;
    const content = block.show(answers, page);
    if (typeof content === "string") fill(section, head, why(content));
    else {
      const body = h("div", { class: "stack" });
      append(body, [content]);
      linkFigures(body, [answers].flat().filter((one) => one?.figures));
      fill(section, head, body, sourceLine([answers].flat().filter((one) => one?.result)));
    }
  } catch (error) {
    if (error?.name === "AbortError") return;
    page.failed?.push(error.message);
    fill(section, head, why(error.message), error.status === 0 || error.status >= 500 ? h("p", { class: "actions" }, button("Try again", () => { fill(section, head, loading()); fillBlock(block, section, page); }, { class: "button small" })) : null);
  } finally {
    section.removeAttribute("aria-busy");
  }
}

function why(text) {
  return h("p", { class: "muted" }, said(text));
}

/** Turn the figures of an element that an answer gave into buttons that show where they come from. */
export function linkFigures(root, answers) {
  const sheet = answers.map(rowOf);
  new FigureIndex(sheet).link(root, (figure, sources) => showEvidence(figure, sources, sheet, (method) => answers.filter((one) => one.capability === method).map((one) => one.markdown)));
}

/** A figure of an answer, as a button that shows where it comes from. @param {Answer} answer @param {string} name */
export function figureButton(answer, name) {
  const row = rowOf(answer);
  const source = { row: 0, method: answer.capability, name, value: answer.figures[name] };
  const text = /(?:^|_)(?:change|return)(?:_|$)/.test(name) && answer.figures[name] > 0 && answer.shown[name].endsWith("%") ? `+${answer.shown[name]}` : answer.shown[name];
  return button(text, () => showEvidence(text, [source], [row], () => [answer.markdown]), { class: "figure", title: "Show where this figure comes from" });
}

/** An answer as a row of a data sheet. */
function rowOf(answer) {
  const { source, start, end, rows, known_at, inputs, notes } = answer.result;
  return { method: answer.capability, symbol: answer.symbol, vendor: source, start, end, rows, known_at, inputs, figures: answer.figures, labels: answer.labels, notes: (notes ?? []).map((one) => inWords(one, answer.labels)) };
}

/** Where answers come from, each a button that opens its data; and their notes, folded. */
function sourceLine(answers) {
  if (!answers.length) return null;
  const notes = [...new Set(answers.flatMap((one) => (one.result.notes ?? []).map((note) => inWords(note, one.labels))))];
  const sources = new Map(answers.map((one) => [one.capability, one]));
  return h("footer", { class: "source-of" },
    notes.length ? h("details", {}, h("summary", {}, notes.length === 1 ? "1 note" : `${notes.length} notes`), h("ul", {}, notes.map((note) => h("li", {}, note)))) : null,
    h("p", { class: "muted small" }, "Source: ", [...sources.values()].map((one, at) => [at ? "; " : "", button([one.title.split(":")[0], " (", one.result.source, ")"], () => showRow(rowOf(one), () => [one.markdown]), { class: "link" }), one.result.known_at ? `, known by ${utc(one.result.known_at)}` : ""])));
}

/** The text of an answer without its heading and source, which a block shows by itself. @param {Answer} answer @param {string} day */
export function textShown(answer, day) {
  const lines = answer.markdown.split("\n").filter((line) => !/^## |^\(source /.test(line) && !line.startsWith("Note: "));
  const body = h("div", { class: "prose" }, markdown(lines.map((line) => inWords(line, answer.labels)).join("\n").trim(), 3));
  return linkSymbols(body, day);
}
