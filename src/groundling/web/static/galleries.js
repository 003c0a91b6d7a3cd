// The games whose instances can be looked at.

import { $, make } from "./lib/dom.js";
import { get } from "./lib/queries.js";

try {
  /** @type {{games: {name: string, title: string, about: string, gallery: boolean}[]}} */
  const { games } = await get("/api/games");
  $("status").textContent = "All instances that are played here, with what players must not see before a game.";
  $("games").replaceChildren(
    ...games
      .filter((game) => game.gallery)
      .map((game) => {
        const picture = make("img", { src: `/api/picture/${game.name}`, alt: "", width: 320, height: 200 });
        return make(
          "li",
          { className: "card" },
          picture,
          make("h2", {}, make("a", { href: `/gallery/${game.name}/` }, game.title)),
          make("p", { className: "aside" }, game.about),
        );
      }),
  );
} catch (error) {
  $("status").textContent = /** @type {Error} */ (error).message;
}
