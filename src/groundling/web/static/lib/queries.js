// Data for a page from the server.

import { capital, request } from "./dom.js";

/** @param {string} path @returns {Promise<any>} The answer; throws an Error that is a sentence. */
export const get = (path) =>
  request(path).catch((/** @type {Error} */ error) => {
    throw new Error(`${capital(error.message)}.`);
  });

/**
 * Fill a page from the server whenever the query changes; drop late answers to earlier queries.
 * @param {(why: string) => void} trouble Called where there is no answer.
 */
export function asking(trouble) {
  let last = 0;
  return async (/** @type {string} */ path, /** @type {(answer: any) => void} */ show) => {
    const mine = ++last;
    try {
      const answer = await get(path);
      if (mine === last) show(answer);
    } catch (error) {
      if (mine === last) trouble(/** @type {Error} */ (error).message);
    }
  };
}
