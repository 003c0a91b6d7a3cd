// Before the game begins: what is known about the partner, and other ways to play.

import { $, capital, make, post } from "./lib/dom.js";
import { invitation, showLinks } from "./lib/links.js";
import { studyLink } from "./lib/study_link.js";

const ABOUT = {
  expected: "",
  here: "",
  reading: "Your partner is here and reads what they are asked to agree to.",
  away: "Your partner was here and has closed the page. They may come back.",
  declined: "Your partner decided not to take part. This has nothing to do with you.",
  left: "Your partner left before the game began.",
};

/** The sentence at the top of the page. @param {any} shown @returns {string} */
export function unbegunText(shown) {
  if (shown.phase === "closed") return shown.waiting.why;
  const about = shown.waiting.others.map((/** @type {keyof ABOUT} */ each) => ABOUT[each]).find(Boolean);
  if (about) return about;
  return shown.waiting.offer
    ? "Your partner has not come yet. The game starts automatically when they do."
    : "Waiting for your partner. The game starts automatically.";
}

/** The address of the queue for the same game, settings and seat. @param {any} hello */
export const queueLink = ({ game, role, settings }) =>
  `/wait#${[game, role, ...(Object.keys(settings ?? {}).length ? [JSON.stringify(settings)] : [])]
    .map(encodeURIComponent)
    .join("/")}`;

/**
 * Show what the person can do instead of waiting.
 * @param {any} shown
 * @param {any} hello
 * @param {{send: (message: any) => void}} socket
 */
export function showUnbegun(shown, hello, socket) {
  const waiting = shown.phase === "waiting";
  const section = $("unbegun");
  const offer = shown.phase === "closed" || (waiting && shown.waiting.offer);
  const study = studyLink();
  const links = waiting && !study && shown.waiting.others.includes("expected") ? showLinks(invitation()) : [];
  section.hidden = !offer && !links.length;
  if (!offer) return section.replaceChildren(...links);
  if (study) return section.replaceChildren(study);
  const focused = section.contains(document.activeElement) ? document.activeElement?.textContent : null;
  const trouble = make("p", { className: "trouble", role: "alert" });
  const keep = make("button", { type: "button" }, "Keep waiting");
  keep.addEventListener("click", () => socket.send({ do: "wait" }));
  const queue = make("button", { type: "button" }, "Find another partner");
  queue.addEventListener("click", () => {
    if (waiting) socket.send({ do: "end" });
    location.assign(queueLink(hello));
  });
  const alone = make("button", { type: "button" }, "Play with the built-in partner");
  alone.addEventListener("click", async () => {
    if (waiting) return socket.send({ do: "replace" });
    try {
      const { game, role, settings } = hello;
      const { links } = await post("/api/rooms", { game, settings, seats: { [role]: "person" } });
      location.assign(links[role]);
    } catch (error) {
      trouble.textContent = `${capital(/** @type {Error} */ (error).message)}.`;
    }
  });
  const closes = waiting && shown.ends ? new Date(shown.ends * 1000) : null;
  const time = closes?.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  section.replaceChildren(
    ...links,
    make("h2", {}, "What would you like to do?"),
    make("div", { className: "row" }, waiting ? keep : null, queue, alone),
    make(
      "p",
      { className: "aside", role: "status" },
      time ? `If the game has not begun by ${time}, this room closes. “Keep waiting” gives it more time.` : "",
    ),
    trouble,
  );
  for (const button of section.querySelectorAll("button"))
    if (button.textContent === focused) button.focus();
}
