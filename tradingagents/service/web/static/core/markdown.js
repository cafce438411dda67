/**
 * Shows Markdown as elements. It builds nodes and text nodes only: HTML in the source is shown as written, links lead
 * to http and https addresses alone, images are shown as their text.
 * @module
 */

import { h, outsideLink, tidied } from "./dom.js";

/** Marks a figure that is not found in the data, see `markUnmatched`. */
const OPEN = "\ue0f1";
const CLOSE = "\ue0f2";
const INLINE = new RegExp(
  [
    "\\\\([\\\\`*_{}\\[\\]()#+.!|~<>-])",
    "(`+)(.+?)\\2(?!`)",
    "\\*\\*(?=\\S)(.+?\\S?)\\*\\*",
    "(?<![\\w*])[*_](?=[^\\s*_])(.+?)(?<=[^\\s*_])[*_](?![\\w*])",
    "!?\\[([^\\[\\]]*(?:\\[[^\\]]*\\][^\\[\\]]*)*)\\]\\(\\s*<?([^\\s()<>]*(?:\\([^\\s()]*\\)[^\\s()<>]*)*)>?(?:\\s+[\"'][^\"']*[\"'])?\\s*\\)",
    "<?(https?:\\/\\/[^\\s<>\"')\\]]+[^\\s<>\"')\\].,;:!?])>?",
    `${OPEN}([^${CLOSE}]*)${CLOSE}`,
    "(  \\n|\\\\\\n)",
  ].map((one) => `(?:${one})`).join("|"), "s");
const DEEPEST = 12;

/**
 * Return the elements of a Markdown text.
 * @param {string} source
 * @param {number} [level] - level of the highest heading
 * @returns {DocumentFragment}
 */
export function markdown(source, level = 3) {
  const fragment = document.createDocumentFragment();
  fragment.append(...blocks(String(source ?? "").replace(/\r\n?/g, "\n").split("\n"), level, 0));
  return fragment;
}

/**
 * Put marks around figures that were not found in the data, from the last to the first.
 * @param {string} text
 * @param {{figure: string, at: number}[]} unmatched
 */
export function markUnmatched(text, unmatched) {
  let marked = text;
  for (const { figure, at } of [...unmatched].sort((a, b) => b.at - a.at)) {
    if (marked.slice(at, at + figure.length) !== figure) continue;
    marked = marked.slice(0, at) + OPEN + figure + CLOSE + marked.slice(at + figure.length);
  }
  return marked;
}

/**
 * @param {string[]} lines
 * @param {number} level
 * @param {number} depth
 * @returns {Node[]}
 */
function blocks(lines, level, depth) {
  const found = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at];
    const rule = BLOCKS.find(([test]) => test(line, lines, at));
    if (!line.trim()) at += 1;
    else if (rule && depth < DEEPEST) {
      const [node, next] = rule[1](lines, at, level, depth);
      found.push(node);
      at = next;
    } else {
      const end = endOfParagraph(lines, at);
      found.push(h("p", {}, inline(lines.slice(at, end).join("\n"))));
      at = end;
    }
  }
  return found;
}

