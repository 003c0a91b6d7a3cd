// A grid of letters to fill in. Until it is submitted, the draft lies over the server's grid and is kept in
// the tab's session storage.

import { make } from "../lib/dom.js";
import { within } from "../lib/picture.js";
import { scrollElsewhere } from "../lib/touch.js";

/** @typedef {import("../play.js").Bench} Bench */

const NS = "http://www.w3.org/2000/svg";
const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
const EMPTY = ".";
const ARROWS = /** @type {Record<string, [number, number]>} */ ({
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
});

/** @param {string} tag @param {Record<string, string|number>} attributes @returns {any} */
function drawn(tag, attributes) {
  const element = document.createElementNS(NS, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  return element;
}

class Letters {
  /** @param {Bench} bench */
  constructor(bench) {
    this.bench = bench;
    this.key = `letters ${location.pathname}`;
    this.letter = sessionStorage.getItem(`${this.key} letter`) ?? "X";
    /** @type {string[]} Row by row. */
    this.cells = [];
    /** @type {string[][]} What they were before each stroke. */
    this.past = [];
    this.turn = -1;
    this.size = 0;
    this.at = 0;
    this.sending = false;
    /** @type {string|null} What is drawn while the pointer is down. */
    this.stroke = null;
    this.said = make("p", { className: "unseen", role: "status" });
    this.buttons = new Map([...LETTERS, EMPTY].map((letter) => [letter, this.letterButton(letter)]));
    this.palette = make(
      "div",
      { className: "palette letters", role: "group", "aria-label": "The letter to draw with" },
      ...this.buttons.values(),
    );
    this.back = this.button("Undo", () => this.undo());
    this.clear = this.button("Empty the grid", () => this.change(this.cells.map(() => EMPTY)));
    this.done = this.button("Done with this instruction", () => this.hand());
    this.done.classList.add("primary");
    bench.room.replaceChildren(
      this.palette,
      make("div", { className: "tools" }, this.back, this.clear, this.done),
      this.said,
    );
    this.pick(this.letter);
    this.update(bench);
  }

  /** @param {Bench} bench */
  update(bench) {
    this.bench = bench;
    const { facts, svg } = bench;
    if (facts.turn !== this.turn || !bench.active) {
      this.size = facts.cells.split("/").length;
      this.turn = facts.turn;
      this.past = [];
      this.cells = [...facts.cells.replaceAll("/", "")];
      if (bench.active) this.recall();
    }
    if (this.svg !== svg || this.tiles?.length !== this.cells.length) this.lay(svg);
    svg.setAttribute("role", "group");
    svg.classList.toggle("drawing", bench.active);
    this.show();
  }

  leave() {
    this.layer?.remove();
    this.svg?.classList.remove("drawing");
    this.listening?.abort();
  }

  /**
   * A separate layer over the grid: the server patches nodes by their position, so its own must not move.
   * @param {any} svg
   */
  lay(svg) {
    this.leave();
    this.svg = svg;
    const { left, top, cell } = this.bench.facts;
    this.layer = drawn("g", { role: "grid", "aria-label": "Your grid", class: "letters" });
    /** @type {any[]} */
    this.tiles = [];
    for (let row = 0; row < this.size; row++) {
      const line = drawn("g", { role: "row" });
      for (let column = 0; column < this.size; column++) {
        const [x, y] = [left + column * cell, top + row * cell];
        const tile = drawn("g", { role: "gridcell", tabindex: -1, class: "tile" });
        tile.append(
          drawn("rect", { x, y, width: cell, height: cell }),
          drawn("text", {
            x: x + cell / 2,
            y: y + cell * 0.72,
            "font-size": cell * 0.62,
            "text-anchor": "middle",
          }),
        );
        line.append(tile);
        this.tiles.push(tile);
      }
      this.layer.append(line);
    }
    this.ring = drawn("rect", { class: "ring", width: cell, height: cell });
    this.layer.append(this.ring);
    svg.append(this.layer);
    this.listening = new AbortController();
    const on = (/** @type {string} */ name, /** @type {(event: any) => void} */ work) =>
      svg.addEventListener(name, work, { signal: this.listening?.signal });
    scrollElsewhere(svg, (touch) => this.bench.active && this.under(touch) !== null, this.listening.signal);
    on("pointerdown", (event) => this.begin(event));
    on("pointermove", (event) => this.go(event));
    for (const end of ["pointerup", "pointercancel"]) on(end, () => (this.stroke = null));
    on("keydown", (event) => this.press(event));
  }

  show() {
    const active = this.bench.active && !this.sending;
    this.tiles?.forEach((tile, place) => {
      const letter = this.cells[place];
      const [row, column] = [Math.floor(place / this.size) + 1, (place % this.size) + 1];
      tile.classList.toggle("filled", letter !== EMPTY);
      tile.lastChild.textContent = letter === EMPTY ? "" : letter;
      tile.setAttribute("aria-label", `Row ${row}, column ${column}: ${letter === EMPTY ? "empty" : letter}`);
      tile.setAttribute("tabindex", active && place === this.at ? "0" : "-1");
    });
    const { left, top, cell } = this.bench.facts;
    this.ring.setAttribute("x", left + (this.at % this.size) * cell);
    this.ring.setAttribute("y", top + Math.floor(this.at / this.size) * cell);
    this.layer.setAttribute("aria-readonly", String(!active));
    for (const button of [...this.buttons.values(), this.done]) button.disabled = !active;
    this.clear.disabled = !active || this.cells.every((letter) => letter === EMPTY);
    this.back.disabled = !active || !this.past.length;
  }

  // What the person does

  /** @param {PointerEvent} event */
  begin(event) {
    const place = this.under(event);
    if (place === null || event.button || !this.bench.active || this.sending) return;
    event.preventDefault();
    this.svg.setPointerCapture(event.pointerId);
    this.stroke = this.cells[place] === this.letter ? EMPTY : this.letter;
    this.past.push([...this.cells]);
    this.goTo(place);
    this.fill(place, this.stroke);
  }

  /** @param {PointerEvent} event */
  go(event) {
    const place = this.stroke === null ? null : this.under(event);
    if (place !== null && this.stroke !== null && this.cells[place] !== this.stroke)
      this.fill(place, this.stroke);
  }

  /** @param {PointerEvent|Touch} event @returns {number|null} */
  under(event) {
    const { left, top, cell } = this.bench.facts;
    const { x, y } = within(this.svg, event.clientX, event.clientY);
    const [row, column] = [Math.floor((y - top) / cell), Math.floor((x - left) / cell)];
    return row >= 0 && column >= 0 && row < this.size && column < this.size ? row * this.size + column : null;
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    if (!this.bench.active || this.sending || event.altKey) return;
    const key = event.key.length === 1 ? event.key.toUpperCase() : event.key;
    if (event.ctrlKey || event.metaKey) {
      if (key !== "Z") return;
      this.undo();
    } else if (key in ARROWS) {
      const [down, right] = ARROWS[key];
      const row = Math.min(this.size - 1, Math.max(0, Math.floor(this.at / this.size) + down));
      const column = Math.min(this.size - 1, Math.max(0, (this.at % this.size) + right));
      this.goTo(row * this.size + column);
    } else if (LETTERS.includes(key)) {
      this.pick(key);
      this.put(this.at, key);
    } else if (["Backspace", "Delete", EMPTY].includes(key)) this.put(this.at, EMPTY);
    else if (key === " " || key === "Enter")
      this.put(this.at, this.cells[this.at] === this.letter ? EMPTY : this.letter);
    else return;
    event.preventDefault();
  }

  /** @param {number} place */
  goTo(place) {
    this.at = place;
    this.show();
    this.tiles?.[place].focus();
  }

  /** @param {number} place @param {string} letter */
  put(place, letter) {
    const cells = [...this.cells];
    cells[place] = letter;
    this.change(cells);
  }

  /** @param {string[]} cells */
  change(cells) {
    if (cells.join("") === this.cells.join("")) return;
    this.past.push([...this.cells]);
    this.cells = cells;
    this.touched();
  }

  /** @param {number} place @param {string} letter */
  fill(place, letter) {
    this.cells[place] = letter;
    this.touched();
  }

  undo() {
    const before = this.past.pop();
    if (!before) return;
    this.cells = before;
    this.said.textContent = "Undone";
    this.touched();
  }

  touched() {
    this.bench.changedByPerson();
    this.keep();
    this.show();
  }

  /** @param {string} letter */
  pick(letter) {
    this.letter = letter;
    sessionStorage.setItem(`${this.key} letter`, letter);
    for (const [each, button] of this.buttons) button.setAttribute("aria-pressed", String(each === letter));
  }

  hand() {
    const rows = [];
    for (let row = 0; row < this.size; row++)
      rows.push(this.cells.slice(row * this.size, (row + 1) * this.size).join(""));
    this.sending = true;
    this.show();
    const over = () => {
      this.sending = false;
      this.show();
    };
    this.bench.send([{ move: "draw", grid: { cells: rows.join("/") } }], over, over);
  }

  // State that is kept over a reload

  keep() {
    sessionStorage.setItem(
      this.key,
      JSON.stringify({ turn: this.turn, cells: this.cells, past: this.past.slice(-50) }),
    );
  }

  recall() {
    const kept = JSON.parse(sessionStorage.getItem(this.key) ?? "null");
    if (kept?.turn !== this.turn || kept.cells.length !== this.cells.length) return;
    this.cells = kept.cells;
    this.past = kept.past;
  }

  /** @param {string} label @param {() => void} work */
  button(label, work) {
    const button = make("button", { type: "button" }, label);
    button.addEventListener("click", work);
    return button;
  }

  /** @param {string} letter */
  letterButton(letter) {
    const button = this.button(letter === EMPTY ? "none" : letter, () => this.pick(letter));
    if (letter === EMPTY) button.setAttribute("aria-label", "None: empty the cells");
    return button;
  }
}

/** @param {Bench} bench */
export const open = (bench) => new Letters(bench);
