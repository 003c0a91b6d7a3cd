"""Bots that take part in a study over HTTP and sockets, as browsers do. In games they play as the game's own
players, with slips; what such a player sees, they read from the pilot's database."""

from __future__ import annotations

import asyncio
import http.client
import json
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import Executor
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct, field
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from groundling.core.annotation_item import AnnotationItem
from groundling.core.events import Opened, event_decoder
from groundling.core.pack import find, load
from groundling.core.player import Ask, Player
from groundling.core.replay import EpisodeReplay
from groundling.core.values import Problem, Role
from groundling.players.player_specs import make_player_from_spec
from groundling.studies.annotation_bots import confuse_values
from groundling.studies.annotation_schema import AnnotationField
from groundling.studies.pilot import BotHabits
from groundling.studies.study import DrawTask, Study
from groundling.web.stimuli import refuse_room_recordings
from groundling.web.store import Booking
from groundling.web.study_store import open_study_database_for_reading

BotPage: TypeAlias = dict[str, Any]
LOST = (OSError, http.client.HTTPException, WebSocketException, TimeoutError)
"""What a bot meets when the server is gone for a while."""
RETRY_SECONDS = 0.2
REQUEST_SECONDS = 60.0
DRAW_BADLY = 0.2
"""The probability that a bot first sends an empty drawing, or a copy of another."""


class BotHost(Struct):
    """Where bots go. The port stays the same when the server is started again."""

    port: int
    study: str
    database: Path | str
    threads: Executor
    complete: bool = False
    """The study needs nobody any more."""
    undecided: frozenset[str] = frozenset()
    """People about whom an administrator or a rank has not decided yet."""
    drawn: list[Any] = field(default_factory=list)
    """Instances that bots have drawn."""
    items: dict[str, AnnotationItem] = field(default_factory=dict)
    """Items to annotate by their texts, since pages do not tell their names."""

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"


