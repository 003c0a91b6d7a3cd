// Long lists, a page at a time.

import { make } from "./dom.js";

/**
 * @param {any} place
 * @param {number} found How many there are.
 * @param {number} size Of a page.
 * @param {number} start Of this one.
 * @param {(start: number) => void} go
 */
export function showPages(place, found, size, start, go) {
  const button = (/** @type {string} */ label, /** @type {number} */ to) => {
    const made = make("button", { type: "button", disabled: to < 0 || to >= found }, label);
    made.addEventListener("click", () => go(to));
    return made;
  };
  place.hidden = found <= size;
  const told = `${start + 1} to ${Math.min(found, start + size)} of ${found}`;
  place.replaceChildren(
    button("Previous page", start - size),
    make("span", {}, told),
    button("Next page", start + size),
  );
}
