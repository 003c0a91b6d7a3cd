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
    const where = found.room
      ? `${capital(found.role)} in ${found.room.title}, room ${found.room.id}, ${found.room.state}.`
      : `A person in the ${found.studies.length === 1 ? "study" : "studies"} ${found.studies.join(", ")}.`;
    const links = found.room
      ? [make("a", { className: "button", href: `/admin/rooms/${found.room.id}/replay` }, "Replay")]
      : found.served.map((/** @type {string} */ study) =>
          make("a", { className: "button", href: `/admin/studies/${study}#${found.seat}` }, "What they did"),
        );
    $("person-found").replaceChildren(
      make("p", {}, where),
      make("div", { className: "row" }, ...links, erase),
    );
  });
});
