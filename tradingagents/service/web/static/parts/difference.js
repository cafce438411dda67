/**
 * What a change would change: each thing as it is and as it would be.
 * @module
 */

import { h, table } from "../core/dom.js";

/**
 * Return the things that two states have differently, as a table; a sentence where there are none.
 * @param {string} caption
 * @param {Record<string, string>} before - by name, as people read it
 * @param {Record<string, string>} after
 */
export function difference(caption, before, after) {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((name) => before[name] !== after[name]);
  if (!names.length) return h("p", { class: "muted" }, "Nothing would change.");
  return table(caption, ["What", "Now", "Then", "Change"], names.map((name) => [name, before[name] ?? "—", after[name] ?? "—", !(name in before) ? "added" : name in after ? "changed" : "removed"]));
}
