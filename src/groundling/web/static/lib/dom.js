// Small helpers.

export { $, make } from "./elements.js";

/**
 * @param {string} path
 * @param {RequestInit} [options]
 * @returns {Promise<any>} The answer; throws an Error fit to be shown.
 */
export async function request(path, options) {
  const response = await fetch(path, options).catch(() => {
    throw Object.assign(new Error("the server cannot be reached: try again in a moment"), { offline: true });
  });
  const answer = await response.json().catch(() => ({ error: "the server gave no answer" }));
  if (!response.ok) throw new Error(answer.error);
  return answer;
}

/** @param {string} path @param {any} body */
export const post = (path, body) =>
  request(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });

/** As in "a drawer" and "an executor". @param {string} noun */
export const withArticle = (noun) => `${/^[aeiou]/i.test(noun) ? "an" : "a"} ${noun}`;

/** @param {string} text */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
