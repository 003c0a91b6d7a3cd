// The form field for each field of a property.

import { check, field, select, text } from "./fields.js";

/** @typedef {import("./book.js").Property} Property @typedef {keyof typeof WORDS} FieldName */

const WORDS = {
  one: "Noun for one",
  many: "Noun for several",
  number: "Number",
  adjective: "Adjective",
  rank: "Rank among adjectives",
  clause: "Clause",
  clauses: "Clause after a plural",
  also: "Other words for it",
  sizes: "Sizes that it names",
  physics: "It depends on how items behave",
  asked: "Requests may use it",
  generic: "The noun for all items",
};
const LAST = 999; // rank
const NUMBERS = ["singular", "plural", "mass", "pair"];

/**
 * @param {Property} property @param {FieldName} name
 * @param {(name: string, value: any) => void} set
 * @param {(name: string, given: string, most: number) => void} setNumber
 */
export function propertyField(property, name, set, setNumber) {
  const id = `field-${name}`;
  const value = property[name];
  if (name === "number") {
    const setNoun = (/** @type {string} */ given) => set(name, given === "singular" ? undefined : given);
    return field(id, WORDS.number, select(NUMBERS, value ?? "singular", setNoun));
  }
  if (name === "asked") {
    return check(id, WORDS.asked, value ?? true, (on) => set(name, on ? undefined : false));
  }
  if (name === "physics" || name === "generic") {
    return check(id, WORDS[name], Boolean(value), (on) => set(name, on || undefined));
  }
  if (name === "rank") {
    const rank = text(String(value ?? ""), (given) => setNumber(name, given, LAST));
    return field(id, WORDS.rank, rank, "Lower ranks come first");
  }
  if (name === "also" || name === "sizes") {
    const list = text((value ?? []).join(", "), (given) => {
      const parts = given.split(",").map((part) => part.trim()).filter(Boolean);
      const read = name === "sizes" ? parts.map(Number).filter(Number.isInteger) : parts;
      set(name, read.length ? read : undefined);
    });
    return field(id, WORDS[name], list, "Separated by commas");
  }
  return field(id, WORDS[name], text(value ?? "", (given) => set(name, given)));
}
