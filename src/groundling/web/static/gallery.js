// A game's instances as a page of pictures: chosen by set and by what they are like, found by id.

import { $, capital, make, post } from "./lib/dom.js";
import { asking, pageQuery } from "./lib/queries.js";
import { showPages } from "./lib/pages.js";

/** @typedef {{id: string, name: string, set: string, facts: Record<string, string>, text: string}} Card */

const { asked, start, turn } = pageQuery(look);
const ask = asking($("page-state"));
/** Which choices are offered, so that they are rebuilt only when they change. */
let offered = "";

/** @param {any} gallery */
function offer(gallery) {
  const all = { of: gallery.sources, ...gallery.choices };
  if (offered === JSON.stringify(all)) return;
  offered = JSON.stringify(all);
  const labels = /** @type {Record<string, string>} */ ({ of: "From", set: "Set" });
  $("choices").replaceChildren(
    ...Object.entries(all).map(([name, values]) => {
      const options = [
        name === "of" ? null : make("option", { value: "" }, "all"),
        ...values.map((/** @type {string} */ value) => make("option", { value }, value)),
      ];
      const select = make("select", { name }, ...options);
      const value = asked.get(name);
      // no card has this value
      if (value && !values.includes(value)) select.append(make("option", { value }, value));
      select.value = value ?? (name === "of" ? gallery.sources[0] : "");
      select.addEventListener("change", () => {
        if (name === "of") for (const each of [...asked.keys()]) if (each !== "find") asked.delete(each);
        turn(name, select.value);
      });
      return make("label", {}, `${labels[name] ?? capital(name)} `, select);
    }),
  );
}

/** @param {Card} card @param {any} gallery */
function show(card, gallery) {
  const facts = Object.entries({
    ...(card.set && !Object.values(card.facts).includes(card.set) ? { set: card.set } : {}),
    ...card.facts,
  });
  const query = new URLSearchParams({ of: asked.get("of") ?? gallery.sources[0], id: card.id });
  const title = card.name || card.id;
  const alt = `${title}: ${facts.map(([name, value]) => `${name} ${value}`).join(", ")}`;
  const parts = [
    make("img", { src: `picture.svg?${query}`, alt, loading: "lazy", width: 320, height: 200 }),
    make("h2", {}, title),
    card.name && make("p", { className: "aside" }, card.id),
    make(
      "dl",
      { className: "facts" },
      ...facts.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]),
    ),
    card.text && make("details", {}, make("summary", {}, "How it is made"), make("pre", {}, card.text)),
  ];
  if (gallery.book)
    parts.push(
      make(
        "a",
        {
          className: "button",
          href: `/runs/${encodeURIComponent(gallery.book)}/${encodeURIComponent(card.id)}/replay`,
        },
        "Step through",
      ),
    );
  if (gallery.role) {
    const play = make(
      "button",
      { type: "button", "aria-label": `Play as ${gallery.role}: ${title}` },
      `Play as ${gallery.role}`,
    );
    play.addEventListener("click", async () => {
      try {
        const { links } = await post("/api/rooms", {
          game: gallery.game,
          set: gallery.plays,
          instance: card.id,
          seats: { [gallery.role]: "person" },
        });
        location.assign(links[gallery.role]);
      } catch (error) {
        $("trouble").textContent = `${capital(/** @type {Error} */ (error).message)}.`;
      }
    });
    parts.push(play);
  }
  return make("li", { className: "card" }, ...parts);
}

function look() {
  const query = new URLSearchParams({ ...Object.fromEntries(asked), from: String(start()) });
  void ask(`cards.json?${query}`, (gallery) => {
    $("name").textContent = gallery.title;
    document.title = `groundling: ${gallery.title}, gallery`;
    $("draw").hidden = !gallery.canvas;
    offer(gallery);
    $("filter").hidden = false;
    $("status").textContent = gallery.total ? `${gallery.found} of ${gallery.total}` : "";
    $("cards").replaceChildren(...gallery.cards.map((/** @type {Card} */ card) => show(card, gallery)));
    showPages($("pages"), gallery.found, gallery.page, start(), (to) => {
      turn("from", to ? String(to) : "");
      $("cards").focus();
    });
    if (!gallery.total) return "There is nothing here yet.";
    return gallery.found ? "" : "Nothing matches. Choose other values, or search for less.";
  });
}

look();
