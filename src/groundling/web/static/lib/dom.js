// Small helpers.

export { $, make } from "./elements.js";

/**
 * @param {string} path
 * @param {any} body
 * @returns {Promise<any>} The answer; throws an Error fit to be shown.
 */
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
