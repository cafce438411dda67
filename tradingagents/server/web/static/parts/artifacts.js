/**
 * Files that answers and tasks made: charts in place, others to download.
 * @module
 */

import { button, h } from "../core/dom.js";
import { chartsOf } from "./chart.js";

/**
 * Return the charts of artifacts, and a button for every other file.
 * @param {import("../core/api.js").Api} api
 * @param {readonly string[]} ids
 * @param {AbortSignal} signal
 * @returns {Promise<HTMLElement[]>}
 */
export async function artifactCharts(api, ids, signal) {
  const found = await Promise.all((ids ?? []).map((id) => shown(api, id, signal)));
  return found.flat();
}

async function shown(api, id, signal) {
  const path = `/v1/artifacts/${encodeURIComponent(id)}`;
  const info = await api.get(path, signal);
  const charts = info.kind === "chart" && info.media_type.startsWith("text/html") ? chartsOf(await api.text(`${path}/content`, signal)) : [];
  return [...charts, button(`Download ${info.title} (${info.media_type.split(/[/;+]/)[1].toUpperCase()})`, () => download(api, `${path}/content`, info), { class: "button small" })];
}

async function download(api, path, info) {
  const response = await api.request(path);
  const named = /filename="?([^";]+)/.exec(response.headers.get("Content-Disposition") ?? "");
  const address = URL.createObjectURL(await response.blob());
  h("a", { href: address, download: named?.[1] ?? info.artifact_id }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