const HEADING = /^ {0,3}(#{1,6})\s+(.*?)\s*#*$/;
const FENCE = /^ {0,3}(```+|~~~+)/;
const ITEM = /^( *)([-*+]|\d{1,9}[.)])\s+(.*)$/;
const RULE = /^ {0,3}([-*_])(?:\s*\1){2,}\s*$/;
const SEPARATOR = /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/;

/** @type {[(line: string, lines: string[], at: number) => boolean, (lines: string[], at: number, level: number, depth: number) => [Node, number]][]} */
const BLOCKS = [
  [(line) => FENCE.test(line), fenced],
  [(line) => HEADING.test(line), heading],
  [(line) => RULE.test(line), (lines, at) => [h("hr"), at + 1]],
  [(line) => /^ {0,3}>/.test(line), quote],
  [(line, lines, at) => line.includes("|") && SEPARATOR.test(lines[at + 1] ?? "") && (lines[at + 1] ?? "").includes("-"), tabular],
  [(line) => ITEM.test(line), list],
];

function endOfParagraph(lines, start) {
  let at = start + 1;
  while (at < lines.length && lines[at].trim() && !BLOCKS.some(([test]) => test(lines[at], lines, at))) at += 1;
  return at;
}

function fenced(lines, start) {
  const fence = FENCE.exec(lines[start])[1];
  let end = start + 1;
  while (end < lines.length && !lines[end].trim().startsWith(fence)) end += 1;
  return [h("pre", { tabindex: "0" }, h("code", {}, lines.slice(start + 1, end).join("\n"))), end + 1];
}

function heading(lines, at, level) {
  const [, marks, text] = HEADING.exec(lines[at]);
  return [h(`h${Math.min(6, level + marks.length - 1)}`, {}, inline(text)), at + 1];
}

function quote(lines, start, level, depth) {
  let end = start;
  while (end < lines.length && /^ {0,3}>/.test(lines[end])) end += 1;
  const inner = lines.slice(start, end).map((line) => line.replace(/^ {0,3}> ?/, ""));
  return [h("blockquote", {}, blocks(inner, level, depth + 1)), end];
}

function list(lines, start, level, depth) {
  const [, indent, mark] = ITEM.exec(lines[start]);
  const ordered = /\d/.test(mark);
  const items = [];
  let at = start;
  while (at < lines.length) {
    const found = ITEM.exec(lines[at]);
    if (!found || found[1].length !== indent.length || /\d/.test(found[2]) !== ordered) break;
    const inner = [found[3]];
    at += 1;
    while (at < lines.length && belongs(lines, at, indent.length)) {
      inner.push(lines[at].slice(Math.min(lines[at].search(/\S|$/), indent.length + 2)));
      at += 1;
    }
    items.push(h("li", {}, unwrapped(blocks(inner, level, depth + 1))));
  }
  return [h(ordered ? "ol" : "ul", ordered ? { start: parseInt(mark, 10) } : {}, items), at];
}

function belongs(lines, at, indent) {
  const line = lines[at];
  if (!line.trim()) return /^ +\S/.test(lines[at + 1] ?? "") && lines[at + 1].search(/\S/) > indent;
  return line.search(/\S/) > indent || (lines[at - 1].trim() !== "" && !BLOCKS.some(([test]) => test(line, lines, at)));
}

/** A list item of one paragraph is shown without a paragraph. */
function unwrapped(nodes) {
  const [first, ...others] = nodes;
  return first?.nodeName === "P" ? [...first.childNodes, ...others] : nodes;
}

function tabular(lines, start) {
  const head = cells(lines[start]);
  let end = start + 2;
  while (end < lines.length && lines[end].includes("|") && lines[end].trim()) end += 1;
  const rows = lines.slice(start + 2, end).map(cells);
  const row = (one) => h("tr", {}, head.map((_, at) => h("td", {}, inline(one[at] ?? ""))));
  return [
    h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Table" },
      tidied(h("table", {},
        h("thead", {}, h("tr", {}, head.map((cell) => h("th", { scope: "col" }, inline(cell))))),
        h("tbody", {}, rows.map(row))))),
    end,
  ];
}

function cells(line) {
  const inner = line.trim().replace(/^\|/, "").replace(/(?<!\\)\|$/, "");
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim());
}

/**
 * @param {string} text
 * @param {number} [depth]
 * @returns {(Node | string)[]}
 */
function inline(text, depth = 0) {
  const nodes = [];
  let rest = text;
  while (rest) {
    const found = depth < DEEPEST ? INLINE.exec(rest) : null;
    if (!found) break;
    if (found.index) nodes.push(rest.slice(0, found.index));
    nodes.push(spanOf(found, depth));
    rest = rest.slice(found.index + found[0].length);
  }
  if (rest) nodes.push(rest);
  return nodes;
}

function spanOf(found, depth) {
  const [, escaped, , code, strong, emphasis, label, address, bare, unmatched] = found;
  if (escaped !== undefined) return escaped;
  if (code !== undefined) return h("code", {}, code.trim());
  if (strong !== undefined) return h("strong", {}, inline(strong, depth + 1));
  if (emphasis !== undefined) return h("em", {}, inline(emphasis, depth + 1));
  if (address !== undefined) return outsideLink(address, inline(label, depth + 1));
  if (bare !== undefined) return outsideLink(bare, bare);
  if (unmatched !== undefined) {
    return h("mark", { class: "unmatched", title: "Not found in the data of this run" }, unmatched,
      h("span", { class: "unseen" }, " (not found in the data of this run)"));
  }
  return h("br");
}
