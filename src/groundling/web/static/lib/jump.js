// To an episode by its number.

import { make } from "./dom.js";
import { get } from "./queries.js";

/**
 * A field for the number, and a button that goes there.
 * @param {string} run Its address.
 * @param {number} of How many episodes it has.
 * @param {(why: string) => void} trouble
 */
export function jump(run, of, trouble) {
  const field = make("input", {
    type: "text",
    inputMode: "numeric",
    className: "short",
    placeholder: `1 to ${of}`,
    autocomplete: "off",
  });
  const form = make(
    "form",
    { className: "row" },
    make("label", {}, "Number ", field),
    make("button", { type: "submit" }, "Go"),
  );
  form.addEventListener("submit", async (/** @type {Event} */ event) => {
    event.preventDefault();
    const wanted = /^\d{1,9}$/.test(field.value.trim()) ? Number(field.value) : 0;
    if (wanted < 1 || wanted > of) return trouble(`Give a number from 1 to ${of}.`);
    try {
      const { rows } = await get(`${run}episodes.json?from=${wanted - 1}`);
      location.assign(`${run}${encodeURIComponent(rows[0][1])}/replay`);
    } catch (error) {
      trouble(/** @type {Error} */ (error).message);
    }
  });
  return form;
}
