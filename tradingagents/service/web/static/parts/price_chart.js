/**
 * A price chart to look around in: range, zoom, log scale, crosshair with values, events, indicators, another symbol;
 * by mouse, by keyboard, by touch, and as a table.
 * @module
 */

import { button, fill, h, table } from "../core/dom.js";
import { change, day as dayText, number, price } from "../core/format.js";

const SVG = "http://www.w3.org/2000/svg";
/** Sessions of the ranges that are offered; 0: all. */
const RANGES = [["1 M", 21, "1 month"], ["3 M", 63, "3 months"], ["6 M", 126, "6 months"], ["1 Y", 252, "1 year"], ["All", 0, "All days"]];
/** Lines that can be drawn over the prices or below them, with their series. */
const LINES = [["fast", "50-day", ["close_50_sma"]], ["slow", "200-day", ["close_200_sma"]], ["band", "Bollinger", ["boll_ub", "boll_lb"]]];
const FEWEST = 10;
const AXIS = 62;
const FOOT = 22;
const LETTERS = { earnings: "E", dividend: "D", split: "S", note: "N" };
const MOST_ROWS = 260;
/** Narrowest bar in pixels that is drawn as a candle. */
const CANDLE = 3.2;
const LABELS = 90;

export class PriceChart {
  /**
   * @param {Record<string, any>} data - result of the capability `open_chart`
   * @param {{announce: (text: string) => void, compare: (symbol: string) => Promise<Record<string, any>>}} options
   */
  constructor(data, { announce, compare }) {
    Object.assign(this, { data, announce, compare });
    this.series = Object.fromEntries(data.series.map((one) => [one.name, one.values]));
    this.events = new Map();
    for (const event of data.events) this.events.set(event.day, [...(this.events.get(event.day) ?? []), event]);
    this.shown = { fast: true, slow: true, band: false, volume: data.volumes.length > 0, rsi: false, events: true, log: false };
    this.at = null;
    this.other = null;
    this.pointers = new Map();
    this.readout = h("p", { class: "readout", id: `readout-${data.symbol}` });
    this.drawing = svg("svg", { class: "look", "aria-hidden": "true" });
    this.plot = h("div", { class: "plot", tabindex: "0", role: "application", "aria-roledescription": "chart", "aria-label": `Price of ${data.symbol}: arrow keys move, plus and minus zoom, Page Up and Down go back and forth` }, this.drawing);
    this.rows = h("div", {});
    this.details = h("details", {}, h("summary", {}, "The days shown as a table"), this.rows);
    this.details.addEventListener("toggle", () => this.showRows());
    this.caption = h("figcaption", { class: "muted small" });
    this.element = h("figure", { class: "look-chart" }, this.toolbar(), this.readout, this.plot, this.caption, this.details);
    this.listen();
    this.range(252);
  }

  get last() { return this.data.days.length - 1; }

  /** Show the last sessions. @param {number} sessions */
  range(sessions) {
    this.window(sessions ? this.last - sessions + 1 : 0, this.last);
    this.marked = sessions;
    for (const [of, one] of this.ranges) one.setAttribute("aria-pressed", String(of === sessions));
  }

  /** @param {number} from @param {number} to */
  window(from, to) {
    const size = Math.max(Math.min(FEWEST, this.last + 1), Math.min(this.last + 1, Math.round(to - from) + 1));
    this.from = Math.max(0, Math.min(this.last + 1 - size, Math.round(from)));
    this.to = this.from + size - 1;
    for (const [, one] of this.ranges) one.setAttribute("aria-pressed", "false");
    if (this.at !== null) this.at = Math.max(this.from, Math.min(this.to, this.at));
    this.draw();
  }

  /** Zoom around a place of the window. @param {number} factor - below 1: closer @param {number} [place] - 0 left, 1 right */
  zoom(factor, place = this.at === null ? 1 : (this.at - this.from) / Math.max(1, this.to - this.from)) {
    const size = this.to - this.from + 1;
    const next = Math.max(FEWEST, Math.min(this.last + 1, Math.round(size * factor)));
    const from = this.from + (size - next) * place;
    this.window(from, from + next - 1);
  }

  pan(sessions) { this.window(this.from + sessions, this.to + sessions); }

