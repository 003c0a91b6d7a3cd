// Whether the partner is here, away or writing. Pages only tell that somebody types, never what.

import { $ } from "./dom.js";

const TELL = 2000; // milliseconds between two messages that somebody types
const LASTS = 4000; // after which somebody who typed nothing more has stopped

/** @type {ReturnType<typeof setTimeout>|undefined} */
let stopping;
let told = -TELL;
let state = "";

/** @param {"here"|"away"|"player"|""} partner */
export function showPresence(partner) {
  state = partner;
  clearTimeout(stopping);
  show(partner === "here" ? "Partner is here" : partner === "away" ? "Partner is away" : "", partner);
}

/** @param {string} text @param {string} kind */
function show(text, kind) {
  $("presence").textContent = text;
  $("presence").className = kind;
}

/** The partner types. */
export function showTyping() {
  if (state !== "here") return;
  clearTimeout(stopping);
  show("Partner is writing…", "writing");
  stopping = setTimeout(() => showPresence("here"), LASTS);
}

/** Tell the partner that this person types. @param {(message: any) => void} send */
export function tellTyping(send) {
  const now = performance.now();
  if (now - told < TELL) return;
  told = now;
  send({ do: "typing" });
}
