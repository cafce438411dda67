/**
 * Charts in place: the drawings of the library's own report and chart pages, copied element by element.
 * @module
 */

const SVG = "http://www.w3.org/2000/svg";
/** All that the library's charts consist of; anything else is left out. */
const ELEMENTS = new Set(["svg", "g", "path", "line", "rect", "circle", "polyline", "polygon", "text", "tspan", "title", "desc"]);
const ATTRIBUTES = new Set([
  "class", "viewBox", "width", "height", "x", "y", "x1", "x2", "y1", "y2", "dx", "dy", "cx", "cy", "r", "rx", "ry", "d", "points",
  "transform", "role", "aria-label", "aria-hidden", "fill-rule", "text-anchor", "preserveAspectRatio", "opacity",
]);

/** Left out before parsing: styles, for the page's own style sheet has those of the charts, and names of listeners. */
export const UNUSED = /<style[\s\S]*?<\/style>|\son\w+(?==)/gi;

/**
 * Return the charts of a page as figures, wide and narrow versions as the page has them.
 * @param {string} page - HTML of a report or chart
 * @param {string} [within] - selector of the part to search
 * @returns {HTMLElement[]}
 */
export function chartsOf(page, within = "body") {
  const parsed = new DOMParser().parseFromString(page.replace(UNUSED, ""), "text/html");
  const drawings = [...parsed.querySelectorAll(`${within} figure.chart > svg`)];
  return drawings.map((drawing) => {
    const figure = document.createElement("figure");
    figure.className = `chart ${["wide", "narrow"].filter((one) => drawing.parentElement?.classList.contains(one)).join(" ")}`;
    const title = titleOfChart(drawing);
    if (title) figure.append(Object.assign(document.createElement("figcaption"), { textContent: title }));
    figure.append(copied(drawing));
    return figure;
  });
}

/** What a chart shows: the caption of its exhibit, else the beginning of its description. @param {Element} drawing */
function titleOfChart(drawing) {
  const caption = drawing.closest("figure.exhibit")?.querySelector("figcaption");
  if (caption) return [...caption.children].map((part) => part.textContent.replace(/^Exhibit \d+\. /, "")).join(": ");
  return (drawing.getAttribute("aria-label") ?? "").split(":")[0];
}

/**
 * @param {Element} source
 * @returns {SVGElement}
 */
export function copied(source) {
  const copy = document.createElementNS(SVG, source.localName);
  for (const { name, value } of source.attributes) if (ATTRIBUTES.has(name)) copy.setAttribute(name, value);
  for (const child of source.childNodes) {
    if (child.nodeType === Node.TEXT_NODE) copy.append(child.textContent ?? "");
    else if (child instanceof Element && ELEMENTS.has(child.localName)) copy.append(copied(child));
  }
  return copy;
}
