// Clip art to take: by dragging it to its place, or by pressing it, which puts it in the middle.

import { capital, make } from "../../lib/dom.js";
import { picture, trim } from "./art.js";

/** @typedef {import("./art.js").Facts} Facts */

const START = 5; // pixels from which on a press is a drag
// Pieces from which on the palette scrolls by itself, so that the canvas stays in sight.
const LONG = 30;

export class Palette {
  /** @param {Facts} facts @param {(kind: string, place: {x: number, y: number}|null) => void} put */
  constructor(facts, put) {
    this.facts = facts;
    this.put = put;
    /** @type {any} What it is put on. */
    this.canvas = null;
    /** @type {any} What hangs on the pointer. */
    this.carried = null;
    /** @type {Map<string, any>} */
    this.tiles = new Map(facts.shelves.flatMap(({ kinds }) => kinds.map((kind) => [kind, this.tile(kind)])));
    this.shelves = facts.shelves.map(({ name, kinds }) => {
      const tiles = kinds.map((kind) => this.tiles.get(kind));
      return make(
        "div",
        { className: "shelf", role: "group", "aria-label": name },
        make("h2", {}, capital(name)),
        make("div", { className: "palette" }, ...tiles),
      );
    });
    const className = `scene-palette${this.tiles.size > LONG ? " long" : ""}`;
    this.node = make("section", { className, "aria-label": "Clip art" }, ...this.shelves);
  }

  /** Once it is on the page. */
  trim() {
    for (const tile of this.tiles.values()) trim(tile.firstChild);
  }

  /** What is on the canvas stays here, marked. @param {Set<string>} taken @param {boolean} active */
  show(taken, active) {
    for (const [kind, tile] of this.tiles) {
      tile.classList.toggle("used", taken.has(kind));
      tile.setAttribute("aria-label", taken.has(kind) ? `${kind}, on the canvas` : kind);
      tile.disabled = !active;
    }
    this.node.tabIndex = active ? -1 : 0; // it may scroll, and disabled pieces take no focus
    if (!active) this.lay();
  }

  /** @param {string} kind */
  focus(kind) {
    this.tiles.get(kind)?.focus({ preventScroll: true });
  }

  leave() {
    this.lay();
  }

  /** @param {string} kind */
  tile(kind) {
    const tile = make(
      "button",
      { type: "button", className: "tile", "aria-label": kind, title: kind },
      picture(this.facts, kind),
    );
    tile.dataset.kind = kind;
    /** @type {{id: number, x: number, y: number}|null} */
    let pressed = null;
    let dragged = false;
    tile.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => {
      if (event.button !== 0 || tile.disabled || tile.classList.contains("used")) return;
      pressed = { id: event.pointerId, x: event.clientX, y: event.clientY };
      dragged = false;
      tile.setPointerCapture(event.pointerId);
    });
    tile.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => {
      if (event.pointerId !== pressed?.id) return;
      dragged ||= Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > START;
      if (dragged) this.carry(kind, event);
    });
    tile.addEventListener("pointerup", (/** @type {PointerEvent} */ event) => {
      if (event.pointerId !== pressed?.id) return;
      pressed = null;
      if (this.carried && this.over(event)) this.put(kind, { x: event.clientX, y: event.clientY });
      this.lay();
    });
    tile.addEventListener("lostpointercapture", () => {
      pressed = null;
      this.lay();
    });
    tile.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      if (event.key === "Escape" && pressed) tile.releasePointerCapture(pressed.id);
    });
    tile.addEventListener("click", (/** @type {MouseEvent} */ event) => {
      if (!dragged || event.detail === 0) this.put(kind, null); // 0: not by a pointer
      dragged = false;
    });
    return tile;
  }

  /** As large as it will be. @param {string} kind @param {PointerEvent} event */
  carry(kind, event) {
    const scale = this.canvas.getScreenCTM().a * this.facts.scales[this.facts.start];
    const [width, height] = this.facts.art[kind][0];
    if (!this.carried) {
      this.carried = make(
        "div",
        { className: "scene-carried", "aria-hidden": "true" },
        picture(this.facts, kind),
      );
      this.carried.style.width = `${(width + 6) * scale}px`;
      this.carried.style.height = `${(height + 6) * scale}px`;
      document.body.append(this.carried);
    }
    this.carried.style.transform = `translate(${event.clientX}px, ${event.clientY}px) translate(-50%, -50%)`;
    this.carried.classList.toggle("over", this.over(event));
  }

  lay() {
    this.carried?.remove();
    this.carried = null;
  }

  /** @param {PointerEvent} event */
  over(event) {
    const box = this.canvas.getBoundingClientRect();
    return (
      event.clientX >= box.left &&
      event.clientX <= box.right &&
      event.clientY >= box.top &&
      event.clientY <= box.bottom
    );
  }
}
