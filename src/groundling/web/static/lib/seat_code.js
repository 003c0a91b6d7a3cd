// The code by which a person can ask for their data to be deleted.

import { make } from "./dom.js";

/** @param {string} [code] */
export function codeNote(code) {
  if (!code) return null;
  return make(
    "p",
    { className: "aside seat-code" },
    "Your code for this game is ",
    make("strong", {}, code),
    ". Quote it if you have a question about your data, or want it deleted.",
  );
}
