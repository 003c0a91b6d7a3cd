// The secret stands behind the #, which browsers keep to themselves. It is traded for a cookie, once, and then gone.

import { $, capital, post } from "./lib/dom.js";

const secret = location.hash.slice(1);
history.replaceState(null, "", location.pathname);
try {
  const { path } = await post("/api/sit", { secret });
  location.replace(path);
} catch (error) {
  $("status").textContent = `${capital(/** @type {Error} */ (error).message)}.`;
}
