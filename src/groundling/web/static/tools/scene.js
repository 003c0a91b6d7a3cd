// A canvas of clip art. Every change shows at once and is sent to the server, whose drawing then replaces it;
// a refused change is undone. Only attributes of the server's drawing are changed here: new pieces lie on a
// sheet above it.

import { make } from "../lib/dom.js";
import { within } from "../lib/picture.js";
import { scrollElsewhere } from "../lib/touch.js";
import { extent, frame, group, placed, sameFigure, sheet, readPiece } from "./scene/art.js";
import { Controls } from "./scene/controls.js";
import { Palette } from "./scene/palette.js";

/**
 * @typedef {import("../play.js").Bench} Bench
 * @typedef {import("./scene/art.js").Piece} Piece
 * @typedef {{piece: Piece|null, waiting: number}} Wanted A piece as the person wants it, or removed, until
 *   the server has confirmed it.
 */

const STEP = 2;
const LEAP = 20;
const PAUSE = 300; // milliseconds after which a piece that was nudged counts as moved
const NEAR = 14; // pixels around a piece that still hit it, for fingers

class Tool {
  /** @param {Bench} bench */
  constructor(bench) {
    this.bench = bench;
    /** @type {import("./scene/art.js").Facts} */
    this.facts = bench.facts;
    /** @type {any} */
    this.svg = null;
    this.sheet = sheet(this.facts);
    /** @type {Map<string, Wanted>} */
    this.wanted = new Map();
    /** @type {Piece|null} Being moved, and not sent to the server yet. */
    this.loose = null;
    /**
     * @type {{id: number, x: number, y: number}|null} The pointer that moves it, and how far from its middle
     *   it holds it.
     */
    this.grip = null;
    /** @type {string|null} */
    this.selected = null;
    /** @type {string|null} What the keyboard goes to as soon as it is there. */
    this.next = null;
    this.focused = false;
    this.news = make("p", { className: "unseen", role: "status" });
    this.palette = new Palette(this.facts, (kind, place) => this.put(kind, place));
    this.controls = new Controls(this.facts, (change) => this.adjust(change));
    bench.room.replaceChildren(this.palette.node, this.controls.node, this.news);
    this.palette.trim();
    this.listeners = new AbortController();
    const { signal } = this.listeners;
    document.addEventListener("pointerdown", () => this.settle(), { capture: true, signal });
    this.update(bench);
  }

  /** @param {Bench} bench */
  update(bench) {
    if (this.bench.active && !bench.active) this.drop();
    this.bench = bench;
    if (bench.svg !== this.svg) this.attach(bench.svg);
    bench.svg.classList.toggle("drawing", bench.active);
    bench.svg.setAttribute("role", bench.active ? "application" : "group");
    this.render();
    this.refocus();
  }

  leave() {
    clearTimeout(this.timer);
    this.listeners.abort();
    this.palette.leave();
    this.sheet.remove();
  }

