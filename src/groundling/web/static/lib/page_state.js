// What a page shows in place of its content: it loads, there is nothing, something went wrong, no connection.

import { capital, make } from "./dom.js";

/** @typedef {"loading"|"empty"|"error"|"offline"} StateKind */

/**
 * @param {any} place
 * @param {StateKind} kind
 * @param {string} title
 * @param {...any} more Elements below it, such as a button that helps.
 */
export function showState(place, kind, title, ...more) {
  const dots = make("span", { className: "dots", "aria-hidden": "true" }, ...[1, 2, 3].map(() => make("i")));
  place.classList.remove("loading", "empty", "error", "offline");
  place.classList.add("state", kind);
  place.setAttribute("role", kind === "error" || kind === "offline" ? "alert" : "status");
  place.replaceChildren(...(kind === "loading" ? [dots] : []), make("p", { className: "title" }, title), ...more);
  place.hidden = false;
}

/**
 * Show a problem and a button to try again, which happens by itself once the browser is online.
 * @param {any} place
 * @param {any} error
 * @param {() => void} retry
 */
export function showProblem(place, error, retry) {
  const again = make("button", { type: "button" }, "Try again");
  const leaving = new AbortController();
  const once = () => {
    leaving.abort();
    retry();
  };
  again.addEventListener("click", once);
  if (!error.offline) return showState(place, "error", `${capital(error.message)}.`, again);
  addEventListener("online", once, { signal: leaving.signal });
  return showState(place, "offline", offlineText(), make("p", {}, "Nothing is lost."), again);
}

/**
 * Say so where the browser blocks cookies, without which a seat cannot be kept.
 * @param {any} place
 * @returns {boolean} Whether it does.
 */
export function showBlockedCookies(place) {
  try {
    if (navigator.cookieEnabled && sessionStorage) return false; // denied together with cookies
  } catch {}
  const advice = "This site needs one to recognise you. Allow cookies for it, then load this page again.";
  showState(place, "error", "Your browser blocks cookies", make("p", {}, advice));
  return true;
}

/**
 * Show that there is no connection while a page reconnects by itself.
 * @param {any} place
 * @param {string} [kept] What is not lost meanwhile.
 */
export const showReconnecting = (place, kept = "") =>
  showState(place, "offline", offlineText(), make("p", {}, `Reconnecting… ${kept}`));

const offlineText = () => (navigator.onLine ? "The server cannot be reached." : "You are offline.");

/**
 * Fill a page, which shows until then that it loads.
 * @param {any} place
 * @param {() => Promise<string|void>} fill Returns what to say where there is nothing to show.
 */
export async function fillPage(place, fill) {
  showState(place, "loading", "Loading…");
  try {
    const nothing = await fill();
    if (nothing) showState(place, "empty", nothing);
    else place.hidden = true;
  } catch (error) {
    showProblem(place, error, () => fillPage(place, fill));
  }
}
