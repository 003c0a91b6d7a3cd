from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundling.core.values import Problem
from groundling.scores.label_file import LabelColumns, parse_label_file

WIDE = b"item,anna,ben,image\n1,0,0,x\n2,1,2,x\n3,,1.5,y\n"


def long_table(delimiter: str, ratings: list[list[Any]]) -> bytes:
    rows = [
        delimiter.join((str(item), f"p{person}", str(label)))
        for item, row in enumerate(ratings)
        for person, label in enumerate(row)
        if label is not None
    ]
    return "\n".join([delimiter.join(("item", "annotator", "label")), *rows]).encode()


def test_a_wide_table_has_a_column_for_each_annotator() -> None:
    found = parse_label_file("t.csv", WIDE, LabelColumns(cluster="image"))
    assert found.annotators == ["anna", "ben"]
    assert found.ratings == [[0, 0], [1, 2], [None, 1.5]]
    assert found.clusters == ["x", "x", "y"]


def test_columns_can_be_chosen() -> None:
    columns = LabelColumns(item="image", annotators=("ben", "item"))
    with pytest.raises(Problem, match="has the item 'x' twice"):
        parse_label_file("t.csv", WIDE, columns)
    found = parse_label_file("t.csv", WIDE, LabelColumns(annotators=("ben", "anna")))
    assert found.annotators == ["ben", "anna"]


@pytest.mark.parametrize("delimiter", [",", "\t", ";"])
@given(
    ratings=st.lists(st.lists(st.sampled_from(["a", "b"]), min_size=2, max_size=2), min_size=1, max_size=5)
)
def test_a_long_table_reads_back(delimiter: str, ratings: list[list[Any]]) -> None:
    found = parse_label_file("t", long_table(delimiter, ratings))
    assert (found.ratings, found.annotators) == (ratings, ["p0", "p1"])


def test_json_lines_hold_sets_and_missing_labels() -> None:
    content = b'{"id": 1, "a": ["x", "y"], "b": []}\n\n{"id": 2, "a": null, "b": ["x"]}\n'
    found = parse_label_file("t.jsonl", content)
    assert found.ratings == [[frozenset("xy"), frozenset()], [None, frozenset("x")]]
    assert found.sets


def test_several_rows_of_a_long_table_are_a_set() -> None:
    content = b"item,annotator,label\n1,a,x\n1,a,y\n1,b,\n2,b,x\n"
    found = parse_label_file("t.csv", content, sets=True)
    assert found.ratings == [[frozenset("xy"), frozenset()], [None, frozenset("x")]]
    with pytest.raises(Problem, match="has two labels of 'a' for the item '1'"):
        parse_label_file("t.csv", content)


def test_spans_have_a_text_or_a_length() -> None:
    content = b"item,annotator,label,start,end,text\n1,a,goal,0,2,abcd\n1,a,goal,3,4,abcd\n1,b,,,,abcd\n"
    found = parse_label_file("t.csv", content)
    assert found.ratings == [[((0, 2, "goal"), (3, 4, "goal")), ()]]
    assert found.lengths == [4]
    again = parse_label_file("t.csv", content.replace(b"text", b"length").replace(b"abcd", b"4"))
    assert again.ratings == found.ratings
    assert again.lengths == [4]


def test_another_sign_for_missing_labels() -> None:
    found = parse_label_file("t.csv", b"item,a,b\n1,NA,2\n2,1,1\n", missing="NA")
    assert found.ratings == [[None, 2], [1, 1]]


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "has fewer than two columns"),
        (b"item,a,b\n", "has no rows of labels"),
        (b"\xff\xfe", "is not UTF-8 text"),
        (b"item,a,b\n1,2\n", "t:2 has not as many cells as the header"),
        (b'item,a,b\n1,"2,3\n', "is not a row of the table"),
        (b"{\n", "t:1 is not a JSON object"),
        (b"item,a\n1,2\n", "fewer than two annotators"),
        (b"item,a,b\n1,2,2\n1,2,2\n", "has the item '1' twice"),
        (b"annotator,label\na,1\n", "has no column of items"),
        (b"item,annotator,label,start,end\n1,a,x,0,2\n", "no length of the text"),
        (
            b"item,annotator,label,start,end,length\n1,a,x,0,9,4\n",
            "has the span 0 to 9 in a text of length 4",
        ),
        (b"item,annotator,label,start,end,length\n1,a,x,zero,9,4\n", "is not a whole number"),
    ],
)
def test_wrong_tables_get_one_line(content: bytes, told: str) -> None:
    with pytest.raises(Problem, match=told) as caught:
        parse_label_file("t", content)
    assert "\n" not in str(caught.value)


def test_an_item_in_two_clusters_is_refused() -> None:
    content = b"item,annotator,label,image\n1,a,x,i\n1,b,x,j\n"
    with pytest.raises(Problem, match="has the item '1' in two clusters"):
        parse_label_file("t", content, LabelColumns(cluster="image"))
