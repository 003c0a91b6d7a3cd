// Parses our own SVG drawings and applies the patches that boards/svg_patch.py makes.

/** @typedef {string | any[][]} Patch A whole SVG, or changes. */

const NS = "http://www.w3.org/2000/svg";

/** @param {string} svg @returns {any} */
export function parse(svg) {
  const root = document.adoptNode(new DOMParser().parseFromString(svg, "image/svg+xml").documentElement);
  root.normalize(); // adjacent text nodes are one node in a patch
  return root;
}

/**
 * The new nodes of patches, in order. They are parsed together, since each parser is expensive.
 * @param {Patch[]} patches
 */
export function brought(patches) {
  const changes = patches.flatMap((patch) => (typeof patch === "string" ? [] : patch));
  const added = changes.filter(([kind]) => kind === "swap" || kind === "add");
  const written = added.map((change) => change.at(-1)).join("</g><g>");
  const groups = parse(`<svg xmlns="${NS}"><g>${written}</g></svg>`).childNodes;
  return [...groups].map((group) => group.firstChild).values();
}

/** @param {string} tag @param {Record<string, string|number>} attributes @returns {any} */
export function drawn(tag, attributes) {
  const element = document.createElementNS(NS, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  return element;
}

/**
 * Apply a patch, in place where possible, with the next of the new nodes.
 * @param {any} svg @param {Patch} patch
 */
export function changed(svg, patch, nodes = brought([patch])) {
  if (typeof patch === "string") return parse(patch);
  for (const [kind, address, ...rest] of patch) {
    let node = svg;
    for (const step of address) node = node.childNodes[step];
    if (kind === "text") node.data = rest[0];
    else if (kind === "swap") node.replaceWith(nodes.next().value);
    else if (kind === "cut") node.childNodes[rest[0]].remove();
    else if (kind === "add") node.insertBefore(nodes.next().value, node.childNodes[rest[0]] ?? null);
    else {
      for (const [name, value] of Object.entries(rest[0])) {
        if (value === null) node.removeAttribute(name);
        else node.setAttribute(name, /** @type {string} */ (value));
      }
    }
  }
  return svg;
}

/**
 * Convert screen coordinates to the units of the picture.
 * @param {any} svg @param {number} x @param {number} y
 */
export function within(svg, x, y) {
  const point = new DOMPoint(x, y).matrixTransform(svg.getScreenCTM().inverse());
  return { x: point.x, y: point.y };
}
