"""Builds a task from its `-T` options: instances, game settings and seats."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, TypeVar

import msgspec
from inspect_ai import Task
from inspect_ai._util.error import (
    PrerequisiteError,  # inspect-evals-lint: ignore[IECQ001] -- no public error is printed in one line
)
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import HeadlineMetric
from inspect_ai.model import model_roles
from msgspec import Meta, Struct

from groundling import __version__
from groundling.bridges.inspect.models import GroundlingModel
from groundling.bridges.inspect.scoring import game_scores, scoring_metrics
from groundling.bridges.inspect.table_solver import (
    ModelSettings,
    TableSetup,
    main_solver_model,
    seat_solver_models,
    seat_solver_players,
    table_solver,
)
from groundling.core.game import AnyGame
from groundling.core.pack import Pack, choices_hint, command_name, find, load, resolve_settings
from groundling.core.values import Instance, Problem, Role, wrong_value
from groundling.files import file_error_advice
from groundling.players.player_specs import make_players_from_specs, read_seat_specs, with_recorded_specs
from groundling.runs.instances import check_instance_ids, choose_instances, make_instances
from groundling.runs.run import read_run_recordings
from groundling.runs.sampling import count_strata, find_stratum, order_by_rotation

F = TypeVar("F", bound=Callable[..., Task])


class TaskOptions(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The options of every task; the settings of the game are added."""

    seats: str | list[str] = ""
    """Seats of our own players: ROLE=PLAYER, separated by commas or blanks."""
    instances: str = ""
    """A file of instances; the built-in set by default."""
    data: str = ""
    """The folder or file of published data."""
    split: str = ""
    """The part of the data."""
    splits: str = ""
    """A file made by `groundling data split`; `split` then names one of its splits."""
    seed: int | None = None
    """Make new instances with this seed."""
    n: Annotated[int, Meta(ge=1)] | None = None
    """The number of instances to make or to play."""
    set: str = ""
    """Only this set."""
    see: str = "text"
    """How models are shown a board: text, image or both."""
    language: str = "en"
    wording: str = ""
    """The prompt, by default the game's own; with `all`, the epochs cycle through the wordings."""
    tools: bool = False
    """Models may crop and turn the picture, and think aloud, before they answer."""
    strict: bool = False
    retries: Annotated[int, Meta(ge=0)] = 1


def with_task_parameters(name: str) -> Callable[[F], F]:
    """Give a task function its game's parameters by name, so that Inspect can list them. Unknown options are
    passed on and rejected later, since Inspect would only warn."""

    def decorate_task(function: F) -> F:
        fields = {**_field_defaults(TaskOptions), **_field_defaults(load(find(name).game).Settings)}
        keyword = inspect.Parameter.KEYWORD_ONLY
        known = [inspect.Parameter(field, keyword, default=default) for field, default in fields.items()]
        unknown = inspect.Parameter("unknown", inspect.Parameter.VAR_KEYWORD)

        @wraps(function)
        def call_task(**options: Any) -> Task:
            return function(**options)

        call_task.__signature__ = inspect.Signature([*known, unknown])  # type: ignore[attr-defined]
        return call_task  # type: ignore[return-value]

    return decorate_task


def _field_defaults(kind: type[Struct]) -> dict[str, Any]:
    return msgspec.to_builtins(kind())  # type: ignore[no-any-return]


def build_task(name: str, options: Mapping[str, Any]) -> Task:
    try:
        return _make_task(find(name), dict(options))
    except Problem as trouble:
        raise PrerequisiteError(f"{name}: {trouble}") from None
    except (OSError, UnicodeDecodeError) as trouble:
        raise PrerequisiteError(f"{name}: {file_error_advice(trouble)}") from None


def _make_task(pack: Pack, given: dict[str, Any]) -> Task:
    options, game = _read_options(pack, given)
    offered = _offered_instances(pack, options)
    instances = order_by_rotation(pack, offered)  # as --limit of groundling play does
    if options.seed is None and options.n is not None:
        instances = instances[: options.n]
    seats = read_seat_specs(_split_seats(options.seats, pack), pack)
    seats |= _recorded_seats(seats, pack, game, instances)
    reading = options.strict, options.retries, options.seed or 0
    wording = options.wording or pack.wordings.default
    manner = ModelSettings(options.see, options.language, wording, *reading, options.tools)

    def lay_table(game: AnyGame) -> TableSetup:
        players = make_players_from_specs(
            pack, game, seats, instances, lambda path: read_run_recordings(Path(path))
        )
        return TableSetup(pack, game, instances, players, manner)

    laid = lay_table(game)
    models = {
        role for role, model in seat_solver_models(laid).items() if not isinstance(model.api, GroundlingModel)
    }
    settings = resolve_settings(pack, game.settings, models)
    if settings != game.settings:
        game = pack.new(settings)
        laid = lay_table(game)
    there = seat_solver_players(laid)  # errors in seats are reported before anything is played
    if pack.data.fits is not None:
        load(pack.data.fits)(game, {role: player.name for role, player in there.items()}, instances)
    for role, model in seat_solver_models(laid).items():
        if isinstance(model.api, GroundlingModel):
            model.api.seat_player(laid, role)
    strata = count_strata(pack, offered)
    return Task(
        dataset=MemoryDataset(
            [build_task_sample(pack, game, instance, strata) for instance in instances],
            name=f"{pack.name} ({_source_label(options)})",
        ),
        solver=table_solver(laid)(pack.name, seats),
        scorer=game_scores(command_name(pack)),
        metrics=scoring_metrics(pack),
        headline_metric=HeadlineMetric(score=load(pack.measures)[0].name, metric="groundling/weighted_mean"),
        version=__version__,
        metadata={
            "groundling": __version__,
            "game": pack.name,
            "settings": msgspec.to_builtins(game.settings),
            "seats": seats,
            "main_model": [role for role in laid.free_roles() if role not in model_roles()],
            "strata": strata,
        },
    )


