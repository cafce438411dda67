/**
 * Files that answers and tasks made: charts in place, others to download.
 * @module
 */

import { button, h } from "../core/dom.js";
import { markdown } from "../core/markdown.js";
import { chartsOf } from "./chart.js";

const ENDINGS = { "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx", "text/markdown": "md" };

/**
 * Return the charts of artifacts, and a button to download each.
 * @param {import("../core/api.js").Api} api
 * @param {readonly string[]} ids
 * @param {AbortSignal} signal
 * @param {boolean} [texts] - whether Markdown is shown too
 * @returns {Promise<HTMLElement[]>}
 */
export async function artifactsShown(api, ids, signal, texts = false) {
  const found = await Promise.all((ids ?? []).map((id) => shown(api, id, signal, texts)));
  const buttons = found.map((one) => one.download);
  return [...found.flatMap((one) => one.content), buttons.length ? h("p", { class: "actions" }, buttons) : null].filter(Boolean);
}

async function shown(api, id, signal, texts) {
  const path = `/v1/artifacts/${encodeURIComponent(id)}`;
  const info = await api.get(path, signal);
  const format = info.media_type.split(";")[0];
  const text = format === "text/html" || (texts && format === "text/markdown") ? await api.text(`${path}/content`, signal) : "";
  const content = format === "text/html" ? chartsOf(text) : text ? [h("section", { class: "card prose" }, markdown(text, 2))] : [];
  const name = `${info.title} (${ENDINGS[format] ?? format.split("/")[1]})`;
  return { content, download: button(`Download ${name}`, () => download(api, `${path}/content`, info), { class: "button small" }) };
}

async function download(api, path, info) {
  const response = await api.request(path);
  const named = /filename="?([^";]+)/.exec(response.headers.get("Content-Disposition") ?? "");
  const address = URL.createObjectURL(await response.blob());
  h("a", { href: address, download: named?.[1] ?? info.artifact_id }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
