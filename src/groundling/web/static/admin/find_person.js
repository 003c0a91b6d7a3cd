// Find the seat of a person by the code that they quote, and erase what they did.

import { sure } from "../lib/choose.js";
import { $, capital, make, post } from "../lib/dom.js";

const seat = () => $("person-code").value.trim();

/** @param {() => Promise<void>} work */
async function trying(work) {
  $("person-found").replaceChildren();
  try {
    await work();
  } catch (error) {
    $("person-found").replaceChildren(
      make("p", { className: "trouble", role: "alert" }, `${capital(/** @type {Error} */ (error).message)}.`),
    );
  }
}

$("person").addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  void trying(async () => {
    const found = await post("/admin/api/find", { seat: seat() });
    const erase = make("button", { type: "button" }, "Erase what this person did");
    erase.addEventListener("click", async () => {
      if (!(await sure("Erase all that this person wrote and did? This cannot be undone."))) return;
      void trying(async () => {
        const { told } = await post("/admin/api/erase", { seat: found.seat });
        $("person-found").replaceChildren(make("p", {}, `${capital(told)}.`));
      });
    });
    $("person-found").replaceChildren(
      make("p", {}, `${capital(found.role)} in ${found.room.title}, room ${found.room.id}, ${found.room.state}.`),
      make(
        "div",
        { className: "row" },
        make("a", { className: "button", href: `/admin/rooms/${found.room.id}/replay` }, "Replay"),
        erase,
      ),
    );
  });
});