def _recorded_seats(
    seats: Mapping[Role, str], pack: Pack, game: AnyGame, instances: Sequence[Instance]
) -> dict[Role, str]:
    """Return the seats that recordings take because no player or model does."""
    needed = {role for instance in instances for role in game.seats(instance)}
    free = [role for role in pack.roles if role in needed and role not in seats and role not in model_roles()]
    carried = with_recorded_specs(seats, pack, game, instances)
    if free and main_solver_model() is not None and all(role in carried for role in free):
        if len(free) > 1:
            raise Problem(
                f"--model could take {' or '.join(free)}: say who takes the other, "
                f"as with -T seats={free[0]}=replay"
            )
        return {}
    return {role: carried[role] for role in free if role in carried}


def _read_options(pack: Pack, given: dict[str, Any]) -> tuple[TaskOptions, AnyGame]:
    """Return the common options, and the game with its settings."""
    kind = load(pack.game).Settings
    own = {field.name for field in msgspec.structs.fields(kind)}
    common = {field.name for field in msgspec.structs.fields(TaskOptions)}
    if clash := sorted(own & common):
        raise Problem(
            f"{kind.__name__}.{clash[0]} has the name of an option that every task has: rename the field"
        )
    for key in given:
        if key not in own | common:
            raise Problem(f"there is no option -T {key}: {choices_hint(own | common)}")
    try:
        options = msgspec.convert(
            {key: value for key, value in given.items() if key in common}, TaskOptions, strict=False
        )
        settings = msgspec.convert(
            {key: value for key, value in given.items() if key in own}, kind, strict=False
        )
    except msgspec.ValidationError as trouble:
        field, told = wrong_value(trouble)
        raise Problem(f"-T {field}={given.get(field)}: {told}") from None
    return options, pack.new(settings)


def _split_seats(seats: str | list[str], pack: Pack) -> list[str]:
    """Split the seats. The text after a comma is a new seat or another option of the player before it."""
    found: list[str] = []
    for part in seats.replace(" ", ",").split(",") if isinstance(seats, str) else seats:
        if part and found and part.partition("=")[0] not in pack.roles:
            found[-1] += f",{part}"
        elif part:
            found.append(part)
    return found


def _offered_instances(pack: Pack, options: TaskOptions) -> list[Instance]:
    if sum(map(bool, (options.instances, options.data, options.seed is not None))) > 1:
        raise Problem(
            "instances come from a file, from published data or from a seed: "
            "give one of -T instances, data, seed"
        )
    if options.seed is not None:
        n = {} if options.n is None else {"n": options.n}
        found = make_instances(pack, load(pack.recipe)(seed=options.seed, **n))
    else:
        file, data, splits = (
            Path(name) if name else None for name in (options.instances, options.data, options.splits)
        )
        found = choose_instances(pack, file, data, options.split, splits).instances
    check_instance_ids("the task", found)
    if options.set:
        sets = sorted({instance.set for instance in found})
        found = [instance for instance in found if instance.set == options.set]
        if not found:
            raise Problem(f"there is no set {options.set!r}: {choices_hint(sets)}")
    return found


def _source_label(options: TaskOptions) -> str:
    made = f"seed {options.seed}" if options.seed is not None else "built in"
    return options.instances or options.data or made


def build_task_sample(
    pack: Pack, game: AnyGame, instance: Instance, strata: Mapping[str, Mapping[str, int]]
) -> Sample:
    """Make the sample of an instance. Its input and target are for readers of the log; players see their own
    views. `strata` are the sizes of all sets and categories, for means over them."""
    first = game.turn(state := game.start(instance))
    shown = load(pack.draw)(game.view(state, first)).text if first else pack.about
    name, category = find_stratum(pack, instance)
    return Sample(
        id=instance.id,
        input=shown,
        target=load(pack.outcome)(game, state)[0],
        metadata={
            "set": name or pack.name,
            "category": category,
            "stratum_size": strata.get(name, {}).get(category),
            "cluster": load(pack.cluster)(instance),
        },
    )