  toolbar() {
    this.ranges = RANGES.map(([label, sessions, name]) => [sessions, button(label, () => this.range(sessions), { class: "tag-button", "aria-label": name, "aria-pressed": "false" })]);
    const zooms = [button("−", () => this.zoom(1.5), { class: "tag-button", "aria-label": "Zoom out" }), button("+", () => this.zoom(1 / 1.5), { class: "tag-button", "aria-label": "Zoom in" })];
    const toggle = (name, label) => {
      const one = button(label, () => { this.shown[name] = !this.shown[name]; one.setAttribute("aria-pressed", String(this.shown[name])); this.draw(); }, { class: `tag-button of-${name}`, "aria-pressed": String(this.shown[name]) });
      return one;
    };
    const toggles = [...LINES.filter(([, , names]) => names.some((one) => this.series[one])).map(([name, label]) => toggle(name, label)),
      this.data.volumes.length ? toggle("volume", "Volume") : null, this.series.rsi ? toggle("rsi", "RSI") : null, this.data.events.length ? toggle("events", "Events") : null, toggle("log", "Log scale")];
    return h("div", { class: "look-tools" },
      h("div", { role: "group", "aria-label": "Range", class: "run-choice" }, this.ranges.map(([, one]) => one), zooms),
      h("div", { role: "group", "aria-label": "Show", class: "run-choice" }, toggles), this.compareForm());
  }

  compareForm() {
    const input = h("input", { autocomplete: "off", spellcheck: "false", placeholder: "Compare with, such as SPY", "aria-label": "Compare with another symbol" });
    const said = h("span", { class: "warning", role: "status" });
    const clear = button("Clear", () => { this.other = null; input.value = ""; clear.hidden = true; this.draw(); }, { class: "button small", hidden: true });
    const ask = async () => {
      said.textContent = "";
      const wanted = input.value.trim().toUpperCase();
      if (!wanted || wanted === this.data.symbol) return;
      try {
        const found = await this.compare(wanted);
        if (found.compared.length < 2) throw new Error(`There are no prices of ${wanted} by this day; check the ticker.`);
        this.other = { symbol: found.compared[1].symbol, values: found.compared.map((one) => valuesOn(this.data.days, found.days, one.values)) };
        clear.hidden = false;
        this.draw();
      } catch (error) {
        if (error?.name !== "AbortError") said.textContent = error.message;
      }
    };
    return h("form", { class: "look-compare", onsubmit: (event) => { event.preventDefault(); ask(); } }, input, h("button", { type: "submit", class: "button small" }, "Compare"), clear, said);
  }

