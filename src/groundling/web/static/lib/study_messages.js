// Messages of the researchers on the page of a study.

import { $, make, post } from "./dom.js";

const EVERY = 20_000; // milliseconds between two looks for messages
const NEWEST = 3;

/** @param {{at: number, text: string}[]} messages */
export function showMessages(messages) {
  const lines = messages.slice(-NEWEST).map(({ at, text }) => {
    const time = new Date(at * 1000).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
    return `Message from the researchers, ${time}: ${text}`;
  });
  const place = $("messages");
  if (place.dataset.shown === lines.join("\n")) return;
  place.dataset.shown = lines.join("\n");
  place.replaceChildren(...lines.map((line) => make("p", { className: "note" }, line)));
}

/** Look for messages while the page stays open. @param {(page: any) => void} show */
export function awaitMessages(show) {
  setInterval(async () => {
    if (document.hidden) return;
    const page = await post(`${location.pathname}/act`, { do: "open" }).catch(() => null);
    if (page) show(page);
  }, EVERY);
}