  /** @param {any} svg */
  attach(svg) {
    this.svg = svg;
    this.loose = this.grip = null;
    svg.after(this.sheet);
    this.palette.canvas = svg;
    scrollElsewhere(svg, (touch) => this.bench.active && this.hit(touch) !== null);
    svg.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => this.grab(event));
    svg.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => this.pull(event));
    svg.addEventListener("pointerup", (/** @type {PointerEvent} */ event) => this.release(event));
    svg.addEventListener("pointercancel", () => this.drop());
    svg.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => this.key(event));
    svg.addEventListener("focusin", (/** @type {any} */ event) => {
      this.focused = true;
      this.select(event.target.dataset.kind ?? null);
    });
    svg.addEventListener("focusout", () => {
      if (!this.grip) this.settle();
      // Later, as a piece also loses the focus when the server's drawing of it is replaced: see refocus.
      queueMicrotask(() => (this.focused = svg.contains(document.activeElement)));
    });
  }

  // What is there -------------------------------------------------------------------------------------------

  /** @returns {any[]} The server's pieces. */
  groups() {
    return [...this.svg.querySelectorAll("[data-kind]")];
  }

  /** As the person sees it. @param {string} kind @returns {Piece|null} */
  piece(kind) {
    if (this.loose?.kind === kind) return this.loose;
    const wanted = this.wanted.get(kind);
    if (wanted) return wanted.piece;
    const group = this.groups().find((each) => each.dataset.kind === kind);
    return group ? readPiece(group) : null;
  }

  /** @returns {Piece[]} */
  pieces() {
    const kinds = new Set([...this.groups().map((each) => each.dataset.kind), ...this.wanted.keys()]);
    return /** @type {Piece[]} */ ([...kinds].map((kind) => this.piece(kind)).filter(Boolean));
  }

  render() {
    const { facts } = this;
    const drawn = new Map(this.groups().map((each) => [each.dataset.kind, each]));
    const pieces = this.pieces();
    const there = new Set(pieces.map((piece) => piece.kind));
    for (const [kind, each] of drawn) {
      const piece = this.piece(kind);
      if (piece) each.setAttribute("transform", placed(facts, piece));
      if (piece && sameFigure(piece, readPiece(each))) each.removeAttribute("opacity");
      else each.setAttribute("opacity", "0"); // and not hidden, which would take the focus away from it
      each.setAttribute("tabindex", this.bench.active && piece ? "0" : "-1");
      each.setAttribute("role", this.bench.active ? "button" : "img");
    }
    const changed = pieces.filter(
      (piece) => !drawn.has(piece.kind) || !sameFigure(piece, readPiece(drawn.get(piece.kind))),
    );
    if (this.selected && !there.has(this.selected)) this.selected = null;
    const selected = this.bench.active && this.selected ? this.piece(this.selected) : null;
    const copies = new Map(changed.map((piece) => [piece.kind, group(facts, piece)]));
    this.sheet.replaceChildren(...copies.values());
    if (selected)
      this.sheet.append(frame(facts, selected, copies.get(selected.kind) ?? drawn.get(selected.kind)));
    this.palette.show(there, this.bench.active);
    this.controls.show(selected, this.bench.active);
  }

  /** Where the server's drawing was changed, the piece that had the focus may be another node now. */
  refocus() {
    const kind =
      this.next ?? (this.focused && !this.svg.contains(document.activeElement) ? this.selected : null);
    const group = kind && this.groups().find((each) => each.dataset.kind === kind);
    if (!group) return;
    this.next = null;
    group.focus({ preventScroll: true });
    this.news.textContent = group.getAttribute("aria-label");
  }

  /** @param {string|null} kind */
  select(kind) {
    if (kind === this.selected) return;
    this.settle();
    this.selected = kind;
    this.render();
  }

  // What is done --------------------------------------------------------------------------------------------

  /** @param {string} kind @param {Piece|null} piece @param {any} move */
  change(kind, piece, move) {
    const wanted = this.wanted.get(kind) ?? { piece, waiting: 0 };
    wanted.piece = piece;
    wanted.waiting += 1;
    this.wanted.set(kind, wanted);
    const mine = () => this.wanted.get(kind) === wanted;
    const undo = () => {
      if (mine()) this.wanted.delete(kind);
      this.render();
    };
    const done = () => {
      wanted.waiting -= 1;
      if (mine() && !wanted.waiting) this.wanted.delete(kind);
    };
    this.bench.send([move], undo, done);
    this.render();
  }

  /**
   * @param {string} kind
   * @param {{x: number, y: number}|null} place In pixels of the screen; none: in the middle.
   */
  put(kind, place) {
    if (!this.bench.active) return;
    this.settle();
    if (this.piece(kind)) {
      this.next = kind;
      this.select(kind);
      return this.refocus();
    }
    const { facts } = this;
    const person = facts.art[kind].length > 1;
    const { x, y } = place ? this.inside(within(this.svg, place.x, place.y)) : this.middle();
    /** @type {Piece} */
    const piece = {
      kind,
      x,
      y,
      size: facts.start,
      flip: false,
      pose: person ? 0 : null,
      expression: person ? facts.smile : null,
    };
    this.selected = this.next = kind;
    this.change(kind, piece, { move: "put", piece });
  }

  /** The middle of the canvas, or where there is room beside it. */
  middle() {
    let [x, y] = this.facts.size.map((side) => side / 2);
    const taken = () => this.pieces().some((piece) => Math.hypot(piece.x - x, piece.y - y) < 12);
    while (taken() && x < this.facts.size[0] - 40) [x, y] = [x + 24, y + 12];
    return { x, y };
  }

  /** @param {{x: number, y: number}} place */
  inside({ x, y }) {
    const [width, height] = this.facts.size;
    return {
      x: Math.round(Math.min(Math.max(x, 0), width)),
      y: Math.round(Math.min(Math.max(y, 0), height)),
    };
  }

  /** What the controls say, or the keys. @param {Partial<Piece> | "remove"} change */
  adjust(change) {
    this.settle();
    const kind = this.selected;
    const piece = kind && this.piece(kind);
    if (!kind || !piece || !this.bench.active) return;
    if (change === "remove") {
      this.change(kind, null, { move: "remove", kind });
      this.palette.focus(kind);
      this.news.textContent = `${kind} taken away`;
      return;
    }
    const [name] = /** @type {("size"|"flip"|"pose"|"expression")[]} */ (Object.keys(change));
    if (change[name] === piece[name]) return;
    const move = { size: "resize", flip: "flip", pose: "pose", expression: "expression" }[name];
    this.change(kind, { ...piece, ...change }, { move, kind, [name]: change[name] });
    this.news.textContent = this.controls.words(this.piece(kind));
  }

  /** The loose piece stays where it is now. */
  settle() {
    clearTimeout(this.timer);
    const piece = this.loose;
    this.loose = this.grip = null;
    if (!piece) return;
    const before = this.piece(piece.kind);
    if (!before || (before.x === piece.x && before.y === piece.y)) return this.render();
    this.change(piece.kind, piece, { move: "move", kind: piece.kind, x: piece.x, y: piece.y });
  }

  /** The loose piece goes back. */
  drop() {
    clearTimeout(this.timer);
    this.loose = this.grip = null;
    this.render();
  }

  // Hands ---------------------------------------------------------------------------------------------------

  /**
   * The piece under a pointer, or else the smallest one close to it.
   * @param {PointerEvent|Touch} event
   * @returns {string|null}
   */
  hit(event) {
    const group = /** @type {any} */ (event.target).closest?.("[data-kind]");
    if (group && this.piece(group.dataset.kind)) return group.dataset.kind;
    const at = within(this.svg, event.clientX, event.clientY);
    const near = NEAR / this.svg.getScreenCTM().a;
    const close = this.pieces()
      .map((piece) => ({ piece, ...extent(this.facts, piece) }))
      .filter(
        ({ piece, width, height }) =>
          Math.abs(piece.x - at.x) < width / 2 + near && Math.abs(piece.y - at.y) < height / 2 + near,
      )
      .sort((one, other) => one.width * one.height - other.width * other.height);
    return close[0]?.piece.kind ?? null;
  }

  /** @param {PointerEvent} event */
  grab(event) {
    if (!this.bench.active || event.button !== 0 || this.grip) return;
    event.preventDefault();
    this.bench.changedByPerson();
    const kind = this.hit(event);
    this.select(kind);
    const piece = kind && this.piece(kind);
    if (!piece) return;
    this.groups()
      .find((each) => each.dataset.kind === kind)
      ?.focus({ preventScroll: true });
    const at = within(this.svg, event.clientX, event.clientY);
    this.grip = { id: event.pointerId, x: piece.x - at.x, y: piece.y - at.y };
    this.loose = piece;
    this.svg.setPointerCapture(event.pointerId);
  }

  /** @param {PointerEvent} event */
  pull(event) {
    if (!this.grip || !this.loose || event.pointerId !== this.grip.id) return;
    const at = within(this.svg, event.clientX, event.clientY);
    this.loose = { ...this.loose, ...this.inside({ x: at.x + this.grip.x, y: at.y + this.grip.y }) };
    this.render();
  }

  /** @param {PointerEvent} event */
  release(event) {
    if (this.grip && event.pointerId === this.grip.id) this.settle();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const piece = this.selected && this.piece(this.selected);
    if (!piece || !this.bench.active || event.ctrlKey || event.metaKey || event.altKey) return;
    const [across, down] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[
      event.key
    ] ?? [0, 0];
    if (across || down) {
      const step = event.shiftKey ? LEAP : STEP;
      this.bench.changedByPerson();
      this.loose = { ...piece, ...this.inside({ x: piece.x + step * across, y: piece.y + step * down }) };
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.settle(), PAUSE);
      this.render();
    } else if (event.key === "Escape") this.drop();
    else {
      const change = this.controls.key(event.key, event.shiftKey, piece);
      if (!change) return;
      if (!event.repeat) this.adjust(change);
    }
    event.preventDefault();
  }
}

/** @param {Bench} bench */
export const open = (bench) => new Tool(bench);
