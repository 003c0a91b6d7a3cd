from pathlib import Path
from typing import Any

import pytest

from groundling.core.pack import find, load
from groundling.core.values import CANARY, Problem
from groundling.runs.instances import (
    choose_instances,
    encode_instances,
    hash_instances_seed,
    instances_seed_path,
    make_fresh_instances,
    make_instances,
    read_instances,
    reveal_instances_seed,
)

pack = find("reference")
Recipe: Any = load(pack.recipe)


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    made = make_instances(pack, Recipe(n=5, seed=1))
    (tmp_path / "a.jsonl").write_bytes(encode_instances(made))
    assert read_instances(pack, tmp_path / "a.jsonl") == made


def test_every_instance_says_where_it_comes_from() -> None:
    made = make_instances(pack, Recipe(n=5, seed=7))
    assert {(instance.origin, instance.canary) for instance in made} == {("seed 7", CANARY)}


def test_a_fresh_set_carries_the_hash_of_its_seed_and_not_the_seed(tmp_path: Path) -> None:
    made, private = make_fresh_instances(pack, Recipe(n=5))
    again, other = make_fresh_instances(pack, Recipe(n=5))
    assert made != again
    assert private.seed != other.seed
    assert {instance.origin for instance in made} == {f"sha256:{hash_instances_seed(private.seed)}"}
    assert str(private.seed).encode() not in encode_instances(made)


def test_a_fresh_seed_can_be_revealed_and_proved(tmp_path: Path) -> None:
    import msgspec

    made, private = make_fresh_instances(pack, Recipe(n=5, fill=True))
    path = tmp_path / "a.jsonl"
    path.write_bytes(encode_instances(made))
    instances_seed_path(path).write_bytes(msgspec.json.encode(private))
    assert reveal_instances_seed(pack, path) == private.seed
    path.write_bytes(encode_instances(made[:-1]))
    with pytest.raises(Problem, match="did not come from the seed"):
        reveal_instances_seed(pack, path)
    instances_seed_path(path).write_text("{")
    with pytest.raises(Problem, match="not the recipe"):
        reveal_instances_seed(pack, path)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda lines: [lines[0], b"{", *lines[2:]], "a.jsonl:2 is not an instance of reference"),
        (lambda lines: [lines[0], b"\xff\xfe", *lines[2:]], "a.jsonl:2 is not an instance of reference"),
        (lambda lines: [*lines, lines[0]], "two instances with the id 'edits-2-1'"),
        (lambda lines: [lines[0].replace(b"edits-2-1", b"")], "instance with id ''"),
        (lambda lines: [lines[0].replace(b'"set":"edits-2"', b'"set":"all"')], "set called 'all'"),
        (lambda lines: [lines[0].replace(b"edits-2-1", b"a#2")], "holds no '#'"),
        (lambda lines: [lines[0].replace(b'"giver":[', b'"giver":[5,')], "each of"),
        (lambda lines: [], "holds no instances"),
    ],
)
def test_a_broken_file_is_named_with_its_line(tmp_path: Path, change: object, why: str) -> None:
    lines = encode_instances(make_instances(pack, Recipe(n=3, edits="2"))).splitlines()
    (tmp_path / "a.jsonl").write_bytes(b"\n".join(change(lines)))  # type: ignore[operator]
    with pytest.raises(Problem, match=why):
        read_instances(pack, tmp_path / "a.jsonl")


def test_nothing_cannot_be_made() -> None:
    with pytest.raises(Problem, match="at least 1"):
        make_instances(pack, Recipe(n=0))


def test_data_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(Problem, match=r"--data .*nowhere does not exist"):
        choose_instances(find("reference"), None, tmp_path / "nowhere", "", None)
