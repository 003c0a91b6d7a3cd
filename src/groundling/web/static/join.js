// The secret is in the fragment, which browsers do not send. It is exchanged once for a cookie.

import { $, capital, post } from "./lib/dom.js";
import { claimInvitation } from "./lib/links.js";
import { showProblem } from "./lib/page_state.js";

const secret = location.hash.slice(1);
history.replaceState(null, "", location.pathname);

/** @param {string} title @param {string} text */
function sorry(title, text) {
  $("title").textContent = title;
  $("status").textContent = text;
  $("ways").hidden = false;
}

async function sit() {
  $("card").hidden = false;
  $("page-state").hidden = true;
  try {
    const { path } = await post("/api/sit", { secret });
    claimInvitation(path);
    location.replace(path);
  } catch (error) {
    if (/** @type {any} */ (error).offline) {
      $("card").hidden = true;
      return showProblem($("page-state"), error, sit);
    }
    sorry("This seat is not free", `${capital(/** @type {Error} */ (error).message)}.`);
    $("why").hidden = !/\blink\b/.test(/** @type {Error} */ (error).message); // advice on used links
  }
}

if (secret) void sit();
else
  sorry(
    "There is no link here",
    "Open the whole link that you were given, with everything after the #.",
  );
