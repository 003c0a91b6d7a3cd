// The waiting page: while it is open the person waits, and goes to a seat as soon as a partner is found.

import { chime, offerSound } from "./lib/chime.js";
import { $, capital, post } from "./lib/dom.js";

const [game = "", role = "", settings = ""] = location.hash.slice(1).split("/").map(decodeURIComponent);
const began = Date.now();
let pause = 500;
let over = false;
/** @type {WebSocket|undefined} */
let socket;

/** @param {number} seconds */
function span(seconds) {
  const minutes = Math.round(seconds / 60);
  return seconds < 45 ? "half a minute or less" : `${minutes} minute${minutes > 1 ? "s" : ""}`;
}

/** @param {string} why */
function stop(why) {
  over = true;
  $("dots").hidden = true;
  $("status").textContent = why;
  $("since").textContent = $("expected").textContent = "";
  $("keep").hidden = true;
}

function look() {
  if (over) return;
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
    $("status").textContent = "Looking for somebody…";
    $("expected").textContent = "How long it takes is not known yet: few people have come lately.";
  });
  socket.addEventListener("message", (event) => {
    const message = JSON.parse(event.data);
    if (message.type === "found") {
      stop("Here is somebody. Taking you to your seat…");
      document.title = "Partner found · groundling";
      setTimeout(() => location.replace(`/join#${message.secret}`), chime());
    } else if (message.type === "waiting") {
      $("expected").textContent = `Others waited about ${span(message.seconds)} here.`;
    } else if (message.type === "elsewhere") {
      stop("You are waiting in another window now. You have one place in the queue.");
      $("here").hidden = false;
    } else if (message.type === "sorry") stop(`${capital(message.why)}.`);
  });
  socket.addEventListener("close", () => {
    if (over) return;
    $("status").textContent = "The connection is lost. Reconnecting… Your place is kept for a short time.";
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

$("here").addEventListener("click", () => {
  over = false;
  $("here").hidden = true;
  $("dots").hidden = $("keep").hidden = false;
  look();
});

offerSound($("sound"));
if (game && role) {
  $("title").textContent = `You will be the ${role}`;
  $("back").href = `/#${game}`;
  setInterval(() => {
    const minutes = Math.floor((Date.now() - began) / 60_000);
    if (!over && minutes)
      $("since").textContent = `You have been waiting for ${minutes} minute${minutes > 1 ? "s" : ""}.`;
  }, 5000);
  look();
} else {
  $("alone").hidden = true;
  stop("Choose a game and a seat first.");
}