  listen() {
    this.plot.addEventListener("keydown", (event) => this.key(event));
    this.plot.addEventListener("blur", () => { this.at = null; this.cross(); });
    this.plot.addEventListener("pointerleave", () => { if (!this.pointers.size && document.activeElement !== this.plot) { this.at = null; this.cross(); } });
    this.plot.addEventListener("pointerdown", (event) => this.press(event));
    this.plot.addEventListener("pointermove", (event) => this.move(event));
    for (const name of ["pointerup", "pointercancel"]) this.plot.addEventListener(name, (event) => { this.pointers.delete(event.pointerId); this.grabbed = null; });
    this.plot.addEventListener("dblclick", () => this.range(252));
    this.plot.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.metaKey && document.activeElement !== this.plot) return;
      event.preventDefault();
      this.zoom(event.deltaY > 0 ? 1.15 : 1 / 1.15, this.place(event.clientX));
    }, { passive: false });
    new ResizeObserver(() => { if (Math.abs(this.plot.clientWidth - (this.width ?? 0)) > 1) this.draw(); }).observe(this.plot);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const half = Math.ceil((this.to - this.from + 1) / 2);
    const steps = { ArrowLeft: () => this.step(event.shiftKey ? -10 : -1), ArrowRight: () => this.step(event.shiftKey ? 10 : 1), Home: () => this.step(-1e6), End: () => this.step(1e6),
      PageUp: () => this.pan(-half), PageDown: () => this.pan(half), "+": () => this.zoom(1 / 1.5), "=": () => this.zoom(1 / 1.5), "-": () => this.zoom(1.5), Escape: () => { this.at = null; this.cross(); } };
    if (!steps[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    steps[event.key]();
    if (this.at !== null) this.announce(this.readout.textContent);
  }

  step(by) {
    const next = Math.max(0, Math.min(this.last, (this.at ?? (by > 0 ? this.from - 1 : this.to + 1)) + by));
    this.at = next;
    if (Math.abs(by) >= 1e6) this.at = by < 0 ? this.from : this.to;
    else if (next < this.from) this.pan(next - this.from);
    else if (next > this.to) this.pan(next - this.to);
    this.cross();
  }

  /** Part of the window at a place of the screen, 0 to 1. @param {number} clientX */
  place(clientX) {
    const box = this.plot.getBoundingClientRect();
    return Math.max(0, Math.min(1, (clientX - box.left) / Math.max(1, box.width - AXIS)));
  }

  press(event) {
    this.pointers.set(event.pointerId, event.clientX);
    if (event.pointerType === "mouse") this.plot.setPointerCapture(event.pointerId);
    const places = [...this.pointers.values()];
    this.grabbed = { x: places[0], from: this.from, to: this.to, spread: places.length > 1 ? Math.abs(places[0] - places[1]) : 0, middle: middleOf(places), mouse: event.pointerType === "mouse" };
    if (!this.grabbed.mouse) this.follow(event.clientX);
  }

  move(event) {
    if (this.pointers.has(event.pointerId)) this.pointers.set(event.pointerId, event.clientX);
    const places = [...this.pointers.values()];
    const size = this.grabbed ? this.grabbed.to - this.grabbed.from + 1 : 0;
    if (this.grabbed?.spread > 10 && places.length > 1) {
      const next = Math.max(FEWEST, Math.min(this.last + 1, (size * this.grabbed.spread) / Math.max(10, Math.abs(places[0] - places[1]))));
      const from = this.grabbed.from + size * this.place(this.grabbed.middle) - next * this.place(middleOf(places)); // what was between the fingers stays there
      this.window(from, from + next - 1);
    } else if (this.grabbed?.mouse) {
      const by = Math.round(((this.grabbed.x - event.clientX) / Math.max(1, this.width - AXIS)) * size);
      if (this.grabbed.from + by !== this.from) this.window(this.grabbed.from + by, this.grabbed.to + by);
    } else this.follow(event.clientX);
  }

  follow(clientX) {
    this.at = Math.round(this.from + this.place(clientX) * (this.to - this.from));
    this.cross();
  }

  /** @param {number} index */
  x(index) { return (index - this.from + 0.5) * this.bar; }

  draw() {
    const { data } = this;
    this.width = Math.max(280, this.plot.clientWidth || 900);
    this.height = this.width < 560 ? 210 : 300;
    this.bar = (this.width - AXIS) / (this.to - this.from + 1);
    const below = [this.shown.volume && data.volumes.length ? 54 : 0, this.shown.rsi ? 72 : 0];
    const whole = this.height + below[0] + below[1] + FOOT;
    this.drawing.replaceChildren();
    for (const [name, value] of Object.entries({ viewBox: `0 0 ${this.width} ${whole}`, width: this.width, height: whole })) this.drawing.setAttribute(name, value);
    this.scale = this.scaleOf();
    this.grid();
    if (this.other) this.comparison();
    else this.prices();
    if (below[0]) this.volume(this.height + 4, below[0] - 8);
    if (below[1]) this.rsi(this.height + below[0], below[1] - 6);
    this.time(whole);
    if (this.shown.events) this.marks();
    this.whole = whole;
    this.crossing = svg("g", {});
    this.drawing.append(this.crossing);
    this.caption.textContent = `${data.symbol}, daily, ${dayText(data.days[this.from])} to ${dayText(data.days[this.to])}${this.other ? `, compared with ${this.other.symbol} from the first day shown, dividends included` : data.unit ? `, in ${data.unit}, as traded, adjusted for splits` : ""}.`;
    if (this.details.open) this.showRows();
    this.cross();
  }

  /** Values drawn in the price pane, as rows of one value a session; of a comparison, as ratios to the first day shown. */
  lines() {
    const { data } = this;
    if (this.other) return this.other.values.map((values) => { const first = values.slice(this.from).find((value) => value !== null); return values.map((value) => (value === null ? null : value / first)); });
    return [data.highs, data.lows, ...LINES.filter(([name]) => this.shown[name]).flatMap(([, , names]) => names.map((one) => this.series[one] ?? []))];
  }

  scaleOf() {
    let [least, most] = [Infinity, -Infinity];
    for (const values of this.lines()) for (let at = this.from; at <= this.to; at += 1) {
      const value = values[at];
      if (value === null || value === undefined || (this.shown.log && value <= 0)) continue;
      least = Math.min(least, value);
      most = Math.max(most, value);
    }
    if (!(most > least)) [least, most] = [least * 0.99 - 1e-9, most * 1.01 + 1e-9];
    const to = this.shown.log ? Math.log : (value) => value;
    const [low, high] = [to(least), to(most)];
    const top = 10, bottom = this.height - 20;
    return { least, most, y: (value) => bottom - ((to(value) - low) / (high - low)) * (bottom - top) };
  }

  grid() {
    for (const value of ticks(this.scale.least, this.scale.most, this.height < 250 ? 4 : 6)) {
      const y = this.scale.y(value);
      if (!(y > 4 && y < this.height - 6)) continue;
      this.drawing.append(svg("line", { class: "grid", x1: 0, x2: this.width - AXIS, y1: y, y2: y }), label(this.width - AXIS + 6, y + 4, this.valueText(value)));
    }
  }

  valueText(value) { return this.other ? change(100 * (value - 1)) : price(value); }

  line(values, name, y = this.scale.y) {
    let path = "", pen = "M";
    for (let at = this.from; at <= this.to; at += 1) {
      const value = values[at];
      if (value === null || value === undefined) { pen = "M"; continue; }
      path += `${pen}${this.x(at).toFixed(1)},${y(value).toFixed(1)}`;
      pen = "L";
    }
    this.drawing.append(svg("path", { class: `line ${name}`, d: path }));
  }

  prices() {
    const { data } = this;
    for (const [name, , series] of LINES) if (this.shown[name]) for (const one of series) if (this.series[one]) this.line(this.series[one], name);
    if (this.bar < CANDLE) { this.line(data.closes, "close"); return; }
    const paths = { up: "", down: "" };
    const half = Math.max(0.7, this.bar * 0.32);
    for (let at = this.from; at <= this.to; at += 1) {
      const [open, high, low, close] = [data.opens[at], data.highs[at], data.lows[at], data.closes[at]];
      if ([open, high, low, close].includes(null)) continue;
      const x = this.x(at), y = this.scale.y;
      const [top, bottom] = [y(Math.max(open, close)), Math.max(y(Math.min(open, close)), y(Math.max(open, close)) + 0.8)];
      paths[close >= open ? "up" : "down"] += `M${x.toFixed(1)},${y(high).toFixed(1)}V${y(low).toFixed(1)}M${(x - half).toFixed(1)},${top.toFixed(1)}H${(x + half).toFixed(1)}V${bottom.toFixed(1)}H${(x - half).toFixed(1)}Z`;
    }
    for (const [name, path] of Object.entries(paths)) this.drawing.append(svg("path", { class: `candle ${name}`, d: path }));
  }

  comparison() {
    this.drawing.append(svg("line", { class: "base", x1: 0, x2: this.width - AXIS, y1: this.scale.y(1), y2: this.scale.y(1) }));
    const [own, other] = this.lines();
    this.line(other, "slow");
    this.line(own, "close");
  }

  volume(top, height) {
    const most = Math.max(...this.data.volumes.slice(this.from, this.to + 1).map((value) => value ?? 0), 1);
    const width = Math.max(0.6, this.bar * 0.64);
    let path = "";
    for (let at = this.from; at <= this.to; at += 1) {
      const size = ((this.data.volumes[at] ?? 0) / most) * height;
      path += `M${(this.x(at) - width / 2).toFixed(1)},${(top + height).toFixed(1)}v${(-size).toFixed(1)}h${width.toFixed(1)}v${size.toFixed(1)}z`;
    }
    this.drawing.append(svg("path", { class: "volume", d: path }), label(this.width - AXIS + 6, top + 10, number(most)));
  }

  rsi(top, height) {
    const y = (value) => top + height - (value / 100) * height;
    for (const value of [30, 70]) this.drawing.append(svg("line", { class: "grid", x1: 0, x2: this.width - AXIS, y1: y(value), y2: y(value) }), label(this.width - AXIS + 6, y(value) + 4, `RSI ${value}`));
    this.line(this.series.rsi, "band", y);
  }

  time(whole) {
    const room = Math.max(1, Math.floor((this.width - AXIS) / LABELS));
    const every = Math.max(1, Math.ceil((this.to - this.from + 1) / room));
    for (let at = this.from + Math.floor(every / 2); at <= this.to; at += every) this.drawing.append(label(this.x(at), whole - 6, dayText(this.data.days[at], every > 40), "middle"));
  }

  marks() {
    for (let at = this.from; at <= this.to; at += 1) {
      const events = this.events.get(this.data.days[at]);
      if (!events) continue;
      const mark = svg("g", { class: "event" });
      const title = svg("title", {});
      title.textContent = events.map((one) => `${this.data.days[at]}: ${one.text}`).join("\n");
      const letter = label(this.x(at), this.height - 5, LETTERS[events[0].kind] ?? "•", "middle", "letter");
      mark.append(title, svg("circle", { cx: this.x(at), cy: this.height - 8, r: 7 }), letter);
      this.drawing.append(mark);
    }
  }

  /** Draw the crosshair and say what stands there; of the last day shown where there is none. */
  cross() {
    const at = this.at ?? this.to;
    fill(this.readout, this.values(at).map(([name, value, kind]) => h("span", {}, name ? h("span", { class: `muted ${kind ?? ""}` }, `${name} `) : null, h("strong", {}, value), " ")));
    if (!this.crossing) return;
    this.crossing.replaceChildren();
    if (this.at === null) return;
    const value = this.other ? this.lines()[0][at] : this.data.closes[at];
    this.crossing.append(svg("line", { class: "cross", x1: this.x(at), x2: this.x(at), y1: 0, y2: this.whole - FOOT }));
    if (value === null || value === undefined) return;
    const y = this.scale.y(value);
    this.crossing.append(svg("line", { class: "cross", x1: 0, x2: this.width - AXIS, y1: y, y2: y }), svg("rect", { class: "tab", x: this.width - AXIS + 2, y: y - 9, width: AXIS - 2, height: 18, rx: 3 }), label(this.width - AXIS + 6, y + 4, this.valueText(value), "start", "on-tab"));
  }

  /** @returns {[string, string, string?][]} */
  values(at) {
    const { data } = this;
    const day = data.days[at];
    const said = (this.events.get(day) ?? []).map((event) => ["", event.text]);
    if (this.other) {
      const lines = this.lines();
      return [["", dayText(day)], ...[data.symbol, this.other.symbol].map((name, index) => [name, lines[index][at] === null ? "n/a" : change(100 * (lines[index][at] - 1)), index ? "slow" : "close"])];
    }
    const before = at > 0 ? data.closes[at - 1] : null;
    const moved = before && data.closes[at] !== null ? change(100 * (data.closes[at] / before - 1)) : "n/a";
    return [["", dayText(day)], ["Open", price(data.opens[at])], ["High", price(data.highs[at])], ["Low", price(data.lows[at])], ["Close", price(data.closes[at], data.unit)], ["Day", moved],
      ...(this.shown.volume ? [["Volume", number(data.volumes[at])]] : []),
      ...LINES.filter(([name]) => this.shown[name]).flatMap(([name, label, series]) => (this.series[series[0]] ? [[label, series.map((one) => price(this.series[one][at])).reverse().join("–"), name]] : [])),
      ...(this.shown.rsi ? [["RSI", number(this.series.rsi[at])]] : []), ...said];
  }

  showRows() {
    if (!this.details.open) return;
    const { data } = this;
    const first = Math.max(this.from, this.to - MOST_ROWS + 1);
    const rows = [];
    for (let at = this.to; at >= first; at -= 1) {
      rows.push([data.days[at], price(data.opens[at]), price(data.highs[at]), price(data.lows[at]), price(data.closes[at]), number(data.volumes[at]), (this.events.get(data.days[at]) ?? []).map((event) => event.text).join("; ")]);
    }
    fill(this.rows, first > this.from ? h("p", { class: "muted" }, `The last ${MOST_ROWS} of ${this.to - this.from + 1} days.`) : null, table(`Prices of ${data.symbol}`, ["Day", "Open", "High", "Low", "Close", "Volume", "Events"], rows));
  }
}

function svg(tag, attributes) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  return element;
}

function label(x, y, text, anchor = "start", name = "") {
  const element = svg("text", { x: x.toFixed(1), y: y.toFixed(1), "text-anchor": anchor, class: name });
  element.textContent = text;
  return element;
}

/** Round values of an axis between two values. @param {number} least @param {number} most @param {number} count */
function ticks(least, most, count) {
  const rough = (most - least) / count;
  const size = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((one) => one * size).find((one) => one >= rough) ?? rough;
  const found = [];
  for (let value = Math.ceil(least / step) * step; value <= most; value += step) found.push(value);
  return found;
}

/** The values of days, taken from those of other days; null where there is none. */
function valuesOn(days, others, values) {
  const known = new Map(others.map((day, at) => [day, values[at]]));
  return days.map((day) => known.get(day) ?? null);
}

/** The middle of two fingers. @param {number[]} places */
function middleOf(places) {
  return (places[0] + places.at(-1)) / 2;
}
