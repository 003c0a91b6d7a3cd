// Parts of a picture that can be chosen, and a question before what cannot be undone.

import { $ } from "./dom.js";

/**
 * @param {Map<string, any>} pictures By the names of their panels; what can be chosen is in `work`.
 * @param {{element: string, label: string, moves: any[]}[]} choices
 * @param {(moves: any[]) => void} send
 */
export function offer(pictures, choices, send) {
  for (const svg of pictures.values()) {
    for (const old of svg.querySelectorAll(".choice")) {
      old.classList.remove("choice");
      for (const name of ["tabindex", "role", "aria-label"]) old.removeAttribute(name);
      old.onclick = old.onkeydown = null;
    }
  }
  const svg = pictures.get("work");
  // What is in a mere image is not read aloud.
  if (choices.length) svg?.setAttribute("role", "group");
  for (const each of choices) {
    const element = svg?.querySelector(`#${CSS.escape(each.element)}`);
    if (!element) continue;
    element.classList.add("choice");
    element.setAttribute("tabindex", "0");
    element.setAttribute("role", "button");
    element.setAttribute("aria-label", each.label);
    element.onclick = () => send(each.moves);
    element.onkeydown = (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      send(each.moves);
    };
  }
}

/** @param {string} text @returns {Promise<boolean>} */
export function sure(text) {
  $("confirm-text").textContent = text;
  $("confirm").showModal();
  return new Promise((resolve) => {
    $("confirm").onclose = () => resolve($("confirm").returnValue === "yes");
    $("confirm").returnValue = "";
    $("confirm-yes").onclick = () => $("confirm").close("yes");
    $("confirm-no").onclick = () => $("confirm").close();
  });
}
