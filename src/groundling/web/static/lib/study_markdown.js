// The Markdown of a study's texts as elements: headings, lists, links, emphasis, code. Everything else is text.

import { make } from "./dom.js";

const BLOCK = /^(?:(#{1,6})\s+|([-*+])\s+|(\d+)[.)]\s+)(.*)$/;
const INLINE =
  /\*\*(.+?)\*\*|\*(.+?)\*|(?<!\w)_(.+?)_(?!\w)|`([^`]+)`|\[([^\]]+)\]\(((?:https?:\/\/|mailto:)[^\s)]+)\)/;

/** @param {string} text @param {string} newTab What is said of links. @returns {any[]} */
function inline(text, newTab) {
  const found = INLINE.exec(text);
  if (!found) return [text];
  const [whole, strong, starred, scored, code, label, href] = found;
  const emphasis = starred ?? scored;
  const inside = (/** @type {string} */ part) => inline(part, newTab);
  const element = strong
    ? make("strong", {}, ...inside(strong))
    : emphasis
      ? make("em", {}, ...inside(emphasis))
      : code
        ? make("code", {}, code)
        : link(label, href, newTab);
  const rest = text.slice(found.index + whole.length);
  return [text.slice(0, found.index), element, ...inside(rest)].filter(Boolean);
}

/** @param {string} label @param {string} href @param {string} newTab */
function link(label, href, newTab) {
  if (href.startsWith("mailto:")) return make("a", { href }, label);
  const note = make("span", { className: "unseen" }, ` (${newTab})`);
  return make("a", { href, target: "_blank", rel: "noopener noreferrer" }, label, note);
}

/**
 * @param {string} text
 * @param {string} newTab
 * @returns {any[]} Elements; the highest heading of the text is an h3, and no level is left out.
 */
export function markdown(text, newTab) {
  /** @type {{tag: string, depth: number, lines: string[]}[]} */
  const blocks = [];
  let ended = true;
  for (const line of text.split(/\r?\n/)) {
    const [, heading, bullet, number, rest] = BLOCK.exec(line) ?? [];
    const before = ended ? undefined : blocks.at(-1);
    const tag = heading ? "h" : bullet ? "ul" : number ? "ol" : "";
    ended = !line.trim() || Boolean(heading);
    if (!line.trim()) continue;
    if (tag && before?.tag === tag) before.lines.push(rest);
    else if (tag || !before) blocks.push({ tag: tag || "p", depth: heading?.length ?? 9, lines: [rest ?? line.trim()] });
    else before.lines.push(`${before.lines.pop()} ${line.trim()}`); // the line before continues
  }
  const top = Math.min(...blocks.map(({ depth }) => depth));
  let level = 2;
  return blocks.map(({ tag, depth, lines }) => {
    if (tag === "ul" || tag === "ol")
      return make(tag, {}, ...lines.map((line) => make("li", {}, ...inline(line, newTab))));
    if (tag === "h") level = Math.min(level + 1, 3 + depth - top, 6);
    return make(tag === "h" ? `h${level}` : "p", {}, ...inline(lines[0], newTab));
  });
}
