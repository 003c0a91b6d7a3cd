import pytest

from groundling.core.pack import find
from groundling.core.values import Problem
from groundling.players.seating import Spec, read_seats, read_spec, sit_down

pack = find("reference")


def test_a_spec_has_a_name_an_argument_and_options() -> None:
    assert read_spec("script:a/b.txt,see=text,top=1") == Spec("script", "a/b.txt", {"see": "text", "top": "1"})
    assert read_spec("gold") == Spec("gold", "", {})


@pytest.mark.parametrize(
    ("seats", "why"),
    [
        (["giver=gold", "drawer=gold"], "no seat 'drawer': choose from follower, giver"),
        (["giver=gold", "giver=rule", "follower=gold"], "taken twice"),
        (["giver"], "not ROLE=PLAYER"),
        (["giver="], "not ROLE=PLAYER"),
    ],
)
def test_seats_that_make_no_sense_are_told_in_one_line(seats: list[str], why: str) -> None:
    with pytest.raises(Problem, match=why):
        read_seats(seats, pack)


@pytest.mark.parametrize(
    ("follower", "why"),
    [
        ("nobody", "no player 'nobody': choose from fullest, gguf, gold"),
        ("gold,see=text", "takes no option see"),
        ("gold,see", "not key=value"),
        ("script", "needs a file"),
        ("replay", "name a run"),
        ("replay:nowhere", "not a run"),
    ],
)
def test_players_that_cannot_sit_down_are_told_in_one_line(follower: str, why: str) -> None:
    def nowhere(name: str) -> dict[str, object]:
        raise Problem(f"{name} is not a run")

    with pytest.raises(Problem, match=why):
        sit_down(pack, pack.new(), {"giver": "gold", "follower": follower}, [], nowhere)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["fullest", "rule"])
def test_a_follower_cannot_give(name: str) -> None:
    with pytest.raises(Problem, match="follower"):
        sit_down(pack, pack.new(), {"giver": name}, [], lambda name: {})
