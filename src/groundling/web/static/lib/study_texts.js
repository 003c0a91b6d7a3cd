// The words of a study's pages in the language of the person, and how amounts and times are written in it.

import { request } from "./dom.js";

export class StudyTexts {
  /** @param {string} language @param {Record<string, any>} table */
  constructor(language, table) {
    this.language = language;
    this.table = table;
    this.plurals = new Intl.PluralRules(language);
  }

  /**
   * The text at GROUP or GROUP.NAME with its values. Where it depends on a number, that is the value `n`.
   * @param {string} path
   * @param {Record<string, any>} [values]
   * @returns {string}
   */
  say(path, values = {}) {
    const [, group, name] = /** @type {RegExpExecArray} */ (/^([^.]+)(?:\.(.+))?$/.exec(path));
    const found = name ? this.table[group]?.[name] : this.table[group];
    const text = typeof found === "object" ? (found[this.plurals.select(values.n)] ?? found.other) : found;
    return (text ?? path).replace(/\{(\w+)\}/g, (/** @type {string} */ _, /** @type {string} */ key) =>
      String(values[key]),
    );
  }

  /** @param {number} n Rounded up. */
  minutes(n) {
    return this.say("minutes", { n: Math.ceil(n) });
  }

  /** @param {number} amount @param {string} currency */
  money(amount, currency) {
    const how = { style: /** @type {const} */ ("currency"), currency };
    return new Intl.NumberFormat(this.language, { ...how, currencyDisplay: "code" }).format(amount);
  }

  /** @param {number} seconds since 1970 */
  clock(seconds) {
    const how = { hour: /** @type {const} */ ("2-digit"), minute: /** @type {const} */ ("2-digit") };
    return new Date(seconds * 1000).toLocaleTimeString(this.language, how);
  }

  /** What participants call a stage. @param {any} stage */
  name({ title, kind, game, practice }) {
    const name = title || this.say(`kind.${kind}`, { game });
    return practice ? this.say("kind.practice", { name }) : name;
  }
}

/** @type {StudyTexts|null} */
let known = null;

/** @param {string} study The path of its page. @param {string} language */
export async function loadTexts(study, language) {
  if (known?.language !== language)
    known = new StudyTexts(language, await request(`${study}/texts/${encodeURIComponent(language)}`));
  return known;
}
