"""The tables of a study with partners, of games whose scores are known."""

from __future__ import annotations

from random import Random

from tests.studies.partner_studies import partner_stage

from groundling.core.result_tables import TextTable
from groundling.report.table_files import render_table_csv, render_table_page
from groundling.studies.partner_results import PartnerGame, PartnerResults, SoloGame
from groundling.studies.partner_tables import partner_tables
from groundling.studies.study import FormQuestion
from groundling.studies.study_part import PartnerCondition

PARTNERS = {
    "person": PartnerCondition(seats={}, published="4.17 on test"),
    "script": PartnerCondition(seats={"giver": "replay,until=peek"}, published="3.83 on test"),
    "weak": PartnerCondition(seats={"giver": "weights:a/b/weak"}),
}
MEANS = {"person": 4.0, "script": 3.0, "weak": 2.0}
QUESTION = FormQuestion(text="Who?", choices=("a person", "a program"), asks_partner=True)


def make_games() -> list[PartnerGame]:
    random, games = Random(1), []
    for item in range(12):
        for place, (name, mean) in enumerate(MEANS.items()):
            games.append(
                PartnerGame(
                    condition=name,
                    item=f"i{item}",
                    cluster=f"i{item}",
                    people=(f"p{(item + place) % 7}", "q")
                    if name == "person"
                    else (f"p{(item + place) % 7}",),
                    finished=not (name == "weak" and item < 6),
                    scores={"score": mean + random.gauss(0, 0.1), "part": mean / 4},
                    prior={"score": 1.0, "part": 0.0},
                    ratings={0: [float(name != "person")]},
                )
            )
    return games


def tables() -> list[TextTable]:
    alone = [
        SoloGame(name, f"i{item}", MEANS[name] - item % 2 / 9)
        for name in ("script", "weak")
        for item in range(12)
    ]
    results = PartnerResults(
        stage=partner_stage(partners=PARTNERS),
        measure="score",
        games=make_games(),
        alone=alone,
        questions=[QUESTION],
    )
    return partner_tables(results)


def rows_of(table: TextTable) -> dict[tuple[str, ...], tuple[str, ...]]:
    return {row.keys: row.cells for row in table.rows}


def test_scores_attrition_orders_and_ratios_are_those_of_the_games() -> None:
    scores, early, orders, ratios, ratings, measures = map(rows_of, tables())
    assert scores["script",][:3] == ("replay,until=peek", "follower", "12")
    assert scores["weak",][0] == "weights:weak"
    assert scores["weak",][2] == "6", "finished games only"
    assert [scores[name,][3][:3] for name in MEANS] == ["4.0", "3.0", "2.0"]
    assert [scores[name,][5] == "-" for name in MEANS] == [True, False, False]
    assert early["weak",] == ("12", "6", "6", "0", "0", "50.0")
    assert orders["script - weak",][3:] == ("1.000", "1.000", "1.000")
    plain, above = ratios["script / person", "finished"][1:]
    assert plain.startswith("0.7")
    assert above.startswith("0.6"), "(3 - 1) / (4 - 1)"
    assert ratings["person",][1] == "-"
    assert float(ratings["script",][1].split()[0]) > 2, "everybody knew the programs"
    assert measures["person",] == ("1.00", "1.00")
    assert measures["script",][1].startswith("0.75")
    assert "published: 3.83 / 4.17 = 0.918" in tables()[3].notes


def test_tables_are_pages_and_files_too() -> None:
    page, lines = render_table_page("A & B", tables()), render_table_csv(tables()).splitlines()
    assert "<title>A &amp; B</title>" in page
    assert page.count("<table>") == 6
    assert "replay,until=peek" in page
    assert lines[0].startswith("table,condition,partner")
    assert sum(line == "" for line in lines) == 5
