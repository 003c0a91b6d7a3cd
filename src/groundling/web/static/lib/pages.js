// Long lists, a page at a time.

import { make } from "./dom.js";

/**
 * @param {any} place
 * @param {number} total How many there are.
 * @param {number} size Of a page.
 * @param {number} start Of this one.
 * @param {(start: number) => void} go
 */
export function showPages(place, total, size, start, go) {
  const button = (/** @type {string} */ label, /** @type {number} */ to) => {
    const made = make("button", { type: "button", disabled: to < 0 || to >= total }, label);
    made.addEventListener("click", () => go(to));
    return made;
  };
  place.hidden = total <= size;
  const range = `${start + 1} to ${Math.min(total, start + size)} of ${total}`;
  place.replaceChildren(
    button("Previous page", start - size),
    make("span", {}, range),
    button("Next page", start + size),
  );
}
