// What can be looked at.

import { $, make } from "./lib/dom.js";
import { get } from "./lib/queries.js";

const KIND = { run: "a run", data: "recorded games of people" };

try {
  /** @type {{name: string, kind: keyof KIND, game: string}[]} */
  const books = await get("/runs/books.json");
  $("status").textContent = "Choose one, then an episode: it is replayed step by step.";
  $("books").replaceChildren(
    ...books.map((book) =>
      make(
        "li",
        {},
        make("a", { href: `/runs/${encodeURIComponent(book.name)}/` }, book.name),
        make("span", { className: "aside" }, `${book.game}, ${KIND[book.kind]}`),
      ),
    ),
  );
} catch (error) {
  $("status").textContent = /** @type {Error} */ (error).message;
}
