// Helpers to make DOM elements. Text of players becomes text nodes, never HTML.

/** @param {string} id @returns {any} */
export const $ = (id) => document.getElementById(id);

/**
 * @param {string} tag
 * @param {Record<string, any>} [properties] Set on the element; names with a dash are attributes.
 * @param {...(string|Node|null|undefined|false)} inside
 * @returns {any}
 */
export function make(tag, properties = {}, ...inside) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.includes("-") || name === "role") element.setAttribute(name, value);
    else /** @type {any} */ (element)[name] = value;
  }
  const parts = inside.filter((part) => part !== null && part !== undefined && part !== false);
  element.append(.../** @type {(string|Node)[]} */ (parts));
  return element;
}

/** @param {any} element @param {boolean} here */
export const mark = (element, here) =>
  here ? element.setAttribute("aria-current", "true") : element.removeAttribute("aria-current");

/** @param {number|null} value */
export const number = (value) => (value === null ? "—" : String(Math.round(value * 1000) / 1000));
