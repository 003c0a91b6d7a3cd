// What a person agrees to before the game.

import { $, make } from "./lib/dom.js";

/** @param {string} label @param {string} className @param {() => void} press */
function button(label, className, press) {
  const made = make("button", { type: "button", className }, label);
  made.addEventListener("click", press);
  return made;
}

/** @param {string} text @param {{send: (message: any) => void}} socket */
export function askConsent(text, socket) {
  const yes = button("I agree", "primary", () => socket.send({ do: "agree" }));
  const no = button("No, thank you", "", () => {
    socket.send({ do: "decline" });
    showDeclined(() => askConsent(text, socket));
  });
  $("consent").replaceChildren(
    make("h2", {}, "Before you start"),
    ...text.split(/\n+/).map((part) => make("p", {}, part)),
    make("div", { className: "row" }, yes, no),
  );
  $("consent").hidden = false;
  yes.focus();
}

/** @param {() => void} again */
function showDeclined(again) {
  const away = make("a", { className: "button primary", href: "/" }, "Other games");
  $("consent").replaceChildren(
    make("h2", {}, "You do not take part"),
    make("p", {}, "That is fine. If somebody was going to play with you, they have been told."),
    make("div", { className: "row" }, button("Read it again", "", again), away),
  );
}
