// The secret is in the fragment, which browsers do not send. It is exchanged once for a cookie.

import { $, capital, make, post } from "./lib/dom.js";
import { claimInvitation } from "./lib/links.js";
import { showBlockedCookies, showProblem, showState } from "./lib/page_state.js";

const USED =
  "A link opens a seat once, in one browser. If it was you, go back to the window in which you opened it, or look " +
  "in that browser's history: the seat is still yours there. Otherwise ask the person who sent you the link for a " +
  "new one.";

const secret = location.hash.slice(1);
const blocked = showBlockedCookies($("page-state"));
// kept where it was not used, for when the page is loaded again
if (!blocked) history.replaceState(null, "", location.pathname);

/** @param {"empty"|"error"} kind @param {string} title @param {...string} lines */
function sorry(kind, title, ...lines) {
  const games = make("a", { className: "button primary", href: "/" }, "See the games");
  showState($("page-state"), kind, title, ...lines.map((line) => make("p", {}, line)), games);
}

async function sit() {
  showState($("page-state"), "loading", "Taking your seat…");
  try {
    const { path } = await post("/api/sit", { secret });
    claimInvitation(path);
    location.replace(path);
  } catch (error) {
    const { message, offline } = /** @type {any} */ (error);
    if (offline) return showProblem($("page-state"), error, sit);
    const advice = /\blink\b/.test(message) ? [USED] : [];
    sorry("error", "This seat is not free", `${capital(message)}.`, ...advice);
  }
}

if (!secret)
  sorry("empty", "There is no link here", "Open the whole link that you were given, with everything after the #.");
else if (!blocked) void sit();
