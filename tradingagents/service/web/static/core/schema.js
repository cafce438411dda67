/**
 * Forms from JSON schemas, as the server states them for capabilities and kinds of tasks.
 * @module
 */

import { h } from "./dom.js";
import { capital, words } from "./format.js";

let numbered = 0;

/**
 * @typedef {object} Field
 * @property {string} name
 * @property {Record<string, any>} schema - resolved, without null
 * @property {boolean} required
 * @property {any} fallback - value where nothing is entered
 */

/**
 * Return the fields of an object schema.
 * @param {Record<string, any>} schema
 * @returns {Field[]}
 */
function fieldsOf(schema) {
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const found = resolved(property, schema);
    return { name, schema: found, required: required.has(name), fallback: property.default ?? found.default };
  });
}

function resolved(property, root) {
  if (property.$ref) {
    const target = property.$ref.split("/").slice(1).reduce((node, key) => node?.[key], root) ?? {};
    return { ...resolved(target, root), ...without(property, "$ref") };
  }
  const options = property.anyOf ?? property.oneOf ?? property.allOf;
  if (!options) return property.items ? { ...property, items: resolved(property.items, root) } : property;
  const filled = options.map((one) => resolved(one, root)).filter((one) => one.type !== "null");
  const chosen = filled.find((one) => one.enum || one.const) ?? filled.find((one) => one.type === "array") ?? filled[0] ?? {};
  return { ...chosen, ...without(property, "anyOf", "oneOf", "allOf") };
}

function without(object, ...names) {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}

/**
 * Inputs for the fields of a schema.
 *
 * `values()` returns what was entered; fields left empty are left out, so that the server's own defaults hold.
 */
export class SchemaForm {
  /**
   * @param {Record<string, any>} schema
   * @param {{values?: Record<string, any>, omit?: string[], labels?: Record<string, string>, suggestions?: Record<string, readonly string[]>}} [options]
   */
  constructor(schema, { values = {}, omit = [], labels = {}, suggestions = {} } = {}) {
    this.inputs = fieldsOf(schema).filter((field) => !omit.includes(field.name)).map((field) =>
      inputFor(field, values[field.name] ?? field.fallback, labels[field.name], suggestions[field.name]));
    this.byName = new Map(this.inputs.map((one) => [one.name, one]));
  }

  /** Rows of the fields of these names, or of all that were not asked for yet. @param {string[]} [names] */
  rows(names) {
    const chosen = names ? names.map((name) => this.byName.get(name)).filter(Boolean) : this.inputs.filter((one) => !one.placed);
    return chosen.map((one) => { one.placed = true; return one.row; });
  }

  /** @returns {Record<string, any>} */
  values() {
    const found = this.inputs.map((one) => [one.name, one.read()]).filter(([, value]) => value !== undefined);
    return Object.fromEntries(found);
  }
}

/**
 * @param {Field} field
 * @param {any} value
 * @param {string} [label] - stands for the name and the description
 * @param {readonly string[]} [suggestions]
 */
function inputFor(field, value, label, suggestions = []) {
  const { schema } = field;
  const id = `field-${(numbered += 1)}-${field.name}`;
  const named = (label ?? capital(words(field.name))) + (field.required ? " (required)" : "");
  const help = schema.description && !label ? h("small", { id: `${id}-help` }, schema.description) : null;
  const common = { id, name: field.name, "aria-describedby": help && `${id}-help`, required: field.required && schema.type !== "boolean" };
  if (schema.type === "boolean") return checkbox(field, common, named, help, value);
  if (schema.const !== undefined && !field.required) return onlyValue(schema.const, checkbox(field, common, named, help, value === schema.const));
  if (schema.type === "array" && schema.items?.enum) return choices(field, id, named, help, schema.items.enum, value);
  const input = schema.enum || schema.const ? select(field, common, value) : textInput(schema, common, value);
  const list = suggestions.length ? h("datalist", { id: `${id}-list` }, suggestions.map((one) => h("option", { value: one }))) : null;
  if (list) input.setAttribute("list", list.id);
  const row = h("div", { class: "field" }, h("label", { for: id }, named), input, list, help);
  return { name: field.name, row, input, read: () => readText(schema, input.value) };
}

function checkbox(field, common, label, help, value) {
  const input = h("input", { ...common, type: "checkbox", checked: Boolean(value) });
  const row = h("div", { class: "field check" }, h("label", { for: common.id }, input, " ", label), help);
  return { name: field.name, row, input, read: () => (input.checked === Boolean(field.fallback) ? undefined : input.checked) };
}

/** A box for a field that holds one value or nothing. */
function onlyValue(value, box) {
  return { ...box, read: () => (box.input.checked ? value : undefined) };
}

function choices(field, id, label, help, options, value) {
  const chosen = new Set(value ?? options);
  const boxes = options.map((one) => h("input", { type: "checkbox", value: one, checked: chosen.has(one), id: `${id}-${one}` }));
  const row = h("fieldset", { class: "field" }, h("legend", {}, label),
    h("div", { class: "choices" }, boxes.map((box) => h("label", { for: box.id }, box, " ", capital(words(box.value))))), help);
  return { name: field.name, row, input: boxes[0], read: () => boxes.filter((box) => box.checked).map((box) => box.value) };
}

function select(field, common, value) {
  const options = field.schema.enum ?? [field.schema.const];
  return h("select", common,
    field.required ? null : h("option", { value: "" }, "Default"),
    options.map((one) => h("option", { value: String(one), selected: one === value && field.required }, words(String(one)))));
}

function textInput(schema, common, value) {
  const shown = value === null || value === undefined ? "" : Array.isArray(value) ? value.join(", ") : typeof value === "object" ? JSON.stringify(value) : value;
  if (schema.type === "integer" || schema.type === "number") {
    const least = schema.minimum ?? schema.exclusiveMinimum;
    return h("input", { ...common, type: "number", step: schema.type === "integer" ? 1 : "any", min: least, max: schema.maximum, value: shown });
  }
  if (schema.format === "date") return h("input", { ...common, type: "date", value: shown });
  if (schema.type === "object" || /question|text/.test(common.name)) return h("textarea", { ...common, rows: 3, value: shown, onkeydown: common.name === "question" ? sendOnEnter : null });
  return h("input", { ...common, type: "text", value: shown, autocomplete: "off", spellcheck: "false" });
}

/** Send the form of a question with Enter, as a message of the chat is sent; with Shift it is a new line. @param {KeyboardEvent} event */
function sendOnEnter(event) {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  event.target.form.requestSubmit();
}

function readText(schema, text) {
  const entered = text.trim();
  if (!entered) return undefined;
  if (schema.type === "integer" || schema.type === "number") return Number(entered);
  if (schema.type === "array") {
    const items = entered.split(/[,\n]/).map((one) => one.trim()).filter(Boolean);
    return schema.items?.type === "integer" || schema.items?.type === "number" ? items.map(Number) : items;
  }
  if (schema.type === "object") return JSON.parse(entered);
  return entered;
}
