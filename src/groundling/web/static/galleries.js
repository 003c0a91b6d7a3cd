// The games whose instances can be looked at.

import { $, capital, make, request } from "./lib/dom.js";
import { fillPage } from "./lib/page_state.js";

fillPage($("page-state"), async () => {
  /** @type {{games: {name: string, title: string, about: string, gallery: boolean}[]}} */
  const { games } = await request("/api/games");
  const shown = games.filter((game) => game.gallery);
  $("games").replaceChildren(
    ...shown.map((game) => {
      const picture = make("img", { src: `/api/picture/${game.name}`, alt: "", width: 480, height: 272 });
      const link = make("a", { className: "whole", href: `/gallery/${game.name}/` }, game.title);
      const about = make("p", { className: "aside" }, `${capital(game.about)}.`);
      return make("li", { className: "card" }, picture, make("h2", {}, link), about);
    }),
  );
  return shown.length ? "" : "No game here has a gallery.";
});
