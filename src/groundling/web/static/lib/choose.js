// Parts of a picture of which one is selected, then confirmed; and a question before what cannot be undone.

import { $ } from "./dom.js";

/** @typedef {{element: string, label: string, moves: any[], button: string}} Choice */

/** @param {any} element */
function middle(element) {
  const { left, top, width, height } = element.getBoundingClientRect();
  return [left + width / 2, top + height / 2];
}

/**
 * Where an arrow key leads: right and left go through all elements in their order, up and down to the nearest
 * one there, where what lies aside counts twice.
 * @param {any[]} elements @param {any} from @param {string} key
 */
function nextByKey(elements, from, key) {
  const side = { ArrowRight: 1, ArrowLeft: -1 }[key];
  if (side) return elements.at((elements.indexOf(from) + side) % elements.length);
  const [x, y] = middle(from);
  const far = (/** @type {any} */ element) => {
    const [left, top] = middle(element);
    const ahead = key === "ArrowDown" ? top - y : y - top;
    return ahead > 4 ? ahead + 2 * Math.abs(left - x) : Infinity;
  };
  const [best] = elements.toSorted((one, other) => far(one) - far(other));
  return far(best) < Infinity ? best : from;
}

/**
 * Let a person select one of the choices; the button `pick-button` then sends its moves.
 * @param {Map<string, any>} pictures By the names of their panels; what can be chosen is in `work`.
 * @param {Choice[]} choices
 * @param {(moves: any[], undo: () => void) => void} send
 */
export function offer(pictures, choices, send) {
  const kept = $("pick").dataset.element;
  for (const svg of pictures.values()) {
    for (const old of svg.querySelectorAll(".choice")) {
      old.classList.remove("choice");
      for (const name of ["tabindex", "role", "aria-label", "aria-checked"]) old.removeAttribute(name);
      old.onclick = old.onkeydown = null;
    }
  }
  const svg = pictures.get("work");
  /** @type {Map<any, Choice>} */
  const found = new Map();
  for (const each of choices) {
    const element = svg?.querySelector(`#${CSS.escape(each.element)}`);
    if (element) found.set(element, each);
  }
  $("pick").hidden = !found.size;
  if (!found.size) return;
  svg.setAttribute("role", "radiogroup"); // what is in a mere image is not read aloud
  const elements = [...found.keys()];
  const select = (/** @type {any} */ chosen) => {
    for (const element of elements) {
      element.setAttribute("aria-checked", String(element === chosen));
      element.setAttribute("tabindex", element === (chosen ?? elements[0]) ? "0" : "-1");
    }
    $("pick").dataset.element = chosen?.id ?? "";
    $("pick-button").disabled = !chosen;
    $("pick-button").textContent = found.get(chosen)?.button ?? "Select one first";
    $("pick-button").onclick = () => {
      $("pick-button").disabled = true; // a second click sends nothing
      send(found.get(chosen)?.moves ?? [], () => ($("pick-button").disabled = false));
    };
  };
  for (const [element, { label }] of found) {
    element.classList.add("choice");
    element.setAttribute("role", "radio");
    element.setAttribute("aria-label", label);
    element.onclick = () => select(element);
    element.onkeydown = (/** @type {KeyboardEvent} */ event) => {
      const moves = event.key.startsWith("Arrow");
      if (!moves && event.key !== " " && event.key !== "Enter") return;
      event.preventDefault();
      const next = moves ? nextByKey(elements, element, event.key) : element;
      select(next);
      next.focus();
    };
  }
  select(elements.find((element) => element.id === kept));
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
