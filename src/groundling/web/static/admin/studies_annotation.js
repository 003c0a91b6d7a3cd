// How far the annotators of a study agree, by field and over time.

import { $, make } from "../lib/dom.js";
import { figure, row, table, update } from "./studies_parts.js";

/** @param {number|null} share */
const percent = (share) => figure(share === null ? null : 100 * share);

/** @param {any} annotation @param {(person: string) => any} code A button that opens a person. */
export function showAnnotation(annotation, code) {
  $("annotation").hidden = !annotation.counts.length;
  update($("annotation-tables"), annotation, () => [
    table(
      "",
      ["Stage", "Items", "Annotated", "Differ", "Settled"],
      annotation.counts.map((/** @type {any} */ each) =>
        row(each.stage, each.items, each.annotated, each.differ, each.settled),
      ),
    ),
    ...(annotation.fields.length
      ? [
          make("h3", {}, "Agreement of annotators"),
          table(
            "",
            ["Field", "Stage", "Items", "Equal pairs, %"],
            annotation.fields.map((/** @type {any} */ each) =>
              row(each.field, each.stage, each.items, percent(each.equal / each.pairs)),
            ),
          ),
          make("h3", {}, "Agreement with the others over time, %"),
          table(
            "",
            ["Annotator", "Stage", "Items", "First third", "Second", "Last third"],
            annotation.drift.map((/** @type {any} */ each) =>
              row(code(each.person), each.stage, each.items, ...each.shares.map(percent)),
            ),
          ),
        ]
      : []),
  ]);
}
