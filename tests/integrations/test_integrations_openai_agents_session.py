"""A session of the OpenAI Agents SDK in every store: what goes in comes out, whatever happens."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from typing import Any

import httpx2
import openai
import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings

from tests.history.events import begin, called
from tests.integrations.damage import DAMAGED, WORDS
from tests.integrations.naive import responses_items
from tests.projection.notation import N, R, U, shape
from tests.properties.responses import damaged_responses
from wiremend.cli.app import cli
from wiremend.errors import WiremendError
from wiremend.model import ToolCall, assistant, message_from_builtins, to_builtins
from wiremend.session import Session
from wiremend.simulator import (
    Answer,
    Call,
    Running,
    Script,
    Text,
    Thinking,
    running_provider,
    says,
)
from wiremend.stores import open_store

pytest.importorskip("agents")
from agents import Agent, OpenAIResponsesModel, RunConfig, Runner, function_tool
from agents.memory import Session as Protocol
from agents.memory import SessionSettings

from wiremend.integrations.openai_agents import Mending, StoredSession
from wiremend.integrations.openai_agents_items import items_of, messages_of

# Warnings of other people's packages are theirs.
pytestmark = pytest.mark.filterwarnings("ignore")

ITEMS: list[Any] = [
    {"role": "user", "content": "Is the soil dry?"},
    {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "x", "new": {"a": 1}},
    {"type": "function_call", "call_id": "c1", "name": "look", "arguments": '{"bed" : 1}'},
    {"type": "function_call", "call_id": "c2", "name": "look", "arguments": "{}", "id": "fc_2"},
    {"type": "function_call_output", "call_id": "c1", "output": "dry"},
    {"type": "function_call_output", "call_id": "c2",
     "output": [{"type": "input_text", "text": ""}]},
    {"role": "assistant", "content": ""},
    {"type": "from_a_later_version", "call_id": 7, "payload": [None, 1.5, {}]},
    {"id": "msg_1", "type": "message", "role": "assistant", "status": "completed",
     "content": [{"type": "output_text", "text": "Yes.", "annotations": [], "logprobs": []}]},
    {"role": "user", "content": "Water it."},
]  # fmt: skip


@function_tool  # type: ignore[untyped-decorator]  # the SDK's types are not looked at
def look(bed: int) -> str:
    """Look at a bed."""
    return f"bed {bed} is dry"


def reading(url: str, session_id: str = "one") -> list[Any]:
    """What a new program finds."""
    with StoredSession(session_id, url) as session:
        return asyncio.run(session.get_items())


def told(url: str) -> list[str]:
    with Session.open(url, id="one", create=False) as session:
        return shape(list(session.messages()))


def test_it_is_what_the_sdk_calls_a_session(url: str) -> None:
    with StoredSession("one", url) as session:
        assert isinstance(session, Protocol)
        assert session.session_id == "one"


def test_items_come_back_as_they_came_unknown_fields_included(url: str) -> None:
    with StoredSession("one", url) as session:
        asyncio.run(session.add_items(ITEMS[:4]))
        asyncio.run(session.add_items(ITEMS[4:]))
        assert asyncio.run(session.get_items()) == ITEMS
        asyncio.run(session.add_items([]))
    assert reading(url) == ITEMS
    assert reading(url, "two") == []


@settings(suppress_health_check=list(HealthCheck))
@given(damaged_responses())
def test_whatever_the_items_are_they_come_back_as_they_came(body: dict[str, Any]) -> None:
    items = body["input"] if isinstance(body["input"], list) else []
    stored = json.loads(json.dumps([to_builtins(message) for message in messages_of(items)]))
    history: Any = [message_from_builtins(message) for message in stored]
    assert json.dumps(items_of(history), sort_keys=True) == json.dumps(items, sort_keys=True)


def test_it_is_a_session_as_any_other(url: str) -> None:
    with StoredSession("one", url) as session:
        asyncio.run(session.add_items(ITEMS[:6]))
    with Session.open(url, id="one", create=False) as other:
        assert [m.role for m in other.messages()] == ["user", "assistant", "tool", "tool"]
        assert [call.id for call in other.messages()[1].tool_calls] == ["c1", "c2"]
        body = other.request("openai-responses")
        assert json.dumps(body["input"]).count("c1") == 2
        assert len(other.request("anthropic")["messages"]) == 3
    shown = CliRunner().invoke(cli, ["session", "show", url, "one"])
    assert "Is the soil dry?" in shown.stdout
    assert "dry" in shown.stdout


def test_its_records_are_replayed_as_any_others(tmp_path: Any) -> None:
    with StoredSession("one", f"jsonl:{tmp_path}") as session:
        asyncio.run(session.add_items(ITEMS))
    (log,) = tmp_path.rglob("*.jsonl")
    replayed = CliRunner().invoke(cli, ["replay", str(log)])
    assert replayed.exit_code == 0, replayed.stderr
    assert "Water it." in replayed.stdout


@pytest.mark.parametrize(("limit", "start"), [(None, 0), (3, -3), (99, 0), (0, 99), (-1, 0)])
def test_a_limit_gives_the_last_ones(url: str, limit: int | None, start: int) -> None:
    with StoredSession("one", url) as session:
        asyncio.run(session.add_items(ITEMS))
        assert asyncio.run(session.get_items(limit)) == ITEMS[start:]
        session.session_settings = SessionSettings(limit=2)
        assert asyncio.run(session.get_items()) == ITEMS[-2:]
        assert len(asyncio.run(session.get_items(limit=3))) == 3


def test_items_are_taken_back_one_by_one_to_the_first(url: str) -> None:
    with StoredSession("one", url) as session:
        asyncio.run(session.add_items(ITEMS))
        for left in range(len(ITEMS), 0, -1):
            assert asyncio.run(session.pop_item()) == ITEMS[left - 1]
            assert reading(url) == ITEMS[: left - 1]
        assert asyncio.run(session.pop_item()) is None
        asyncio.run(session.add_items(ITEMS[:1]))
    assert reading(url) == ITEMS[:1]


def test_an_item_is_taken_back_where_no_prompt_stands_before_it(url: str) -> None:
    items = [{"role": "system", "content": "Be brief."}, *ITEMS[2:5]]
    with StoredSession("one", url) as session:
        asyncio.run(session.add_items(items))
        assert asyncio.run(session.pop_item()) == items[-1]
        assert asyncio.run(session.pop_item()) == items[-2]
    assert reading(url) == items[:-2]


def test_what_is_undone_by_the_history_is_gone_here_too(url: str) -> None:
    with StoredSession("one", url) as session:
        asyncio.run(session.add_items(ITEMS))
        with Session.open(url, id="one") as other:
            assert other.undo().ok
        assert asyncio.run(session.get_items()) == ITEMS[:-1]


def test_a_cleared_session_is_empty_and_its_transcript_is_not(url: str) -> None:
    with StoredSession("one", url) as session:
        asyncio.run(session.add_items(ITEMS))
        asyncio.run(session.clear_session())
        asyncio.run(session.add_items(ITEMS[:1]))
        assert asyncio.run(session.get_items()) == ITEMS[:1]
    with Session.open(url, id="one") as other:
        assert len(other.messages()) == 1
        assert len(other.transcript()) > 3


def test_large_pictures_are_kept_once_and_come_back(url: str) -> None:
    picture = "data:image/png;base64," + "aGVs" * 2000
    shown = {"role": "user", "content": [{"type": "input_image", "image_url": picture}]}
    with StoredSession("one", url) as session:
        for _ in range(3):
            asyncio.run(session.add_items([shown]))
    assert reading(url) == [shown] * 3
    store = open_store(url)
    assert sum(len(record) for _, record in store.read("one")) < len(picture)
    store.close()


def test_a_conversation_of_another_agent_goes_on_here(url: str) -> None:
    with Session.open(url, id="one") as other:
        other.append(N("Answer in French."))
        other.append(U("Is the soil dry?"))
        other.append(assistant("", ToolCall("c", "look", "{}")))
        other.append(R("c", "dry"))
        other.append_loop_event(begin("s"))
        other.append_loop_event(called("s", "d"))
    before = reading(url)
    assert [item.get("type", item.get("role")) for item in before][1:] == [
        *("user", "function_call", "function_call_output"),
    ]
    assert reading(url) == before
    with StoredSession("one", url) as session:
        asyncio.run(session.add_items(ITEMS[-1:]))
        items = asyncio.run(session.get_items())
        # The step that was cut off is closed, and says that it was.
        assert [item.get("call_id") for item in items[-3:-1]] == ["d", "d"]
        assert "interrupted" in items[-2]["output"]
        assert items[-1] == ITEMS[-1]
        assert asyncio.run(session.pop_item()) == ITEMS[-1]
        assert asyncio.run(session.pop_item()) == items[-2]
        assert asyncio.run(session.get_items()) == items[:-2]


def test_what_is_no_item_is_said_with_its_place_and_nothing_is_kept(url: str) -> None:
    with StoredSession("one", url) as session:
        for wrong in ("text", {"role": object()}, {"deep": nested(2000)}):
            with pytest.raises(WiremendError, match="/items/1"):
                asyncio.run(session.add_items([ITEMS[0], wrong]))
        assert asyncio.run(session.get_items()) == []
        cut = {"role": "user", "content": "cut \ud83d"}
        asyncio.run(session.add_items([cut]))
    assert reading(url) == [{**cut, "content": "cut \ufffd"}]


def nested(depth: int) -> Any:
    value: Any = []
    for _ in range(depth):
        value = [value]
    return value


def test_a_given_store_stays_its_owners(url: str) -> None:
    store = open_store(url)
    for name in ("one", "two"):
        with StoredSession(name, store) as session:
            asyncio.run(session.add_items(ITEMS[:1]))
    assert [info.id for info in store.sessions()] == ["one", "two"]
    store.close()


def test_a_name_that_no_store_takes_is_said(url: str) -> None:
    with pytest.raises(WiremendError, match="a session id is"):
        StoredSession("../etc", url)


def test_many_writers_of_one_session_lose_nothing(url: str) -> None:
    async def write(session: StoredSession, name: str) -> None:
        for number in range(5):
            await session.add_items([{"role": "user", "content": f"{name} {number}"}])

    async def main(sessions: list[StoredSession]) -> None:
        await asyncio.gather(*(write(s, f"{at}") for at, s in enumerate(sessions * 2)))

    sessions = [StoredSession("one", url) for _ in range(3)]
    asyncio.run(main(sessions))
    for session in sessions:
        session.close()
    words = [item["content"] for item in reading(url)]
    assert sorted(words) == sorted(f"{at} {number}" for at in range(6) for number in range(5))
    assert [word for word in words if word.startswith("4")] == [f"4 {n}" for n in range(5)]


def test_who_is_cancelled_while_it_writes_leaves_all_or_nothing(url: str) -> None:
    async def main(session: StoredSession) -> None:
        for _ in range(10):
            task = asyncio.ensure_future(session.add_items(ITEMS))
            await asyncio.sleep(0)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert len(await session.get_items()) % len(ITEMS) == 0

    with StoredSession("one", url) as session:
        asyncio.run(main(session))
        assert reading(url) == asyncio.run(session.get_items())


# With the real runner, before a strict provider.


@pytest.fixture
def provider() -> Iterator[Callable[..., Running]]:
    started: list[Any] = []

    def start(*steps: Answer) -> Running:
        context = running_provider("openai-responses", Script(steps))
        started.append(context)
        running: Running = context.__enter__()
        return running

    yield start
    for context in started:
        context.__exit__(None, None, None)


async def run(running: Running, words: str, session: StoredSession, **more: Any) -> str:
    tools = more.pop("tools", [look])
    limits = httpx2.Limits(max_keepalive_connections=0)
    async with openai.AsyncOpenAI(
        base_url=f"{running.url}/v1",
        api_key="any",
        max_retries=0,
        http_client=httpx2.AsyncClient(limits=limits),
    ) as client:
        model = OpenAIResponsesModel(model="gpt-5", openai_client=client)
        agent = Agent(name="any", model=model, tools=tools)
        config = RunConfig(tracing_disabled=True, **more)
        result = await Runner.run(agent, words, session=session, run_config=config)
        return str(result.final_output)


CALLS = Answer(
    (Thinking("Hm."), Text("I look."), Call("look", {"bed": 1}), Call("look", {"bed": 2}))
)


def test_a_run_goes_on_where_another_programs_ended(
    provider: Callable[..., Running], url: str
) -> None:
    running = provider(CALLS, says("Both are dry."), says("Done."))
    with StoredSession("one", url) as session:
        assert asyncio.run(run(running, "Are they dry?", session)) == "Both are dry."
    kept = [item.get("type", item.get("role")) for item in reading(url)]
    assert kept == [
        *("user", "reasoning", "message", "function_call", "function_call"),
        *("function_call_output", "function_call_output", "message"),
    ]
    assert told(url)[0] == "U Are they dry?"
    with StoredSession("one", url) as session:
        assert asyncio.run(run(running, "Water them.", session)) == "Done."
    sent = running.requests[-1].json["input"]
    assert len(sent) == 9
    assert sent[1]["type"] == "reasoning"


def test_a_run_that_is_cancelled_between_call_and_output_goes_on(
    provider: Callable[..., Running], url: str
) -> None:
    running = provider(CALLS, says("Done."))

    async def main(session: StoredSession) -> str:
        begun = asyncio.Event()

        @function_tool  # type: ignore[untyped-decorator]
        async def look(bed: int) -> str:
            begun.set()
            await asyncio.Event().wait()
            return str(bed)

        task = asyncio.ensure_future(run(running, "Are they dry?", session, tools=[look]))
        await begun.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return await run(running, WORDS, session)

    with StoredSession("one", url) as session:
        assert asyncio.run(main(session)) == "Done."
    assert [item["role"] for item in reading(url)] == ["user", "user", "assistant"]


def without_its_head(history: list[Any], new: list[Any]) -> list[Any]:
    """What people write to keep a conversation short; it cuts between calls and outputs."""
    return [*history[-3:], *new]


def test_a_history_that_is_cut_short_is_refused_without_the_filter_and_answered_with_it(
    provider: Callable[..., Running], url: str
) -> None:
    running = provider(CALLS, says("Both are dry."), says("Done."))
    with StoredSession("one", url) as session:
        asyncio.run(run(running, "Are they dry?", session))
        before = reading(url)
        short: dict[str, Any] = {"session_input_callback": without_its_head}
        with pytest.raises(openai.BadRequestError, match="No tool call found"):
            asyncio.run(run(running, WORDS, session, **short))
        assert reading(url)[: len(before)] == before
        mending: dict[str, Any] = {**short, "call_model_input_filter": Mending()}
        assert asyncio.run(run(running, WORDS, session, **mending)) == "Done."
    assert reading(url)[: len(before)] == before


@pytest.mark.parametrize("damage", DAMAGED)
def test_a_stored_conversation_goes_on_however_it_is_damaged(
    provider: Callable[..., Running], damage: str, tmp_path: Any
) -> None:
    running = provider(says("Done."))
    items = responses_items(DAMAGED[damage])
    with StoredSession("one", f"{tmp_path}/agent.db") as session:
        asyncio.run(session.add_items(items))
        mending: dict[str, Any] = {"call_model_input_filter": Mending()}
        assert asyncio.run(run(running, WORDS, session, **mending)) == "Done."
        assert asyncio.run(session.get_items())[: len(items)] == items


def test_runs_at_once_on_one_session_keep_all_that_was_said(
    provider: Callable[..., Running], url: str
) -> None:
    running = provider(*[says("Yes.")] * 3)

    async def main(sessions: list[StoredSession]) -> None:
        mending: dict[str, Any] = {"call_model_input_filter": Mending()}
        await asyncio.gather(
            *(run(running, f"{at}", s, **mending) for at, s in enumerate(sessions))
        )

    first, second = StoredSession("one", url), StoredSession("one", url)
    asyncio.run(main([first, second, first]))
    first.close()
    second.close()
    said = [item["content"] for item in reading(url) if item.get("role") == "user"]
    assert sorted(said) == ["0", "1", "2"]
    assert len(reading(url)) == 6
