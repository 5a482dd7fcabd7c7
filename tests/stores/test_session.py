"""Sessions: durable memory over a store that two writers cannot spoil."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Sequence

import pytest

import wiremend
from tests.history.events import answered, begin, called, end, said
from tests.projection.notation import A, N, R, U, shape
from wiremend import AsyncSession, WiremendError
from wiremend.context.dynamic_tools import (
    announced_names,
    announcement,
    loaded_tools,
    schema_message,
)
from wiremend.history import STILL_EXECUTING, AppendMessage, ToolCallMade, UndoPrompts
from wiremend.model import ContextMessage, Message, TextPart
from wiremend.session import Session
from wiremend.stores import ConflictError


def told(session: Session) -> list[str]:
    return shape(list(session.messages()))


def test_what_was_appended_is_there_when_it_is_opened_again(url: str) -> None:
    with Session.open(url, id="one") as session:
        session.append(U("a"))
        session.append_loop_event(begin("s"))
        session.append_loop_event(said("s", "x"))
        session.append_loop_event(called("s", "c"))
    with Session.open(url, id="one") as again:
        assert told(again) == ["U a", "A x; c"]
        again.append_loop_event(answered("c"))
        again.append_loop_event(end("s"))
        assert told(again) == ["U a", "A x; c", "R c"]


def test_half_of_a_character_is_replaced_where_it_cannot_be_stored(url: str) -> None:
    with Session.open(url, id="one") as session:
        session.append(U("cut \ud83d"))
        session.append_loop_event(begin("s"))
        session.append_loop_event(ToolCallMade("s", "c", "f", '{"a": "\ud83d'))
        before = session.messages()
        assert told(session) == ["U cut \ufffd", "A ; c"]
        assert before[1].tool_calls[0].arguments == '{"a": "\ufffd'
    with Session.open(url, id="one") as again:
        assert again.messages() == before


def test_a_session_that_shall_not_be_created_is_an_error(url: str) -> None:
    with pytest.raises(WiremendError, match="no session"):
        Session.open(url, id="ghost", create=False)


def test_the_second_writer_gets_a_conflict_and_can_reload(url: str) -> None:
    with Session.open(url, id="one") as first, Session.open(url, id="one") as second:
        first.append(U("first"))
        with pytest.raises(ConflictError):
            second.append(U("second"))
        assert told(second) == []
        second.reload()
        second.append(U("second"))
        assert told(second) == ["U first", "U second"]


def test_undo_clear_and_compaction_survive(url: str) -> None:
    with Session.open(url, id="one") as session:
        for item in (U("a"), A("1"), U("b"), A("2")):
            session.append(item)
        assert session.undo().ok
        session.compact(lambda messages: f"{len(messages)} messages")
        session.append(U("c"))
        before, transcript = told(session), session.transcript()
    with Session.open(url, id="one") as again:
        assert told(again) == before == ["U a", "U 2 messages", "U c"]
        assert again.transcript() == transcript
        again.clear()
        assert told(again) == []


def test_a_summariser_that_fails_changes_nothing(url: str) -> None:
    def fail(messages: Sequence[Message]) -> str:
        raise RuntimeError("no answer")

    with Session.open(url, id="one") as session:
        session.append(U("a"))
        with pytest.raises(RuntimeError, match="no answer"):
            session.compact(fail)
        assert (told(session), session.length) == (["U a"], 1)


@pytest.mark.parametrize("summary", ["", " \n"])
def test_an_empty_summary_changes_nothing(url: str, summary: str) -> None:
    with Session.open(url, id="one") as session:
        session.append(U("a"))
        with pytest.raises(WiremendError, match="summary is empty"):
            session.compact(lambda _: summary)
        assert (told(session), session.length) == (["U a"], 1)


def test_compaction_announces_the_dynamic_tools_again(url: str) -> None:
    weather: dict[str, object] = {"name": "weather", "parameters": {"type": "object"}}
    with Session.open(url, id="one") as session:
        session.append(U("a"))
        session.append(announcement(["weather", "maps"]))
        session.append(schema_message([weather]))
        told_of = json.dumps(wiremend.to_json(session.to_summarise()).decode())
        assert "weather" not in told_of
        session.compact(lambda _: "sum")
        assert announced_names(session.messages()) == ("weather", "maps")
        assert loaded_tools(session.messages()) == {"weather": weather}
        session.compact(lambda _: "sum", tools={"maps": {"name": "maps"}})
        assert announced_names(session.messages()) == ("maps",)
        assert loaded_tools(session.messages()) == {}
        before = session.messages()
    with Session.open(url, id="one") as again:
        assert again.messages() == before


def test_compaction_in_the_middle_of_a_step_loses_no_message_that_waits(url: str) -> None:
    with Session.open(url, id="one") as session:
        session.append(U("a"))
        session.append_loop_event(begin("s"))
        session.append_loop_event(called("s", "c"))
        session.append(U("waits"))
        session.compact(lambda _: "sum")
        assert told(session) == ["U a", "U sum", "U waits"]
    with Session.open(url, id="one") as again:
        assert told(again) == ["U a", "U sum", "U waits"]


def test_a_fork_inherits_by_reference_and_closes_what_is_in_flight(url: str) -> None:
    with Session.open(url, id="parent") as parent:
        for item in (U("a"), A("1")):
            parent.append(item)
        parent.append_loop_event(begin("s"))
        parent.append_loop_event(called("s", "c"))
        child = parent.fork("child")
        assert told(child) == ["U a", "A 1", "A ; c", "R c"]
        assert child.messages()[-1].content == (TextPart(STILL_EXECUTING),)
        child.append(U("own"))
        assert told(parent) == ["U a", "A 1", "A ; c"]
    with Session.open(url, id="child") as again:
        assert told(again)[-1] == "U own"


def test_opening_reads_the_last_snapshot_and_what_comes_after_it(url: str) -> None:
    with Session.open(url, id="one") as session:
        for n in range(50):
            session.append(N(f"{n}"))
        session.snapshot()
        session.append(N("after"))
    with Session.open(url, id="one") as again:
        found = again.store.load_snapshot("one")
        assert found is not None
        assert [number for number, _ in again.store.read("one", after=found[0])] == [51]
        assert len(again.messages()) == 51


def test_snapshots_are_taken_by_themselves(url: str) -> None:
    with Session.open(url, id="one") as session:
        small = Session(session.store, "one", snapshot_every=10)
        for n in range(35):
            small.append(N(f"{n}"))
        found = session.store.load_snapshot("one")
        assert found is not None
        assert found[0] >= 10


def test_what_is_projected_is_what_the_library_projects(url: str) -> None:
    with Session.open(url, id="one") as session:
        for item in (U("a"), A("1", calls="c"), N("note"), R("c")):
            session.append(item)
        assert shape(session.project()) == ["U a", "A 1; c", "R c", "U note"]


def test_several_records_are_written_all_or_none(url: str) -> None:
    with Session.open(url, id="one") as first, Session.open(url, id="one") as second:
        first.write([AppendMessage(U("a")), AppendMessage(A("1")), AppendMessage(U("b"), 7.0)])
        with pytest.raises(ConflictError):
            second.write([AppendMessage(U("c")), UndoPrompts(1)])
        second.reload()
        second.write([UndoPrompts(2), AppendMessage(U("d"))])
        assert told(second) == ["U d"]
        first.reload()
        times = [time for _, time in first.transcript()]
        assert told(first) == ["U d"]
        assert all(isinstance(time, int) for time in times)
        first.write([])
        first.write([AppendMessage(U("e"), 7.0)])
        assert first.entries()[-1].time == 7.0


def test_who_is_cancelled_in_the_middle_is_waited_for_by_the_next(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def use() -> list[str]:
        session = await AsyncSession.open(url, id="one")
        gate, append = threading.Event(), session.session.append

        def slow(message: ContextMessage) -> None:
            assert gate.wait(30)
            append(message)

        monkeypatch.setattr(session.session, "append", slow)
        cut_off = asyncio.ensure_future(session.append(U("a")))
        await asyncio.sleep(0)
        cut_off.cancel()
        following = asyncio.ensure_future(session.undo())
        assert (await asyncio.wait({following}, timeout=0.02))[1] == {following}
        gate.set()
        with pytest.raises(asyncio.CancelledError):
            await cut_off
        assert (await following).ok
        found = shape(list(session.messages()))
        await session.close()
        return found

    assert asyncio.run(use()) == []


def test_an_asynchronous_session_does_the_same(url: str) -> None:
    async def use() -> list[str]:
        session = await AsyncSession.open(url, id="one")
        await session.append(U("a"))
        await asyncio.gather(*(session.append(N(f"{n}")) for n in range(5)))
        await session.undo()

        async def summarise(messages: Sequence[Message]) -> str:
            await asyncio.sleep(0)
            return "summary"

        await session.append(U("b"))
        await session.compact(summarise)
        child = await session.fork("child")
        found = shape(list(child.messages()))
        await session.close()
        return found

    assert asyncio.run(use()) == ["U b", "U summary"]
