// The token may stand behind the #, which browsers keep to themselves. It is exchanged for a cookie.

import { $, capital, post } from "../lib/dom.js";
import { showProblem, showState } from "../lib/page_state.js";

/** What stands there, which is then gone. */
function given() {
  const token = decodeURIComponent(location.hash.slice(1));
  history.replaceState(null, "", location.pathname);
  if (token) void enter(token);
}

/** @param {string} token */
async function enter(token) {
  $("trouble").textContent = "";
  $("form").hidden = true;
  showState($("page-state"), "loading", "Logging in…");
  try {
    const { path } = await post("/admin/login/trade", { token });
    location.replace(path);
  } catch (error) {
    if (/** @type {any} */ (error).offline) return showProblem($("page-state"), error, () => enter(token));
    $("page-state").hidden = true;
    $("form").hidden = false;
    $("trouble").textContent = `${capital(/** @type {Error} */ (error).message)}.`;
    $("token").focus();
  }
}

$("form").addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  void enter($("token").value.trim());
});
window.addEventListener("hashchange", given);
given();
