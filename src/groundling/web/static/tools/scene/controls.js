// What can be changed on the selected piece: by buttons and by keys.

import { capital, make } from "../../lib/dom.js";
import { picture, portrait } from "./art.js";

/**
 * @typedef {import("./art.js").Piece} Piece
 * @typedef {import("./art.js").Facts} Facts
 * @typedef {Partial<Piece> | "remove"} Change
 */

const HINT = "Drag clip art onto the canvas, or click it. Then click a piece on the canvas to change it.";
const REST = "You can draw when it is your turn.";

export class Controls {
  /** @param {Facts} facts @param {(change: Change) => void} adjust */
  constructor(facts, adjust) {
    this.facts = facts;
    this.adjust = adjust;
    /** @type {Piece|null} */
    this.piece = null;
    this.node = make("div", {
      className: "scene-controls",
      role: "group",
      "aria-label": "The selected piece",
    });
    /** @type {[any, (piece: Piece) => {pressed?: boolean, off?: boolean}][]} Buttons, and how they stand. */
    this.buttons = [];
  }

  /** @param {Piece|null} piece @param {boolean} active */
  show(piece, active) {
    if (!piece) {
      this.piece = null;
      const text = active ? HINT : REST;
      if (this.node.textContent !== text) this.node.replaceChildren(make("p", { className: "aside" }, text));
      return;
    }
    if (piece.kind !== this.piece?.kind) this.build(piece.kind);
    this.piece = piece;
    for (const [button, stand] of this.buttons) {
      const { pressed, off } = stand(piece);
      if (pressed !== undefined) button.setAttribute("aria-pressed", String(pressed));
      button.setAttribute("aria-disabled", String(Boolean(off)));
    }
  }

  /** @param {string} kind */
  build(kind) {
    const { facts } = this;
    this.buttons = [];
    const last = facts.sizes.length - 1;
    const row = make(
      "div",
      { className: "tools" },
      make("strong", {}, capital(kind)),
      this.button(
        "Smaller",
        (piece) => ({ size: Math.min(last, piece.size + 1) }),
        (piece) => ({ off: piece.size === last }),
      ),
      this.button(
        "Bigger",
        (piece) => ({ size: Math.max(0, piece.size - 1) }),
        (piece) => ({ off: piece.size === 0 }),
      ),
      this.button(
        "Flip",
        (piece) => ({ flip: !piece.flip }),
        (piece) => ({ pressed: piece.flip }),
      ),
      this.button(
        "Delete",
        () => "remove",
        () => ({}),
      ),
    );
    const pictures = facts.heads[kind]
      ? [
          this.choices("Pose", facts.poses, "pose", (number) => picture(facts, kind, number)),
          this.choices("Face", facts.expressions, "expression", (number) => portrait(facts, kind, number)),
        ]
      : [];
    this.node.replaceChildren(row, ...pictures);
  }

  /**
   * @param {string} label
   * @param {(piece: Piece) => Change} change
   * @param {(piece: Piece) => {pressed?: boolean, off?: boolean}} stand
   * @param {Node} [drawn] In place of the label.
   */
  button(label, change, stand, drawn) {
    const button = make(
      "button",
      drawn
        ? { type: "button", className: "tile", "aria-label": label, title: label }
        : { type: "button", className: "small" },
      drawn ?? label,
    );
    button.addEventListener("click", () => {
      if (this.piece && !stand(this.piece).off) this.adjust(change(this.piece));
    });
    this.buttons.push([button, stand]);
    return button;
  }

  /**
   * @param {string} title
   * @param {string[]} names
   * @param {"pose"|"expression"} what
   * @param {(number: number) => Node} draw
   */
  choices(title, names, what, draw) {
    const buttons = names.map((name, number) =>
      this.button(
        name,
        () => ({ [what]: number }),
        (piece) => ({ pressed: piece[what] === number }),
        draw(number),
      ),
    );
    return make(
      "div",
      { className: "scene-choices", role: "group", "aria-label": title },
      make("span", { className: "name" }, title),
      ...buttons,
    );
  }

  /**
   * @param {string} key
   * @param {boolean} back The other way round.
   * @param {Piece} piece
   * @returns {Change|null}
   */
  key(key, back, piece) {
    const { sizes, poses, expressions } = this.facts;
    const next = (/** @type {number|null} */ value, /** @type {string[]} */ among) =>
      ((value ?? 0) + (back ? among.length - 1 : 1)) % among.length;
    if (key === "+" || key === "=") return { size: Math.max(0, piece.size - 1) };
    if (key === "-" || key === "_") return { size: Math.min(sizes.length - 1, piece.size + 1) };
    if (key === "Delete" || key === "Backspace") return "remove";
    const letter = key.toLowerCase();
    if (letter === "f") return { flip: !piece.flip };
    if (letter === "p" && piece.pose !== null) return { pose: next(piece.pose, poses) };
    if (letter === "e" && piece.expression !== null)
      return { expression: next(piece.expression, expressions) };
    return null;
  }

  /** How a piece looks. @param {Piece|null} piece */
  words(piece) {
    if (!piece) return "";
    const { sizes, poses, expressions } = this.facts;
    const parts = [
      `${sizes[piece.size]} ${piece.kind}`,
      piece.flip && "flipped",
      piece.pose !== null && poses[piece.pose],
      piece.expression !== null && expressions[piece.expression],
    ];
    return parts.filter(Boolean).join(", ");
  }
}
