import pytest
from msgspec.structs import replace

from groundling.core.pack import find, load
from groundling.core.player import Reply
from groundling.core.values import Problem
from groundling.players.player_specs import (
    PlayerSpec,
    check_seat_specs,
    make_players_from_specs,
    read_player_spec,
    read_seat_specs,
    with_recorded_specs,
)

pack = find("reference")


def test_a_spec_has_a_name_an_argument_and_options() -> None:
    assert read_player_spec("script:a/b.txt,see=text,top=1") == PlayerSpec(
        "script", "a/b.txt", {"see": "text", "top": "1"}
    )
    assert read_player_spec("gold") == PlayerSpec("gold", "", {})


@pytest.mark.parametrize(
    ("seats", "why"),
    [
        (["giver=gold", "drawer=gold"], "no seat 'drawer': choose from follower, giver"),
        (["giver=gold", "giver=rule", "follower=gold"], "taken twice"),
        (["giver"], "not ROLE=PLAYER"),
        (["giver="], "not ROLE=PLAYER"),
    ],
)
def test_seats_that_make_no_sense_are_reported_in_one_line(seats: list[str], why: str) -> None:
    with pytest.raises(Problem, match=why):
        read_seat_specs(seats, pack)


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
def test_players_that_cannot_take_a_seat_are_reported_in_one_line(follower: str, why: str) -> None:
    def nowhere(name: str) -> dict[str, object]:
        raise Problem(f"{name} is not a run")

    with pytest.raises(Problem, match=why):
        make_players_from_specs(pack, pack.new(), {"giver": "gold", "follower": follower}, [], nowhere)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["fullest", "rule"])
def test_a_follower_cannot_give(name: str) -> None:
    with pytest.raises(Problem, match="follower"):
        make_players_from_specs(pack, pack.new(), {"giver": name}, [], lambda name: {})


def test_an_empty_seat_is_taken_by_the_recording_if_all_instances_carry_one() -> None:
    instances = load(pack.builtin)()[:3]
    everywhere = replace(
        pack, recorded=lambda seat: lambda instance: [Reply(text="x")] if seat.role == "giver" else ()
    )
    assert with_recorded_specs({"follower": "gold"}, everywhere, pack.new(), instances) == {
        "giver": "replay",
        "follower": "gold",
    }
    assert with_recorded_specs({"giver": "gold"}, everywhere, pack.new(), instances) == {"giver": "gold"}
    here = replace(
        pack, recorded=lambda seat: lambda instance: [Reply(text="x")] if instance is instances[0] else ()
    )
    assert with_recorded_specs({"follower": "gold"}, here, pack.new(), instances) == {"follower": "gold"}
    assert with_recorded_specs({"follower": "gold"}, here, pack.new(), instances[:1]) == {
        "giver": "replay",
        "follower": "gold",
    }
    assert with_recorded_specs({"follower": "gold"}, pack, pack.new(), instances) == {"follower": "gold"}


def test_a_game_may_refuse_what_does_not_go_together() -> None:
    def fits(game: object, players: object, instances: object) -> None:
        raise Problem(f"not like this: {players}")

    picky = replace(pack, fits=fits)
    with pytest.raises(Problem, match="'giver': 'gold', 'follower': 'script'"):
        check_seat_specs(
            {"giver": "gold", "follower": "script:f.txt"}, picky, pack.new(), load(pack.builtin)()[:1]
        )


def test_a_recording_that_some_instance_lacks_cannot_be_replayed() -> None:
    instances = load(pack.builtin)()[:2]
    here = replace(
        pack, recorded=lambda seat: lambda instance: [Reply(text="x")] if instance is instances[0] else ()
    )
    with pytest.raises(Problem, match=f"{instances[1].id} has no recording of the giver"):
        make_players_from_specs(
            here, pack.new(), {"giver": "replay", "follower": "gold"}, instances, lambda name: {}
        )
