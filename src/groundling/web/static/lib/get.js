// Asking the server.

import { capital } from "./dom.js";

/** @param {string} path @returns {Promise<any>} The answer; throws an Error fit to be shown. */
export async function get(path) {
  const answer = await fetch(path).catch(() => {
    throw new Error("The server cannot be reached. Try again in a moment.");
  });
  const found = await answer.json().catch(() => ({ error: "the server gave no answer" }));
  if (!answer.ok) throw new Error(`${capital(found.error)}.`);
  return found;
}

/**
 * Fill a page from the server whenever the query changes; drop late answers to earlier queries.
 * @param {(why: string) => void} trouble Told where there is no answer.
 */
export function asking(trouble) {
  let last = 0;
  return async (/** @type {string} */ path, /** @type {(found: any) => void} */ show) => {
    const mine = ++last;
    try {
      const found = await get(path);
      if (mine === last) show(found);
    } catch (error) {
      if (mine === last) trouble(/** @type {Error} */ (error).message);
    }
  };
}