class StudyBot:
    def __init__(self, host: BotHost, study: Study, name: str, random: Random, habits: BotHabits) -> None:
        self._host, self._study, self.name, self._random, self._habits = host, study, name, random, habits
        self._cookie = ""
        self._slip = habits.slip * (5 if random.random() < habits.be_careless else 1)
        early = random.randint(1, 3)
        self._leaves_at = early if random.random() < habits.leave else 0
        self._silent_at = early if random.random() < habits.fall_silent else 0
        self._tasks: list[str] = []
        self._thinking = 1.1 * max(stage.least_seconds for stage in study.stages)
        """Seconds before it begins a task, so that no answer is too fast to count."""
        self.person = ""
        self.outcome = ""
        """The outcome on the last page."""
        self.acknowledged: list[str] = []
        """Tasks whose answers the server has taken."""
        self.taken_moves = 0
        self.refused_drawings = 0

    # Requests

    def _request(self, method: str, path: str, body: Any = None) -> tuple[http.client.HTTPResponse, bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self._host.port, timeout=REQUEST_SECONDS)
        try:
            headers = {"origin": self._host.origin, "cookie": self._cookie}
            connection.request(method, path, json.dumps(body) if body else None, headers)
            answer = connection.getresponse()
            return answer, answer.read()
        finally:
            connection.close()

    async def _send(self, method: str, path: str, body: Any = None) -> tuple[http.client.HTTPResponse, bytes]:
        """Send a request until it is answered."""
        while True:
            try:
                return await asyncio.get_running_loop().run_in_executor(
                    self._host.threads, self._request, method, path, body
                )
            except LOST:
                await asyncio.sleep(RETRY_SECONDS)

    async def _act(self, action: str, **fields: Any) -> BotPage:
        while True:
            answer, body = await self._send(
                "POST", f"/study/{self._host.study}/act", {"do": action, **fields}
            )
            if answer.status not in (429, 503):
                break
            await asyncio.sleep(RETRY_SECONDS)
        page: BotPage = json.loads(body)
        if answer.status != 200:
            raise Problem(f"{self.name} was refused {action}: {page.get('error')}")
        self.person = page["code"]
        if page["page"] == "game":
            page["seat"] = (answer.getheader("set-cookie") or "").partition(";")[0]
        return page

    async def _arrive(self) -> BotPage:
        if not self._cookie:
            answer, _ = await self._send("GET", f"/study/{self._host.study}?person={self.name}")
            self._cookie = (answer.getheader("set-cookie") or "").partition(";")[0]
        if self._random.random() < self._habits.arrive_twice:
            await self._act("open", visit="new")
        return await self._act("open", visit="new")

    # The way through the study

    async def take_part(self) -> None:
        """Walk through the study once, and perhaps come back after leaving."""
        finished = await self._walk(await self._arrive())
        if not finished and self._random.random() < self._habits.come_back:
            self._leaves_at = self._silent_at = 0
            await asyncio.sleep(self._random.uniform(0.5, 2))
            finished = await self._walk(await self._arrive())
        if finished and self._study.groups:
            await self._look_for_work()

    async def _look_for_work(self) -> None:
        """Come back until it is decided about a group, and for items that others make."""
        visits = 0
        while self.outcome == "finished" and visits < self._habits.visits and not self._host.complete:
            visits += self.person not in self._host.undecided
            await asyncio.sleep(self._random.uniform(1, 3))
            page = await self._act("open", visit="new")
            if page["page"] != "end":
                visits = 0
                if not await self._walk(page):
                    return

    async def _walk(self, page: BotPage) -> bool:
        """Do all tasks; returns False where the bot has left or fallen silent."""
        steps: dict[str, Callable[[BotPage], Awaitable[BotPage]]] = {
            "consent": self._consent,
            "quiz": self._answer_questions,
            "questionnaire": self._answer_questions,
            "wait": self._wait,
            "game": self._play,
            "draw": self._draw,
            "annotate": self._annotate,
            "between": self._reopen,
            "next": self._start,
        }
        while page["page"] != "end":
            if task := page.get("task"):
                self._tasks += [task] if task not in self._tasks else []
                if len(self._tasks) == self._silent_at:
                    return False
                if len(self._tasks) == self._leaves_at and await self._leave(page):
                    return False
                await asyncio.sleep(self._thinking)
            page = await steps[page["page"]](page)
        self.outcome = page["outcome"]
        return True

    async def _consent(self, page: BotPage) -> BotPage:
        agreed = self._random.random() >= self._habits.decline
        return await self._act("consent", agreed=agreed, of_age=agreed)

    async def _answer_questions(self, page: BotPage) -> BotPage:
        right = {
            question.text: question.answer
            for stage in self._study.stages
            for question in stage.questions
            if question.answer
        }
        answers = []
        for question in page["questions"]:
            number = str(question.get("least") or question.get("most") or 0)
            choices = question["choices"] or [number if question["kind"] == "number" else "nothing to add"]
            known = right.get(question["text"])
            slips = known is None or self._random.random() < self._slip
            answers.append(self._random.choice(choices) if slips else known)
        answered = await self._act("submit", task=page["task"], answers=answers)
        self.acknowledged.append(page["task"])
        return answered

    async def _draw(self, page: BotPage) -> BotPage:
        """Draw an instance of the game's recipe; sometimes send nothing or a copy first, which is refused."""
        game = next(stage.task.game for stage in self._study.stages if isinstance(stage.task, DrawTask))
        canvas = find(game).live.gallery.canvas  # type: ignore[union-attr]
        assert canvas is not None
        assert canvas.moves is not None
        bad = [[], self._host.drawn[-1:]] if self._random.random() < DRAW_BADLY else []
        while True:
            images = bad.pop() if bad else [await asyncio.to_thread(self._make_instance, game)]
            moves = [move for image in images for move in load(canvas.moves)(image)]
            try:
                after = await self._act("submit", task=page["task"], moves=msgspec.to_builtins(moves))
            except Problem:
                self.refused_drawings += 1
                continue
            self._host.drawn += images
            self.acknowledged.append(page["task"])
            return after

    async def _annotate(self, page: BotPage) -> BotPage:
        """Label all items, with the true values or, at the rate of its slips, others."""
        answer, body = await self._send("POST", f"/study/{self._host.study}/items", {"task": page["task"]})
        if answer.status != 200:
            return await self._act("open")  # its time was up meanwhile
        task = json.loads(body)
        fields = msgspec.convert(task["fields"], tuple[AnnotationField, ...])
        labels = []
        for shown in task["items"]:
            item = self._host.items[shown["text"]]
            labels.append({"values": confuse_values(fields, item, self._random, self._slip), "seconds": 1.0})
        after = await self._act("submit", task=page["task"], labels=labels)
        self.acknowledged.append(page["task"])
        return after

    def _make_instance(self, game: str) -> Any:
        pack = find(game)
        recipe = load(pack.recipe)(n=8, seed=self._random.randrange(10**6))
        return self._random.choice(load(pack.make)(recipe))

    async def _wait(self, page: BotPage) -> BotPage:
        if page["machine"] and self._random.random() < self._habits.accept_machine:
            return await self._act("machine")
        return await self._act("wait")

    async def _start(self, page: BotPage) -> BotPage:
        return await self._act("start")

    async def _reopen(self, page: BotPage) -> BotPage:
        return await self._act("open")

    async def _leave(self, page: BotPage) -> bool:
        """Leave during a task: by the button, or without a word, before or during a game."""
        if self._random.random() < 0.5:
            self.outcome = (await self._act("leave"))["outcome"]
        elif page["page"] == "game":
            await self._play(page, self._random.randint(1, 2))
        return True

    # Games

    async def _play(self, page: BotPage, most: int = 1000) -> BotPage:
        """Play the game to its end, or at most this number of replies, and go back to the study's page."""
        path = page["path"].partition("?")[0]
        room, role = path.split("/")[2:4]
        address = f"ws://127.0.0.1:{self._host.port}{path}socket"
        origin: Any = self._host.origin
        try:
            async with connect(
                address, additional_headers={"cookie": page["seat"]}, origin=origin, open_timeout=30
            ) as socket:
                await self._talk(socket, room, role, most)
        except LOST:
            await asyncio.sleep(RETRY_SECONDS)
        return page if most < 1000 else await self._act("open")

    async def _talk(self, socket: ClientConnection, room: str, role: Role, most: int) -> None:
        player: Player | None = None
        asked, shown, meant = 0, dict[str, Any](), tuple[Any, ...]()
        async for message in socket:
            told = json.loads(message)
            self.taken_moves += len(told.get("taken", ()))
            if told["type"] == "refused":
                if told["why"] == "the game is over":  # it ended while the bot was thinking
                    return
                if not meant:
                    raise Problem(f"{self.name} was refused a move as {role}: {told['why']}")
                await self._send_moves(socket, asked, meant)  # a slip that the rules do not allow
                meant = ()
                continue
            shown |= told
            if told["type"] in ("restart", "elsewhere") or shown.get("phase") in ("over", "closed"):
                return
            if shown.get("phase") == "playing" and shown.get("partner") == "away":
                await socket.send('{"do": "end"}')
            elif told.get("turn") or (shown.get("turn") and "taken" in told):
                if asked >= most:
                    return
                asked += 1
                replay, booking = self._read_room(room)
                if replay is None or replay.awaited_role != role:
                    continue
                player = player or self._make_player(replay, booking, role)
                past = replay.past.get(role, ())
                reply = await player.act(Ask(room, role, replay.view(role), past, None, booking.seed))
                moves = reply.moves or replay.game.read(replay.state, role, reply.text or "").moves
                slipped = self._slip_in(moves)
                meant = moves if slipped != moves else ()
                await self._send_moves(socket, asked, slipped)

    async def _send_moves(self, socket: ClientConnection, number: int, moves: Sequence[Any]) -> None:
        sent = {"do": "move", "id": number, "moves": msgspec.to_builtins(moves)}
        await socket.send(msgspec.json.encode(sent).decode())

    def _slip_in(self, moves: tuple[Any, ...]) -> tuple[Any, ...]:
        """Sometimes leave out one of many moves, but not the last, which ends a step or a turn."""
        if len(moves) < 3 or self._random.random() >= self._slip:
            return moves
        without = self._random.randrange(len(moves) - 1)
        return (*moves[:without], *moves[without + 1 :])

    def _read_room(self, room: str) -> tuple[EpisodeReplay | None, Booking]:
        """The game of a room as it is stored."""
        with open_study_database_for_reading(str(self._host.database)) as database:
            ((body,),) = database.fetch_rows("SELECT booking FROM rooms WHERE id = ?", (room,))
            query = "SELECT body FROM records WHERE room = ? AND kind = 'event' ORDER BY number"
            rows = database.fetch_rows(query, (room,))
        booking = msgspec.json.decode(body, type=Booking)
        pack = find(booking.game)
        kind = load(pack.game)
        events = [event_decoder(kind).decode(row[0]) for row in rows]
        if not events:
            return None, booking
        game = pack.new(msgspec.json.decode(booking.settings, type=kind.Settings))
        opened = events[0]
        assert isinstance(opened, Opened)
        replay = EpisodeReplay(game, opened)
        for event in events[1:]:
            replay.take_event(event)
        return replay, booking

    def _make_player(self, replay: EpisodeReplay, booking: Booking, role: Role) -> Player:
        """One of the game's own players of a seat."""
        pack = find(booking.game)
        instance = msgspec.json.decode(booking.instance, type=load(pack.game).Instance)
        who = self._random.choice(pack.live.bots.get(role, (pack.live.partners[role],)))
        return make_player_from_spec(pack, replay.game, role, who, [instance], refuse_room_recordings)
