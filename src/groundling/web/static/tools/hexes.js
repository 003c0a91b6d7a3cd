// A board of hexagons to paint on. Strokes show at once and are sent; refused ones are undone.

import { make } from "../lib/dom.js";
import { drawn } from "../lib/picture.js";
import { scrollElsewhere } from "../lib/touch.js";

/**
 * @typedef {import("../play.js").Bench} Bench
 * @typedef {{name: string, letter: string, fill: string, ink: string, edge: string}} Colour
 * @typedef {Map<string, number>} Paints Colours by their numbers, by the tiles that get them.
 */

/** Between two messages, in milliseconds. */
const PAUSE = 80;
const ARROWS = /** @type {Record<string, [number, number]>} */ ({
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  Home: [0, -99],
  End: [0, 99],
  PageUp: [-99, 0],
  PageDown: [99, 0],
});

class Hexes {
  /** @param {Bench} bench */
  constructor(bench) {
    this.bench = bench;
    /** @type {Colour[]} */
    this.colours = bench.facts.palette;
    this.key = `hexes ${location.pathname}`;
    this.colour = Number(sessionStorage.getItem(this.key) ?? 1);
    this.at = "1,1";
    this.step = bench.facts.step;
    /** @type {Map<string, any>} */
    this.tiles = new Map();
    /** @type {Paints[]} What was sent and not answered yet. */
    this.sent = [];
    /** @type {Paints} What is to be sent next. */
    this.waiting = new Map();
    /** @type {Paints[]} For each stroke, what its tiles were before. */
    this.strokes = [];
    /** @type {Paints|null} The stroke while the pointer is down. */
    this.stroke = null;
    this.last = { x: 0, y: 0 };
    this.sentAt = -PAUSE;
    /** @type {Paints|null} Of which stroke that is. */
    this.owner = null;
    /** @type {ReturnType<typeof setTimeout>|undefined} */
    this.timer = undefined;
    this.said = make("p", { className: "unseen", role: "status" });
    this.choices = this.colours.map((_, number) => this.choice(number));
    this.palette = make(
      "fieldset",
      { className: "options colours" },
      make("legend", {}, "Colour"),
      ...this.choices.map((choice) => choice.parentElement),
    );
    this.back = make("button", { type: "button" }, "Undo stroke");
    this.back.addEventListener("click", () => this.undo());
    this.palette.append(this.back);
    bench.room.replaceChildren(this.palette, this.said);
    this.listening = new AbortController();
    const whole = { capture: true, signal: this.listening.signal };
    document.addEventListener("click", () => this.flush(), whole); // before a button ends the step
    this.palette.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => this.choose(event));
    this.pick(this.colour);
    this.update(bench);
  }

  /** @param {Bench} bench */
  update(bench) {
    this.bench = bench;
    if (bench.facts.step !== this.step) {
      this.step = bench.facts.step;
      this.strokes = [];
    }
    if (bench.svg !== this.svg) this.lay(bench.svg);
    this.svg.classList.toggle("drawing", bench.active);
    if (!bench.active) this.stroke = null;
    this.palette.disabled = !bench.active;
    this.show(this.tiles.keys());
  }

  leave() {
    clearTimeout(this.timer);
    this.listening.abort();
    this.svg?.classList.remove("drawing");
    this.cursor?.remove();
  }

  /**
   * The server patches nodes by their position, so existing nodes stay and new ones are appended.
   * @param {any} svg
   */
  lay(svg) {
    this.svg = svg;
    const title = svg.querySelector("title"); // would come up wherever the pointer rests
    svg.setAttribute("role", "group");
    svg.setAttribute("aria-label", title.textContent);
    title.textContent = "";
    this.tiles = new Map([...svg.querySelectorAll("[data-tile]")].map((tile) => [tile.dataset.tile, tile]));
    for (const tile of this.tiles.values()) {
      tile.setAttribute("role", "button");
      tile.setAttribute("tabindex", tile.dataset.tile === this.at ? "0" : "-1");
    }
    this.cursor = drawn("g", { fill: "none", "pointer-events": "none", visibility: "hidden" });
    this.cursor.append(
      drawn("polygon", { stroke: "#ffffff", "stroke-width": 6 }),
      drawn("polygon", { stroke: "#1c2430", "stroke-width": 3 }),
    );
    svg.append(this.cursor);
    const on = (/** @type {string} */ name, /** @type {(event: any) => void} */ work) =>
      svg.addEventListener(name, work);
    scrollElsewhere(svg, ({ clientX, clientY }) => this.bench.active && !!this.under(clientX, clientY));
    on("pointerdown", (event) => this.begin(event));
    on("pointermove", (event) => this.go(event));
    for (const end of ["pointerup", "pointercancel"]) on(end, () => this.end());
    on("keydown", (event) => this.press(event));
    on(
      "click",
      (event) => event.detail === 0 && this.dab(event.target.closest("[data-tile]")?.dataset.tile ?? this.at),
    ); // by a screen reader
    on("focusin", (event) => this.rove(event.target.closest("[data-tile]")?.dataset.tile ?? this.at));
    on("focusout", () => this.point());
  }

  // What the board looks like

  /** The colour that a tile has, or will have if nothing is refused. @param {string} tile */
  now(tile) {
    for (const paints of [this.waiting, ...this.sent.toReversed()])
      if (paints.has(tile)) return Number(paints.get(tile));
    return Number(this.tiles.get(tile).dataset.colour);
  }

  /** @param {Iterable<string>} tiles */
  show(tiles) {
    for (const name of tiles) {
      const tile = this.tiles.get(name);
      const [row, column] = name.split(",");
      const colour = this.colours[this.now(name)];
      const label = `row ${row}, column ${column}, ${colour.name}`;
      const [shape, letter] = tile.children;
      shape.setAttribute("fill", colour.fill);
      shape.setAttribute("stroke", colour.edge);
      letter.setAttribute("fill", colour.ink);
      letter.firstChild.data = colour.letter;
      if (tile.getAttribute("aria-label") !== label) tile.setAttribute("aria-label", label);
      tile.setAttribute("aria-disabled", String(!this.bench.active));
    }
    this.back.disabled = !this.bench.active || !this.strokes.length;
  }

  /** Marks the tile that the keyboard is at. */
  point() {
    const tile = this.tiles.get(this.at);
    const seen = tile.matches(":focus-visible");
    this.cursor.setAttribute("visibility", seen ? "visible" : "hidden");
    for (const line of this.cursor.children)
      line.setAttribute("points", tile.firstElementChild.getAttribute("points"));
  }

  // With the pointer

  /** @param {PointerEvent} event */
  begin(event) {
    const tile = this.under(event.clientX, event.clientY);
    if (!tile || event.button || !event.isPrimary || !this.bench.active) return;
    event.preventDefault();
    this.svg.setPointerCapture(event.pointerId);
    this.goTo(tile, true);
    this.stroke = new Map();
    this.last = { x: event.clientX, y: event.clientY };
    this.paint(tile, this.colour, this.stroke);
  }

  /**
   * Also paint the tiles between two pointer events: fast movements send few of them.
   * @param {PointerEvent} event
   */
  go(event) {
    if (!this.stroke || !event.isPrimary) return;
    const from = this.last;
    this.last = { x: event.clientX, y: event.clientY };
    const [right, down] = [this.last.x - from.x, this.last.y - from.y];
    const steps = Math.max(1, Math.ceil(Math.hypot(right, down) / 6));
    for (let step = 1; step <= steps; step++) {
      const tile = this.under(from.x + (right * step) / steps, from.y + (down * step) / steps);
      if (tile) this.paint(tile, this.colour, this.stroke);
    }
  }

  end() {
    if (!this.stroke) return;
    this.stroke = null;
    this.flush();
  }

  /** @param {number} x @param {number} y @returns {string|undefined} */
  under(x, y) {
    const tile = /** @type {any} */ (document.elementFromPoint(x, y)?.closest("[data-tile]"));
    return tile?.ownerSVGElement === this.svg ? tile.dataset.tile : undefined;
  }

  // With the keyboard

  /** @param {KeyboardEvent} event */
  press(event) {
    if (event.key in ARROWS && !event.ctrlKey && !event.metaKey && !event.altKey) {
      const [down, right] = ARROWS[event.key];
      const [row, column] = this.at.split(",").map(Number);
      const { rows, columns } = this.tiles.get(this.at).parentElement.dataset;
      this.goTo(
        `${Math.min(rows, Math.max(1, row + down))},${Math.min(columns, Math.max(1, column + right))}`,
      );
      event.preventDefault();
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      if (!event.repeat) this.dab(this.at);
    } else this.choose(event);
  }

  /** One tile, and say so. @param {string} tile */
  dab(tile) {
    if (!this.bench.active) return;
    this.paint(tile, this.colour, new Map());
    this.said.textContent = this.tiles.get(tile).getAttribute("aria-label");
  }

  /** A colour by its number or letter. @param {KeyboardEvent} event */
  choose(event) {
    if (!this.bench.active || event.altKey) return;
    const key = event.key.toUpperCase();
    if (event.ctrlKey || event.metaKey) {
      if (key !== "Z" || event.shiftKey) return;
      this.undo();
    } else {
      const number =
        key === "W"
          ? 0
          : /^[1-8]$/.test(key)
            ? Number(key) - 1
            : this.colours.findIndex((colour) => colour.letter === key);
      if (number < 0) return;
      this.pick(number);
      this.said.textContent = this.colours[number].name;
    }
    event.preventDefault();
  }

  /** @param {string} tile @param {boolean} [still] The page does not scroll there. */
  goTo(tile, still = false) {
    this.rove(tile);
    this.tiles.get(tile).focus({ preventScroll: still });
  }

  /** @param {string} tile */
  rove(tile) {
    this.tiles.get(this.at).setAttribute("tabindex", "-1");
    this.at = tile;
    this.tiles.get(tile).setAttribute("tabindex", "0");
    this.point();
  }

  // Painting

  /** @param {string} tile @param {number} colour @param {Paints} stroke */
  paint(tile, colour, stroke) {
    const before = this.now(tile);
    if (before === colour) return;
    if (!stroke.size) this.strokes.push(stroke);
    if (!stroke.has(tile)) stroke.set(tile, before);
    this.owner = stroke;
    this.put(new Map([[tile, colour]]));
  }

  /** As it was before the last stroke. */
  undo() {
    const stroke = this.strokes.pop();
    if (!stroke || !this.bench.active) return;
    this.flush();
    this.stroke = this.owner = null;
    this.put(stroke);
    this.flush();
    this.said.textContent = "Undone";
    if (this.back.disabled && document.activeElement === this.back) this.tiles.get(this.at).focus();
  }

  /** @param {Paints} paints */
  put(paints) {
    for (const [tile, colour] of paints) this.waiting.set(tile, colour);
    this.bench.changedByPerson();
    this.show(paints.keys());
    const left = this.sentAt + PAUSE - performance.now();
    if (left <= 0) return this.flush();
    this.timer ??= setTimeout(() => this.flush(), left);
  }

  flush() {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (!this.waiting.size) return;
    const paints = this.waiting;
    const stroke = this.owner;
    this.waiting = new Map();
    this.sent.push(paints);
    this.sentAt = performance.now();
    const answered = () => {
      this.sent.splice(this.sent.indexOf(paints), 1);
      if (this.bench.alone)
        for (const [tile, colour] of paints) this.tiles.get(tile).dataset.colour = String(colour);
    };
    const refused = () => {
      answered();
      for (const tile of paints.keys()) stroke?.delete(tile);
      this.strokes = this.strokes.filter((each) => each.size);
      this.show(paints.keys());
      this.said.textContent = "Taken back";
    };
    const moves = [...paints].map(([tile, colour]) => {
      const [row, column] = tile.split(",").map(Number);
      return { move: "paint", row, column, colour: this.colours[colour].name };
    });
    this.bench.send(moves, refused, answered);
  }

  // The palette

  /** @param {number} number */
  pick(number) {
    this.colour = number;
    sessionStorage.setItem(this.key, String(number));
    this.choices[number].checked = true;
  }

  /** @param {number} number @returns {any} */
  choice(number) {
    const { name, letter, fill, ink, edge } = this.colours[number];
    const choice = make("input", { type: "radio", name: "colour", value: name });
    choice.addEventListener("change", () => this.pick(number));
    const tile = drawn("svg", { viewBox: "-11 -10 22 20", width: 26, height: 24, "aria-hidden": "true" });
    const sign = drawn("text", { y: 4.5, "font-size": 12, "text-anchor": "middle", fill: ink });
    sign.textContent = letter;
    tile.append(
      drawn("polygon", { points: "-10,0 -5,-8.7 5,-8.7 10,0 5,8.7 -5,8.7", fill, stroke: edge }),
      sign,
    );
    make("label", {}, choice, tile, make("kbd", { "aria-hidden": "true" }, String(number + 1)), name);
    return choice;
  }
}

/** @param {Bench} bench */
export const open = (bench) => new Hexes(bench);
