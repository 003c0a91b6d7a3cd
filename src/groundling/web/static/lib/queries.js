// Data for a page from the server.

import { $, capital, request } from "./dom.js";
import { showProblem, showState } from "./page_state.js";

/** @param {string} path @returns {Promise<any>} The answer; throws an Error that is a sentence. */
export const get = (path) =>
  request(path).catch((/** @type {Error} */ error) => {
    throw new Error(`${capital(error.message)}.`);
  });

/**
 * Fill a page from the server whenever the query changes; drop late answers to earlier queries.
 * @param {any} place Where the page shows its state.
 */
export function asking(place) {
  let last = 0;
  showState(place, "loading", "Loading…");
  const ask = async (/** @type {string} */ path, /** @type {(answer: any) => string|void} */ show) => {
    const mine = ++last;
    try {
      const answer = await request(path);
      if (mine !== last) return;
      const nothing = show(answer);
      if (nothing) showState(place, "empty", nothing);
      else place.hidden = true;
    } catch (error) {
      if (mine === last) showProblem(place, error, () => ask(path, show));
    }
  };
  return ask;
}

/**
 * The query of a page, kept in its address, so that a person who comes back finds the same. The page has a form
 * `filter` with the field `find`.
 * @param {() => void} look Shows what the query asks for.
 */
export function pageQuery(look) {
  const asked = new URLSearchParams(location.search);
  const start = () => Math.max(0, Number.parseInt(asked.get("from") ?? "0", 10) || 0);
  const turn = (/** @type {string} */ name, /** @type {string} */ value) => {
    asked.delete("from");
    value ? asked.set(name, value) : asked.delete(name);
    history.replaceState(null, "", asked.size ? `?${asked}` : location.pathname);
    look();
  };
  $("filter").addEventListener("submit", (/** @type {Event} */ event) => event.preventDefault());
  $("find").value = asked.get("find") ?? "";
  $("find").addEventListener("input", () => turn("find", $("find").value.trim()));
  return { asked, start, turn };
}
