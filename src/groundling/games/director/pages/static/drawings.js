// The drawings of the items, which the server makes.

/** @typedef {import("./book.js").Item} Item */

export class Drawings {
  /** @param {(body: {items: Item[], defaults: any}) => Promise<Record<string, string>>} request */
  constructor(request) {
    this.request = request;
    /** @type {Map<string, [string, string]>} By item, its state and its SVG. */
    this.drawn = new Map();
  }

  /** @param {string} name */
  has(name) {
    return this.drawn.has(name);
  }

  /** The address of an image. @param {string} name */
  source(name) {
    return `data:image/svg+xml,${encodeURIComponent(this.drawn.get(name)?.[1] ?? "")}`;
  }

  /** Draw the items whose look has changed. @param {{items: Item[], defaults: any}} sheet */
  async update({ items, defaults }) {
    const size = (/** @type {Item} */ item) => item.size ?? defaults.size ?? 0;
    const largest = Math.max(0, ...items.map(size));
    const state = (/** @type {Item} */ item) => JSON.stringify([item, defaults, largest]);
    const changed = items.filter((item) => this.drawn.get(item.name)?.[0] !== state(item));
    if (!changed.length) return false;
    const biggest = /** @type {Item} */ (items.find((item) => size(item) === largest));
    const looks = await this.request({ items: [...changed, biggest], defaults });
    for (const item of changed) {
      if (looks[item.name]) this.drawn.set(item.name, [state(item), looks[item.name]]);
      else this.drawn.delete(item.name);
    }
    return true;
  }
}
