"""Runs of `groundling cross codraw`, as the tables read them: who played, what was said, what was drawn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Literal, TypeAlias

from msgspec import Struct
from papers.codraw.weights_folders import WeightsFolder, label_weights, read_weights_folder

from groundling.boards.scene import Scene, apply_changes
from groundling.boards.scene.batches import Batch, pack_scene_batch
from groundling.core.events import Transcript
from groundling.core.values import Problem, Role, Say
from groundling.games.codraw.instance import DRAWER, TELLER, CodrawInstance
from groundling.games.codraw.rules import DRAWS
from groundling.games.codraw.score import cluster
from groundling.players.player_specs import PlayerSpec, read_player_spec
from groundling.runs.run_folder import RunFolder

Script: TypeAlias = list[list[str]]
"""The messages of each game."""
Words: TypeAlias = Literal["own", "silent", "paraphrased"]
PlayerKey: TypeAlias = tuple[str, str, int | None]
"""What tells players apart: label, half and seed."""
PARAPHRASED = "paraphrased.jsonl"
"""The script in a run's folder that says its Teller's messages otherwise."""
PEOPLE, BEFORE_PEEK = "people", "people before the peek"


class RunPlayer(Struct, frozen=True):
    """A player of a run, as tables call it."""

    label: str
    half: str = ""
    """The half that it learned from; empty if it was not trained."""
    seed: int | None = None
    """The seed of its training; None for players without one."""
    weights: WeightsFolder | None = None

    @property
    def key(self) -> PlayerKey:
        return self.label, self.half, self.seed


class PlayedRun(Struct, frozen=True):
    """All scenes, played once by one pair."""

    path: Path
    teller: RunPlayer
    drawer: RunPlayer
    words: Words
    """Whether the Teller said its own words, none, or paraphrases of them."""
    script: Script
    drawn: Batch
    """The last canvases; empty ones where a game was aborted."""

    @property
    def seed(self) -> int:
        """The Teller's seed if it was trained, otherwise the Drawer's."""
        return (self.drawer.seed if self.teller.seed is None else self.teller.seed) or 0


class PlayedScenes(Struct, frozen=True):
    """What all runs of a folder have in common."""

    ids: list[str]
    source: str
    targets: Batch
    finals: Batch
    """What the people drew whose games were recorded."""
    unaided: Batch
    """The same when their Teller peeked."""
    clusters: list[str]

    @property
    def about(self) -> str:
        return f"{len(self.ids):,} scenes of {self.source} in {len(set(self.clusters)):,} clusters"


class RunCollection(Struct, frozen=True):
    scenes: PlayedScenes
    runs: list[PlayedRun]

    @property
    def weights(self) -> list[WeightsFolder]:
        found = [player.weights for run in self.runs for player in (run.teller, run.drawer)]
        return list({one.folder: one for one in found if one is not None}.values())


def find_runs(folder: Path) -> list[RunFolder]:
    found = [RunFolder(file.parent) for file in sorted(folder.glob("*/run.toml"))]
    if not found:
        raise Problem(f"{folder} holds no runs: make them with python -m papers.codraw play")
    return found


def seat_specs(run: RunFolder) -> dict[Role, PlayerSpec]:
    return {role: read_player_spec(text) for role, text in run.read_about()["plan"]["seats"].items()}


def read_collection(folder: Path) -> RunCollection:
    """Read all runs in a folder; they must be of the same scenes."""
    found = find_runs(folder)
    labelled = _read_weights(found)
    runs, scenes = [], None
    for run in found:
        games = read_games(run)
        if scenes is None:
            scenes = read_scenes(run, games)
        elif scenes.ids != [game.opened.instance.id for game in games]:
            raise Problem(f"{run.path} is of other scenes than {found[0].path}: keep them in two folders")
        runs.append(
            PlayedRun(
                run.path,
                *_name_players(run, labelled),
                [said_by(game, TELLER) for game in games],
                pack_scene_batch(_last_canvas(game) for game in games),
            )
        )
    assert scenes is not None
    return RunCollection(scenes, runs)


def read_games(run: RunFolder) -> list[Transcript]:
    """Read all games of a run, in the order of their ids."""
    games = sorted(run.read_transcripts(), key=lambda game: game.episode)
    many = run.read_about()["episodes"]
    ended = [game for game in games if game.status in ("played", "aborted")]
    if len(ended) < many:
        raise Problem(
            f"{run.path} has {len(ended):,} of {many:,} games: give the command that began it again"
        )
    return games


def read_scenes(run: RunFolder, games: Sequence[Transcript]) -> PlayedScenes:
    parks: list[CodrawInstance] = [game.opened.instance for game in games]
    people = [_recorded_canvases(park) for park in parks]
    return PlayedScenes(
        ids=[park.id for park in parks],
        source=run.read_about()["source"].rpartition(", ")[2].partition(" of ")[0],
        targets=pack_scene_batch(park.target for park in parks),
        finals=pack_scene_batch(final for final, _ in people),
        unaided=pack_scene_batch(unaided for _, unaided in people),
        clusters=[cluster(park) for park in parks],
    )


def said_by(game: Transcript, role: Role) -> list[str]:
    return [move.text for who, move in game.event_moves() if who == role and isinstance(move, Say)]


def _last_canvas(game: Transcript) -> Scene:
    if game.status == "aborted":
        return Scene()
    return apply_changes(Scene(), [move for _, move in game.event_moves() if isinstance(move, DRAWS)])


def _recorded_canvases(park: CodrawInstance) -> tuple[Scene, Scene]:
    """Return what people had drawn at the end, and when the Teller peeked."""
    canvas, unaided = Scene(), None
    for turn in park.recorded:
        if turn.peek and unaided is None:
            unaided = canvas
        canvas = apply_changes(canvas, turn.changes)
    return canvas, canvas if unaided is None else unaided


def _read_weights(runs: Iterable[RunFolder]) -> dict[str, WeightsFolder]:
    """Read the cards of all trained players, by the folder as the runs name it."""
    specs = (spec for run in runs for spec in seat_specs(run).values())
    names = dict.fromkeys(spec.arg for spec in specs if spec.name == "weights")
    found = label_weights([read_weights_folder(Path(name)) for name in names])
    return dict(zip(names, found, strict=True))


def _name_players(run: RunFolder, labelled: dict[str, WeightsFolder]) -> tuple[RunPlayer, RunPlayer, Words]:
    specs, words = seat_specs(run), _words_of(run)
    source = words_source(run)
    teller = _name_player(source, TELLER, seat_specs(source)[TELLER], labelled)
    return teller, _name_player(run, DRAWER, specs[DRAWER], labelled), words


def _words_of(run: RunFolder) -> Words:
    teller = seat_specs(run)[TELLER]
    if teller.name == "silent":
        return "silent"
    return "paraphrased" if teller.name == "script" and Path(teller.arg).name == PARAPHRASED else "own"


def words_source(run: RunFolder) -> RunFolder:
    """Return the run whose Teller spoke first: this one, or the one that its Teller repeats."""
    arg, words = Path(seat_specs(run)[TELLER].arg), _words_of(run)
    return run if words == "own" else RunFolder(arg if words == "silent" else arg.parent)


def _name_player(
    run: RunFolder, role: Role, spec: PlayerSpec, labelled: dict[str, WeightsFolder]
) -> RunPlayer:
    facts: dict[str, str] = run.read_about()["plan"].get("players", {}).get(role, {})
    if spec.name == "weights":
        weights = labelled[spec.arg] if spec.arg in labelled else read_weights_folder(Path(spec.arg))
        if weights.digest != facts["weights"]:
            raise Problem(f"{run.path} was played with other weights than are in {spec.arg}: play it again")
        return RunPlayer(weights.label, weights.half, weights.seed, weights)
    if spec.name == "replay" and role == TELLER:
        return RunPlayer(BEFORE_PEEK if spec.options.get("until") == "peek" else PEOPLE)
    return RunPlayer(spec.name, facts.get("half", ""))


def split_folders(out: Path) -> Iterator[tuple[str, Path]]:
    """Yield the folders of runs below one that `play` made: of the paper's halves, and of grouped ones."""
    found = [(name, out / name) for name in ("paper", "grouped") if (out / name / "runs").is_dir()]
    if not found:
        raise Problem(f"{out} holds no runs: make them with python -m papers.codraw play")
    yield from found
