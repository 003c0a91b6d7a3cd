// The help of a seat: step by step for a person who plays it for the first time, then all of it beside the board.

import { make } from "./dom.js";
import { codeNote } from "./seat_code.js";

export class SeatHelp {
  /** @param {any} section @param {any} button Opens and closes it. */
  constructor(section, button) {
    this.section = section;
    this.button = button;
    /** @type {string[]} */
    this.texts = [];
    this.known = "";
    this.code = "";
    button.addEventListener("click", () => (section.hidden ? this.open() : this.close()));
  }

  /** @param {{game: string, role: string, help: string[], code: string}} hello */
  fill({ game, role, help, code }) {
    this.texts = help;
    this.code = code;
    this.known = `helped-${game}-${role}`;
  }

  /** Begin the walkthrough, unless this tab has shown it. */
  introduce() {
    if (!sessionStorage.getItem(this.known)) this.walk(0);
    sessionStorage.setItem(this.known, "1");
  }

  /** @param {number} step */
  walk(step) {
    const last = step === this.texts.length - 1;
    const next = make("button", { type: "button", className: "small primary" }, "Next");
    next.addEventListener("click", () => {
      this.walk(step + 1);
      this.section.querySelector("button.primary").focus();
    });
    const text = make("p", {}, this.texts[step]);
    text.setAttribute("aria-live", "polite");
    this.show(
      make("p", { className: "aside" }, `How to play: ${step + 1} of ${this.texts.length}`),
      text,
      make("div", { className: "row" }, last ? null : next, this.closing(last)),
    );
  }

  open() {
    this.show(
      ...this.texts.map((text) => make("p", {}, text)),
      codeNote(this.code),
      make("div", { className: "row" }, this.closing(true)),
    );
  }

  close() {
    this.section.hidden = true;
    this.button.setAttribute("aria-expanded", "false");
  }

  /** @param {boolean} primary */
  closing(primary) {
    const button = make("button", { type: "button", className: `small${primary ? " primary" : ""}` }, "Got it");
    button.addEventListener("click", () => {
      this.close();
      this.button.focus();
    });
    return button;
  }

  /** @param {...any} parts */
  show(...parts) {
    this.section.replaceChildren(...parts.filter(Boolean));
    this.section.hidden = false;
    this.button.setAttribute("aria-expanded", "true");
  }
}
