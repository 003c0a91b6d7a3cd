// Our own drawings: parsed as SVG, then changed by patches as boards/patch.py makes them.

/** @typedef {string | any[][]} Patch A whole SVG, or changes. */

const NS = "http://www.w3.org/2000/svg";

/** @param {string} svg @returns {any} */
export function parse(svg) {
  const root = document.adoptNode(new DOMParser().parseFromString(svg, "image/svg+xml").documentElement);
  root.normalize(); // a run of words is one node, as in a patch
  return root;
}

/** What patches bring along, node after node. Parsed all together: each parser costs more than what it parses here. @param {Patch[]} patches */
export function brought(patches) {
  const changes = patches.flatMap((patch) => (typeof patch === "string" ? [] : patch));
  const written = changes.filter(([kind]) => kind === "swap" || kind === "add").map((change) => change.at(-1));
  return [...parse(`<svg xmlns="${NS}"><g>${written.join("</g><g>")}</g></svg>`).childNodes].map((group) => group.firstChild).values();
}

/** @param {string} tag @param {Record<string, string|number>} attributes @returns {any} */
export function drawn(tag, attributes) {
  const element = document.createElementNS(NS, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  return element;
}

/** The picture after a patch, made in place where it can be, with the next of what it brings. @param {any} svg @param {Patch} patch */
export function changed(svg, patch, nodes = brought([patch])) {
  if (typeof patch === "string") return parse(patch);
  for (const [kind, address, ...rest] of patch) {
    const node = address.reduce((/** @type {any} */ at, /** @type {number} */ step) => at.childNodes[step], svg);
    if (kind === "text") node.data = rest[0];
    else if (kind === "swap") node.replaceWith(nodes.next().value);
    else if (kind === "cut") node.childNodes[rest[0]].remove();
    else if (kind === "add") node.insertBefore(nodes.next().value, node.childNodes[rest[0]] ?? null);
    else for (const [name, value] of Object.entries(rest[0])) value === null ? node.removeAttribute(name) : node.setAttribute(name, /** @type {string} */ (value));
  }
  return svg;
}

/** Where something on the screen is, in the picture's own units. @param {any} svg @param {number} x @param {number} y */
export function within(svg, x, y) {
  const point = new DOMPoint(x, y).matrixTransform(svg.getScreenCTM().inverse());
  return { x: point.x, y: point.y };
}
