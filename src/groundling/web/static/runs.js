// What can be looked at.

import { $, make, request } from "./lib/dom.js";
import { fillPage } from "./lib/page_state.js";

const KIND = { run: "a run", data: "recorded games of people" };

fillPage($("page-state"), async () => {
  /** @type {{name: string, kind: keyof KIND, game: string}[]} */
  const books = await request("/runs/books.json");
  $("books").replaceChildren(
    ...books.map((book) => {
      const link = make("a", { className: "whole", href: `/runs/${encodeURIComponent(book.name)}/` }, book.name);
      const about = make("p", { className: "aside" }, `${book.game}, ${KIND[book.kind]}`);
      return make("li", { className: "card" }, make("h2", {}, link), about);
    }),
  );
});
