/**
 * Requests to the server, with the token of this tab.
 * @module
 */

import { followEvents } from "./event_stream.js";

/** An answer of the server that is an error. */
export class ApiError extends Error {
  /** Status 0: the server could not be reached. */
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export class Api {
  constructor({ base = "", token = null } = {}) {
    this.base = base;
    this.token = token;
    /** Called when the server refuses the token. */
    this.onUnauthorized = () => {};
  }

  /** @returns {Record<string, string>} */
  headers() {
    return this.token ? { Authorization: `Bearer ${this.token}` } : {};
  }

  /** Send a request and return the response; errors of the server are raised. */
  async request(path, options = {}) {
    let response;
    try {
      response = await fetch(this.base + path, { ...options, headers: { ...this.headers(), ...options.headers } });
    } catch (error) {
      if (error instanceof DOMException && error.name === "AbortError") throw error;
      throw new ApiError(0, "unreachable", "The server cannot be reached. Start it with `tradingagents serve`.");
    }
    if (response.ok) return response;
    const body = await response.json().catch(() => null);
    if (response.status === 401) this.onUnauthorized();
    const { code = "failed", message = `The server answered ${response.status}.` } = body?.error ?? {};
    throw new ApiError(response.status, code, message);
  }

  async get(path, signal) {
    return (await this.request(path, { signal })).json();
  }

  async text(path, signal) {
    return (await this.request(path, { signal })).text();
  }

  async send(path, body = {}, method = "POST") {
    const headers = { "Content-Type": "application/json" };
    const response = await this.request(path, { method, headers, body: JSON.stringify(body) });
    return response.status === 204 ? null : response.json();
  }

  /**
   * Follow the events of a task; see `followEvents`.
   * @param {string} taskId
   * @param {{after?: number, signal: AbortSignal, onState?: (state: "live" | "lost") => void}} options
   */
  taskEvents(taskId, options) {
    return followEvents(this, taskId, options);
  }

  /**
   * Answer a capability.
   * @param {string} name
   * @param {Record<string, any>} values
   * @param {string | null} asOf
   * @param {AbortSignal} [signal]
   * @param {boolean} [files] - whether files, such as a drawn chart, are made
   */
  async ask(name, values, asOf = null, signal = undefined, files = true) {
    const body = JSON.stringify({ arguments: values, as_of: asOf || null, files });
    const headers = { "Content-Type": "application/json" };
    const path = `/v1/capabilities/${encodeURIComponent(name)}`;
    return (await this.request(path, { method: "POST", headers, body, signal })).json();
  }
}
