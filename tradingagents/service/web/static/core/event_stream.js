/**
 * Server-sent events over `fetch`, which sends the token; a stream that breaks off is taken up where it ended.
 * @module
 */

const FIRST_WAIT = 400;
const LONGEST_WAIT = 10_000;
/** Statuses after which a task sends no more events. */
export const ENDED = new Set(["done", "failed", "cancelled", "interrupted"]);

/**
 * Yield every event of a task numbered above `after` exactly once, in order, until the task has ended.
 *
 * @param {import("./api.js").Api} api
 * @param {string} taskId
 * @param {{after?: number, signal: AbortSignal, onState?: (state: "live" | "lost") => void}} options
 */
export async function* followEvents(api, taskId, { after = -1, signal, onState = () => {} }) {
  const path = `/v1/tasks/${encodeURIComponent(taskId)}`;
  let last = after;
  let wait = FIRST_WAIT;
  while (!signal.aborted) {
    try {
      const headers = { Accept: "text/event-stream", ...(last < 0 ? {} : { "Last-Event-ID": String(last) }) };
      const response = await api.request(`${path}/events?after=${last}`, { headers, signal });
      onState("live");
      for await (const { data } of messages(response.body, signal)) {
        const event = JSON.parse(data);
        if (event.seq <= last) continue;
        last = event.seq;
        wait = FIRST_WAIT;
        yield event;
      }
      const task = await api.get(path, signal);
      if (ENDED.has(task.status)) return;
    } catch (error) {
      if (signal.aborted) return;
      if (error.status >= 400 && error.status < 500 && error.status !== 429) throw error;
      onState("lost");
    }
    await pause(wait * (0.75 + Math.random() / 2), signal);
    wait = Math.min(wait * 2, LONGEST_WAIT);
  }
}

/**
 * Yield the messages of an event stream; comments (keep-alive) are left out.
 * @param {ReadableStream<Uint8Array> | null} body
 * @param {AbortSignal} signal
 * @returns {AsyncGenerator<{id: string, event: string, data: string}>}
 */
export async function* messages(body, signal) {
  if (!body) return;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    while (!signal.aborted) {
      const { value, done } = await reader.read();
      if (done) return;
      rest = (rest + value).replace(/\r\n/g, "\n");
      for (let end = rest.indexOf("\n\n"); end >= 0; end = rest.indexOf("\n\n")) {
        const message = parsed(rest.slice(0, end));
        rest = rest.slice(end + 2);
        if (message.data) yield message;
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

/** @param {string} block */
function parsed(block) {
  const message = { id: "", event: "", data: "" };
  for (const line of block.split("\n")) {
    const colon = line.indexOf(":");
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (name === "data") message.data += message.data ? `\n${value}` : value;
    else if (name === "id" || name === "event") message[name] = value;
  }
  return message;
}

/**
 * Wait, at most until the signal is aborted.
 * @param {number} milliseconds
 * @param {AbortSignal} signal
 */
export function pause(milliseconds, signal) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => { clearTimeout(timer); resolve(undefined); }, { once: true });
  });
}
