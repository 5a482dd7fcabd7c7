"""LangChain's agents and LangGraph before strict providers: what fails without goes on with it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.integrations.damage import ASKED, DAMAGED, HEALTHY, NEXT, WORDS, calls, result
from wiremend.projection import Anomaly
from wiremend.simulator import Failure, Running, Script, running_provider, says

pytest.importorskip("langchain")
from langchain.agents import create_agent
from langchain_anthropic import ChatAnthropic
from langchain_core.messages import (
    AIMessage,
    HumanMessage,
    RemoveMessage,
    SystemMessage,
    ToolMessage,
    convert_to_messages,
)
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from langgraph.graph import MessagesState, StateGraph

from wiremend.integrations.langchain import MendingMiddleware, mended

# Warnings of other people's packages are theirs.
pytestmark = pytest.mark.filterwarnings("ignore")


@tool  # type: ignore[untyped-decorator]  # LangChain's types are not looked at
def weather(city: str) -> str:
    """The weather in a city."""
    return f"sunny in {city}"


def model_of(dialect: str, url: str) -> Any:
    more: dict[str, Any] = {"api_key": "any", "max_retries": 0}
    if dialect == "anthropic":
        return ChatAnthropic(model="claude-sonnet-4-5", base_url=url, **more)
    responses = dialect == "openai-responses"
    return ChatOpenAI(model="gpt-5", base_url=f"{url}/v1", use_responses_api=responses, **more)


TAKEN = {
    "openai-chat": {"a message of blanks"},
    "openai-responses": {
        *("a message of blanks", "a result that comes late", "a system message in the middle"),
        # LangChain sends the first of two items with one id.
        "a call id used twice",
    },
    # LangChain moves it to the front itself.
    "anthropic": {"a system message in the middle"},
}
"""The damage that goes through without."""

Provider = tuple[str, Running, Any]


@pytest.fixture(params=TAKEN, scope="module")
def provider(request: pytest.FixtureRequest) -> Iterator[Provider]:
    script = Script((says("The fridge is empty."),), repeat=True)
    with running_provider(request.param, script) as running:
        yield request.param, running, model_of(request.param, running.url)


def last(state: Any) -> str:
    return str(state["messages"][-1].text)


@pytest.mark.parametrize("damage", DAMAGED)
def test_a_damaged_conversation_is_refused_without_and_answered_with_it(
    provider: Provider, damage: str
) -> None:
    dialect, running, model = provider
    state: Any = {"messages": DAMAGED[damage]}
    if damage not in TAKEN[dialect]:
        with pytest.raises(Exception, match="400"):
            create_agent(model, [weather]).invoke(state)
    repairs: list[Anomaly] = []
    middleware = MendingMiddleware(on_repair=repairs.extend)
    agent = create_agent(model, [weather], middleware=[middleware])
    answered = agent.invoke(state)
    assert last(answered) == "The fridge is empty."
    assert WORDS in json.dumps(running.requests[-1].json)
    assert repairs or damage in TAKEN[dialect]
    # The state is what happened: nothing is mended in it.
    assert len(answered["messages"]) == len(DAMAGED[damage]) + 1


def test_asynchronous_agents_and_streams_get_the_same(provider: Provider) -> None:
    _, _, model = provider
    agent = create_agent(model, [weather], middleware=[MendingMiddleware()])
    state: Any = {"messages": DAMAGED["a call that nothing answers"]}

    async def run() -> tuple[str, str]:
        answered = await agent.ainvoke(state)
        pieces = [piece.text async for piece, _ in agent.astream(state, stream_mode="messages")]
        return last(answered), "".join(pieces)

    assert asyncio.run(run()) == ("The fridge is empty.", "The fridge is empty.")


def test_a_graph_of_ones_own_mends_where_it_calls_the_model(provider: Provider) -> None:
    _, _, model = provider

    def ask(state: Any) -> Any:
        return {"messages": [model.bind_tools([weather]).invoke(mended(state["messages"], model))]}

    graph = StateGraph(MessagesState)
    graph.add_node("ask", ask)
    graph.set_entry_point("ask")
    broken: Any = {"messages": DAMAGED["a result without its call"]}
    assert last(graph.compile().invoke(broken)) == "The fridge is empty."


def test_what_did_not_change_is_the_very_message() -> None:
    messages = convert_to_messages(HEALTHY)
    messages[0].additional_kwargs["any"] = 1
    assert all(new is old for new, old in zip(mended(messages), messages, strict=False))
    broken = convert_to_messages(DAMAGED["parallel calls, cancelled half way"])
    kept = mended(broken, provider="openai")
    assert [message.type for message in kept] == ["human", "ai", "tool", "tool", "tool", "human"]
    assert [kept[at] for at in (0, 1, 2, 5)] == broken
    assert all(kept[at] is message for at, message in zip((0, 1, 2, 5), broken, strict=True))
    assert [message.name for message in kept[3:5]] == ["weather", "weather"]


def test_a_changed_answer_keeps_its_blocks_and_says_its_calls_under_their_new_ids() -> None:
    def answer(call_id: str, *blocks: Any) -> Any:
        use = {"type": "tool_use", "id": call_id, "name": "weather", "input": {"city": "Rome"}}
        called = {"name": "weather", "args": {"city": "Rome"}, "id": call_id}
        return AIMessage(
            [*blocks, use], tool_calls=[called], id="run-1", response_metadata={"m": 1}
        )

    thinking = {"type": "thinking", "thinking": "Hm.", "signature": "c2ln"}
    first = answer("toolu_1", thinking, {"type": "text", "text": "I look.", "citations": [1]})
    second = answer("toolu_1", thinking, {"type": "text", "text": " "})
    done = ToolMessage("sunny", tool_call_id="toolu_1", artifact={"any": 1})
    more = ToolMessage("rainy", tool_call_id="toolu_1", status="error")
    messages = [HumanMessage("?"), first, done, HumanMessage("again?"), second, more]
    kept = mended(messages, provider="anthropic")
    assert [kept[at] is messages[at] for at in range(4)] == [True] * 4
    changed: Any = kept[4]
    assert changed.content == [thinking, {**second.content[2], "id": "toolu_1__2"}]
    assert [call["id"] for call in changed.tool_calls] == ["toolu_1__2"]
    assert (changed.id, changed.response_metadata) == ("run-1", {"m": 1})
    assert (kept[5].tool_call_id, kept[5].status, kept[5].text) == ("toolu_1__2", "error", "rainy")
    assert second.tool_calls[0]["id"] == "toolu_1"


def test_calls_whose_arguments_do_not_parse_get_results_too() -> None:
    broken = {"name": "weather", "args": '{"ci', "id": "call_1", "error": "cut off"}
    messages = [HumanMessage("?"), AIMessage("", invalid_tool_calls=[broken]), HumanMessage("so?")]
    kept = mended(messages, provider="openai")
    assert [message.type for message in kept] == ["human", "ai", "tool", "human"]
    assert kept[1] is messages[1]


def test_system_messages_are_where_the_provider_takes_them() -> None:
    messages = [HumanMessage("a"), SystemMessage("Be brief."), AIMessage("b"), HumanMessage("c")]
    assert mended(messages, provider="openai") == messages
    reminded = mended(messages, provider="anthropic")[1]
    assert isinstance(reminded, HumanMessage)
    assert reminded.text == "<system-reminder>\nBe brief.\n</system-reminder>"


def test_messages_that_are_none_of_a_provider_pass_as_they_are() -> None:
    messages = [HumanMessage("a"), RemoveMessage(id="1"), AIMessage("b"), HumanMessage("c")]
    assert mended(messages) == messages


REFUSAL = Failure(400, message="messages: roles must alternate between user and assistant")


@pytest.mark.parametrize("waits", [True, False])
def test_what_is_refused_all_the_same_is_sent_again_stricter(waits: bool) -> None:
    state: Any = {"messages": [ASKED, {"role": "assistant", "content": "a"}] * 2 + [NEXT]}
    state["messages"].insert(1, {"role": "assistant", "content": "b"})
    with running_provider("openai-chat", Script((REFUSAL, says("fine")))) as running:
        model = model_of("openai-chat", running.url)
        agent = create_agent(model, [weather], middleware=[MendingMiddleware()])
        answered = agent.invoke(state) if waits else asyncio.run(agent.ainvoke(state))
        assert last(answered) == "fine"
        assert [len(got.json["messages"]) for got in running.requests] == [6, 5]


def test_what_is_not_its_business_is_raised_as_it_came() -> None:
    with running_provider("openai-chat", Script((Failure(429),))) as running:
        model = model_of("openai-chat", running.url)
        agent = create_agent(model, [weather], middleware=[MendingMiddleware()])
        state: Any = {"messages": [ASKED, calls("call_1"), result("call_1"), NEXT]}
        with pytest.raises(Exception, match="429"):
            agent.invoke(state)
        assert len(running.requests) == 1
