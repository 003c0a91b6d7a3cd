// Pieces as they are and as they are drawn.

import { parse } from "../../lib/picture.js";

const NS = "http://www.w3.org/2000/svg";

/**
 * @typedef {{kind: string, x: number, y: number, size: number, flip: boolean, pose: number|null,
 *   expression: number|null}} Piece
 * @typedef {{size: [number, number], shelves: {name: string, kinds: string[]}[],
 *   art: Record<string, [number, number, string][]>, heads: Record<string, [number, number]>,
 *   faces: string[], smile: number, sizes: string[], scales: number[], start: number,
 *   poses: string[], expressions: string[]}} Facts What does not change in a game, see games/codraw/desk.py.
 */

/** Read a piece that the server has drawn. @param {any} group @returns {Piece} */
export function readPiece(group) {
  const { kind, x, y, size, flip, pose, expression } = group.dataset;
  const person = pose !== undefined;
  return {
    kind,
    x: +x,
    y: +y,
    size: +size,
    flip: flip === "1",
    pose: person ? +pose : null,
    expression: person ? +expression : null,
  };
}

/** @param {Piece} one @param {Piece} other */
export const sameFigure = (one, other) => one.pose === other.pose && one.expression === other.expression;

/** Where a piece goes, how large and which way round. @param {Facts} facts @param {Piece} piece */
export function placed(facts, { x, y, size, flip }) {
  const scale = facts.scales[size];
  return `translate(${x} ${y}) scale(${flip ? -scale : scale} ${scale})`;
}

/** @param {Facts} facts @param {string} kind @param {number|null} pose @param {number|null} expression */
const drawing = (facts, kind, pose, expression) =>
  facts.art[kind][pose ?? 0][2].replace(
    facts.faces[facts.smile] ?? "",
    () => facts.faces[expression ?? facts.smile] ?? "",
  );

/** The size of a piece on the canvas. @param {Facts} facts @param {Piece} piece */
export function extent(facts, { kind, pose, size }) {
  const [width, height] = facts.art[kind][pose ?? 0];
  return { width: width * facts.scales[size], height: height * facts.scales[size] };
}

/** A piece as a node for the canvas. @param {Facts} facts @param {Piece} piece */
export function group(facts, piece) {
  const node = parse(`<g xmlns="${NS}">${drawing(facts, piece.kind, piece.pose, piece.expression)}</g>`);
  node.setAttribute("transform", placed(facts, piece));
  return node;
}

/**
 * A dashed line around a piece, dark on light so that it is seen on anything.
 * @param {Facts} facts
 * @param {Piece} piece
 * @param {any} node It, drawn.
 */
export function frame(facts, piece, node) {
  const scale = facts.scales[piece.size];
  const { x, y, width, height } = node.getBBox(); // as it is drawn: its picture may have wide margins
  const left = piece.x + scale * (piece.flip ? -x - width : x) - 5;
  const place = `x="${left}" y="${piece.y + scale * y - 5}"`;
  const box = `${place} width="${scale * width + 10}" height="${scale * height + 10}" rx="6" fill="none"`;
  const light = `<rect ${box} stroke="#fff" stroke-width="4"/>`;
  const dark = `<rect ${box} stroke="#8a3d05" stroke-width="2" stroke-dasharray="6 4"/>`;
  return parse(`<g xmlns="${NS}" class="frame">${light}${dark}</g>`);
}

/** Cut off the margins of a small picture that is on the page. @param {any} svg */
export function trim(svg) {
  const { x, y, width, height } = svg.getBBox();
  if (width) svg.setAttribute("viewBox", `${x - 2} ${y - 2} ${width + 4} ${height + 4}`);
}

/** @param {[number, number, number, number]} box @param {string} inside */
const small = (box, inside) =>
  parse(`<svg xmlns="${NS}" viewBox="${box.join(" ")}" aria-hidden="true">${inside}</svg>`);

/** A small picture of a whole piece. @param {Facts} facts @param {string} kind @param {number|null} [pose] */
export function picture(facts, kind, pose = null) {
  const [width, height] = facts.art[kind][pose ?? 0];
  return small([-width / 2 - 3, -height / 2 - 3, width + 6, height + 6], drawing(facts, kind, pose, null));
}

/** A small picture of a face. @param {Facts} facts @param {string} kind @param {number} expression */
export function portrait(facts, kind, expression) {
  const [x, y] = facts.heads[kind];
  return small([x - 38, y - 33, 80, 66], drawing(facts, kind, 0, expression));
}

/** An empty sheet of the canvas's size. @param {Facts} facts */
export const sheet = (facts) =>
  parse(
    `<svg xmlns="${NS}" viewBox="0 0 ${facts.size.join(" ")}" class="scene-sheet" aria-hidden="true"></svg>`,
  );
