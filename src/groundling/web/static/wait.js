// The waiting page: while it is open the person waits, and goes to a seat as soon as a partner is found.

import { chime, offerSound } from "./lib/chime.js";
import { $, capital, make, post } from "./lib/dom.js";
import { showReconnecting, showState } from "./lib/page_state.js";

const [game = "", role = "", settings = ""] = location.hash.slice(1).split("/").map(decodeURIComponent);
const began = Date.now();
let pause = 500;
let over = false;
/** @type {WebSocket|undefined} */
let socket;
const here = make("button", { type: "button", className: "primary" }, "Wait here instead");

/** @param {number} seconds */
function span(seconds) {
  const minutes = Math.round(seconds / 60);
  return seconds < 45 ? "half a minute or less" : `${minutes} minute${minutes > 1 ? "s" : ""}`;
}

const KEEP = "Keep this page open: the game starts automatically when somebody takes the other seat.";
const expected = make("p");
const since = make("p");
const seat = make("p", {}, `You will be the ${role}.`);

/** @param {string} title */
function showLooking(title) {
  showState($("page-state"), "loading", title, seat, expected, since, make("p", {}, KEEP));
}

/** @param {import("./lib/page_state.js").StateKind} kind @param {string} why @param {...any} more */
function stop(kind, why, ...more) {
  over = true;
  showState($("page-state"), kind, why, ...more);
}

function look() {
  if (over) return;
  if (!socket) showLooking("Joining the queue…");
  socket = new WebSocket(
    new URL(
      `/api/wait/${encodeURIComponent(game)}/${encodeURIComponent(role)}${
        settings ? `?settings=${encodeURIComponent(settings)}` : ""
      }`,
      location.href.replace(/^http/, "ws"),
    ),
  );
  socket.addEventListener("open", () => {
    pause = 500;
    expected.textContent = "How long it takes is not known yet: few people have come lately.";
    showLooking("Looking for somebody…");
  });
  socket.addEventListener("message", (event) => {
    const message = JSON.parse(event.data);
    if (message.type === "found") {
      stop("loading", "Here is somebody. Taking you to your seat…");
      document.title = "Partner found · groundling";
      setTimeout(() => location.replace(`/join#${message.secret}`), chime());
    } else if (message.type === "waiting") {
      expected.textContent = `Others waited about ${span(message.seconds)} here.`;
    } else if (message.type === "elsewhere") {
      const place = make("p", {}, "You have one place in the queue.");
      stop("empty", "You are waiting in another window now.", place, here);
    } else if (message.type === "sorry") stop("error", `${capital(message.why)}.`);
  });
  socket.addEventListener("close", () => {
    if (over) return;
    showReconnecting($("page-state"), "Your place is kept for a short time.");
    setTimeout(look, pause);
    pause = Math.min(8000, pause * 1.7);
  });
}

$("alone").addEventListener("click", async () => {
  try {
    const order = { game, seats: { [role]: "person" }, settings: settings ? JSON.parse(settings) : {} };
    const { links } = await post("/api/rooms", order);
    over = true;
    socket?.close();
    location.assign(links[role]);
  } catch (error) {
    $("trouble").textContent = `${capital(/** @type {Error} */ (error).message)}.`;
  }
});

here.addEventListener("click", () => {
  over = false;
  look();
});

offerSound($("sound"));
if (game && role) {
  $("back").href = `/#${game}`;
  setInterval(() => {
    const minutes = Math.floor((Date.now() - began) / 60_000);
    if (!over && minutes)
      since.textContent = `You have been waiting for ${minutes} minute${minutes > 1 ? "s" : ""}.`;
  }, 5000);
  look();
} else {
  $("alone").hidden = true;
  stop("empty", "Choose a game and a seat first.");
}
