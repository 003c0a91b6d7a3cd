// Small helpers. What people wrote becomes text nodes, never HTML.

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
  element.append(.../** @type {(string|Node)[]} */ (inside.filter((part) => part !== null && part !== undefined && part !== false)));
  return element;
}

/** @param {string} path @param {any} body @returns {Promise<any>} The answer; throws an Error fit to be shown. */
export async function post(path, body) {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(path, { method: "POST", headers, body: JSON.stringify(body) }).catch(() => {
    throw new Error("the server cannot be reached: try again in a moment");
  });
  const found = await answer.json().catch(() => ({ error: "the server gave no answer" }));
  if (!answer.ok) throw new Error(found.error);
  return found;
}

/** @param {string} text */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
