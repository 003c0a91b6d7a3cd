"""What language models were sent in an episode and what they answered, rebuilt from its log."""

from __future__ import annotations

from collections.abc import Iterator

from groundling.boards.picture import replace_unprintable
from groundling.core.events import Replied, Transcript
from groundling.core.game import AnyGame
from groundling.core.pack import Pack, load
from groundling.core.player import Ask
from groundling.core.replay import replay_events
from groundling.core.values import Problem, Role
from groundling.players.chat.messages import PromptMessage, build_messages
from groundling.players.chat.preview import preview_message_lines
from groundling.players.chat.prompts import prompt_hints, reload_prompt


def conversation_text(pack: Pack, game: AnyGame, transcript: Transcript) -> str:
    """Format every request to a language model, message by message, with its answer. Messages that the seat
    was already sent are counted instead of printed again."""
    text = "\n".join(_conversation_lines(pack, game, transcript))
    if not text:
        raise Problem(
            f"no language model replied in {transcript.episode}: leave --prompts out to see what was said"
        )
    return replace_unprintable(text) + "\n"


def rebuild_requests(
    pack: Pack, game: AnyGame, transcript: Transcript
) -> Iterator[tuple[Replied, list[PromptMessage]]]:
    """Yield each reply of a language model with the messages that it answers."""
    hints = prompt_hints(pack, game)
    for event, replay in replay_events(game, transcript):
        if isinstance(event, Replied) and "prompt_hash" in event.detail:
            role, past = event.role, replay.past.get(event.role, ())
            ask = Ask(transcript.episode, role, replay.view(role), past, replay.complaint, 0)
            named = event.detail["prompt"], event.detail["prompt_hash"]
            prompt = reload_prompt(pack, role, *named, instance=transcript.opened.instance)
            system = [PromptMessage("system", event.detail["system"])] if "system" in event.detail else []
            yield event, [*system, *build_messages(ask, prompt, load(pack.draw), event.detail["see"], hints)]


def _conversation_lines(pack: Pack, game: AnyGame, transcript: Transcript) -> Iterator[str]:
    printed: dict[Role, list[PromptMessage]] = {}
    for reply, messages in rebuild_requests(pack, game, transcript):
        role, detail = reply.role, reply.detail
        start = "\n" if printed else ""
        known = _count_known(printed.get(role, []), messages)
        yield f"{start}[request to {role}: {detail['model']}, prompt {detail['prompt']}]"
        if known:
            without = "" if detail["see"] == "text" else ", without pictures"
            yield f"[messages 1 to {known} as before{without}]"
        yield from preview_message_lines(messages[known:])
        if detail.get("reasoning"):
            yield f"[reasoning]\n{detail['reasoning']}"
        reused = f", reused from {detail['reused_from']}" if "reused_from" in detail else ""
        yield f"[answer{reused}]\n{reply.text}"
        printed[role] = [*messages, PromptMessage("assistant", reply.text)]


def _count_known(before: list[PromptMessage], messages: list[PromptMessage]) -> int:
    """Count the first messages that say the same as before."""
    same = 0
    for old, new in zip(before, messages, strict=False):
        if (old.author, old.text) != (new.author, new.text):
            break
        same += 1
    return same
