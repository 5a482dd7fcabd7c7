"""Google ADK before strict providers: what fails without wiremend goes on with it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.integrations.damage import ASKED, DAMAGED, HEALTHY, WORDS, Message
from tests.integrations.naive import gemini_contents
from wiremend.errors import WiremendError
from wiremend.integrations.http import async_http_client
from wiremend.projection import Anomaly
from wiremend.simulator import Answer, Call, Failure, Running, Script, running_provider, says

pytest.importorskip("google.adk")
import litellm
from google.adk.agents import LlmAgent
from google.adk.agents.run_config import RunConfig, StreamingMode
from google.adk.events import Event
from google.adk.models import Gemini, LlmRequest
from google.adk.models.lite_llm import LiteLlm
from google.adk.runners import Runner
from google.adk.sessions import InMemorySessionService
from google.genai import errors, types

from wiremend.integrations.adk import Mending
from wiremend.integrations.adk_contents import mended_contents
from wiremend.integrations.manners import LENIENT, STRICT

# Warnings of other people's packages are theirs.
pytestmark = pytest.mark.filterwarnings("ignore")


def weather(city: str) -> str:
    """The weather in a city."""
    return f"sunny in {city}"


def contents_of(messages: list[Message]) -> list[Any]:
    return [types.Content.model_validate(content) for content in gemini_contents(messages)]


def left_by_another(messages: list[Message]) -> Any:
    """A callback that puts the context together on its own, as those that shorten it do."""

    def put(callback_context: Any, llm_request: Any) -> None:
        llm_request.contents = contents_of(messages)

    return put


def gemini(url: str, **more: Any) -> Any:
    return Gemini(model="gemini-2.5-flash", base_url=url, client_kwargs={"api_key": "any", **more})


def openai(url: str) -> Any:
    return LiteLlm(model="openai/gpt-4o", api_base=f"{url}/v1", api_key="any")


def anthropic(url: str) -> Any:
    return LiteLlm(model="anthropic/claude-sonnet-4-5", api_base=url, api_key="any")


async def run(
    model: Any,
    callbacks: list[Any],
    stored: list[Message] | None = None,
    *,
    words: str = WORDS,
    stream: bool = False,
) -> tuple[str, Any]:
    """What the agent says in the end, and its session as it is then."""
    agent = LlmAgent(name="any", model=model, tools=[weather], before_model_callback=callbacks)
    sessions = InMemorySessionService()
    session = await sessions.create_session(app_name="app", user_id="u")
    for content, message in zip(contents_of(stored or []), stored or [], strict=True):
        author = "user" if message["role"] in ("user", "system") else "any"
        await sessions.append_event(session, Event(author=author, content=content))
    runner = Runner(app_name="app", agent=agent, session_service=sessions)
    try:
        return await ended(runner, session.id, words, stream=stream), await sessions.get_session(
            app_name="app", user_id="u", session_id=session.id
        )
    finally:
        await closed(model)


async def ended(runner: Any, session_id: str, words: str, *, stream: bool) -> str:
    mode = StreamingMode.SSE if stream else StreamingMode.NONE
    asked = types.Content(role="user", parts=[types.Part(text=words)])
    said: list[str] = []
    async for event in runner.run_async(
        user_id="u",
        session_id=session_id,
        new_message=asked,
        run_config=RunConfig(streaming_mode=mode),
    ):
        parts = event.content.parts if event.content else []
        said.extend(part.text for part in parts if part.text)
    return said[-1]


async def closed(model: Any) -> None:
    """Close what ADK keeps open as long as its event loop: here that is as long as one run."""
    if isinstance(model, Gemini):
        await model.api_client.aio.aclose()
        model.api_client.close()
    else:
        await litellm.close_litellm_async_clients()
        litellm.in_memory_llm_clients_cache.flush_cache()


ANSWER = "The fridge is empty."
Provider = tuple[str, Running]
MODELS: dict[str, Any] = {"gemini": gemini, "openai-chat": openai, "anthropic": anthropic}
REFUSED = {
    "gemini": set(DAMAGED) - {"a message of blanks"},
    # ADK answers open calls on its way there.
    "openai-chat": {
        *("a result without its call", "a result that comes late", "a result given twice"),
        *("a system message in the middle", "an assistant that says nothing"),
        "a head cut off by compaction",
    },
    "anthropic": {
        *("a result without its call", "a result that comes late", "a result given twice"),
        *("a system message in the middle", "a call id used twice"),
        "a head cut off by compaction",
    },
}
"""What fails without, where another callback has put it together."""
STORED = {
    "gemini": {"a call id used twice", "a head cut off by compaction"},
    "openai-chat": set(),
    "anthropic": {"a call id used twice", "a head cut off by compaction"},
}
"""What fails without, where it is in the session: ADK itself drops calls and results there."""


@pytest.fixture(params=MODELS, scope="module")
def provider(request: pytest.FixtureRequest) -> Iterator[Provider]:
    with running_provider(request.param, Script((says(ANSWER),), repeat=True)) as running:
        yield request.param, running


def refused(model: Any, *arguments: Any) -> bool:
    try:
        asyncio.run(run(model, *arguments))
    except (errors.ClientError, litellm.BadRequestError):
        return True
    return False


@pytest.mark.parametrize("damage", DAMAGED)
def test_what_another_callback_left_is_refused_without_and_answered_with_it(
    provider: Provider, damage: str
) -> None:
    dialect, running = provider
    broken = left_by_another(DAMAGED[damage])
    model = MODELS[dialect](running.url)
    assert refused(model, [broken]) == (damage in REFUSED[dialect])
    repairs: list[Anomaly] = []
    said, _ = asyncio.run(run(model, [broken, Mending(repairs.extend)]))
    assert said == ANSWER
    assert WORDS in json.dumps(running.requests[-1].json)
    assert repairs or damage not in REFUSED[dialect]


@pytest.mark.parametrize("damage", DAMAGED)
def test_a_stored_conversation_is_refused_without_and_answered_with_it(
    provider: Provider, damage: str
) -> None:
    dialect, running = provider
    *stored, _ = DAMAGED[damage]
    model = MODELS[dialect](running.url)
    assert refused(model, [], stored) == (damage in STORED[dialect])
    said, session = asyncio.run(run(model, [Mending()], stored))
    assert said == ANSWER
    assert WORDS in json.dumps(running.requests[-1].json)
    # What happened stays what it was.
    kept = [event.content for event in session.events[: len(stored)]]
    assert kept == contents_of(stored)


@pytest.mark.parametrize("stream", [False, True])
def test_an_agent_calls_its_tools_and_streams_with_it(stream: bool) -> None:
    steps = (Answer((Call("weather", {"city": "Rome"}),)), says(ANSWER))
    with running_provider("gemini", Script(steps)) as running:
        said, _ = asyncio.run(run(gemini(running.url), [Mending()], stream=stream))
        assert said == ANSWER
        sent = running.requests[-1].json["contents"]
        assert sent[-1]["parts"][0]["functionResponse"]["response"] == {"result": "sunny in Rome"}


def test_what_is_refused_all_the_same_is_sent_again_by_the_http_client() -> None:
    refusal = Failure(400, message="Please ensure that multiturn requests alternate")
    with running_provider("gemini", Script((refusal, says(ANSWER)))) as running:

        async def main() -> str:
            async with async_http_client() as client:
                options = types.HttpOptions(httpx_async_client=client)
                model = gemini(running.url, http_options=options)
                return (await run(model, [Mending()], [ASKED]))[0]

        assert asyncio.run(main()) == ANSWER
        assert len(running.requests) == 2


# The callback alone.


def mended(contents: list[Any], model: str = "gemini-2.5-flash", manners: Any = None) -> Any:
    return mended_contents(contents, model, ["weather"], manners)


@pytest.mark.parametrize("manners", [None, STRICT, LENIENT])
def test_what_did_not_change_is_the_very_content(manners: Any) -> None:
    healthy = contents_of(HEALTHY)
    kept = mended(healthy, manners=manners)
    assert kept.anomalies == ()
    assert all(new is old for new, old in zip(kept.contents, healthy, strict=True))
    broken = contents_of(DAMAGED["parallel calls, cancelled half way"])
    kept = mended(broken, manners=manners).contents
    assert [kept[at] is content for at, content in ((0, broken[0]), (1, broken[1]))] == [True] * 2
    assert kept[3] is broken[3]
    assert kept[2].parts[0] is broken[2].parts[0]
    assert [part.function_response.id for part in kept[2].parts] == ["call_1", "call_2", "call_3"]


def test_bytes_and_signatures_come_through_a_change_of_their_content() -> None:
    picture = types.Blob(data=b"\xff\xd8\xff\xe0\xfb\xef\xbe", mime_type="image/jpeg")
    shown = types.Content(
        role="user",
        parts=[types.Part(text=""), types.Part(inline_data=picture), types.Part(text="?")],
    )
    call = types.FunctionCall(name="weather", args={"city": "Rome"})
    called = types.Content(
        role="model", parts=[types.Part(function_call=call, thought_signature=b"\xff\xfe\xfd")]
    )
    kept = mended([shown, called], "gemini-3-pro").contents
    assert [part.inline_data for part in kept[0].parts] == [picture, None]
    assert kept[1] is called
    assert kept[2].parts[0].function_response.name == "weather"


def test_a_wrong_label_is_put_right_over_the_same_bytes() -> None:
    data = b"\xff\xd8\xff\xe0\xfb\xef\xbe\xff"
    blob = types.Blob(data=data, mime_type="image/png")
    shown = types.Content(role="user", parts=[types.Part(inline_data=blob)])
    kept = mended([shown])
    assert [anomaly.kind for anomaly in kept.anomalies] == ["media_relabelled"]
    assert kept.contents[0].parts[0].inline_data == types.Blob(data=data, mime_type="image/jpeg")
    assert blob.mime_type == "image/png"


def test_calls_without_ids_get_some_where_chat_messages_are_made_of_them() -> None:
    call = types.Part(function_call=types.FunctionCall(name="weather", args={}))
    answer = types.FunctionResponse(name="weather", response={"result": "sunny"})
    contents = [
        types.Content(role="user", parts=[types.Part(text="?")]),
        types.Content(role="model", parts=[call, call]),
        types.Content(role="user", parts=[types.Part(function_response=answer)] * 2),
    ]
    assert mended(contents).anomalies == ()
    kept = mended(contents, manners=LENIENT)
    assert {anomaly.kind for anomaly in kept.anomalies} == {"tool_call_id_restored"}
    ids = [part.function_call.id for part in kept.contents[1].parts]
    assert len(set(ids)) == 2
    assert [part.function_response.id for part in kept.contents[2].parts] == ids
    assert mended(kept.contents, manners=LENIENT).anomalies == ()


def test_an_id_used_again_gets_a_new_one_in_call_and_result() -> None:
    twice = [*HEALTHY[:4], *HEALTHY[:3]]
    kept = mended(contents_of(twice), manners=STRICT)
    assert [anomaly.kind for anomaly in kept.anomalies] == ["duplicate_tool_call_renamed"]
    assert kept.contents[5].parts[0].function_call.id == "call_1__2"
    assert kept.contents[6].parts[0].function_response.id == "call_1__2"
    assert mended(contents_of(twice)).anomalies == ()


def test_a_leading_system_content_goes_into_the_instruction() -> None:
    system = types.Content(role="system", parts=[types.Part(text="Be brief.")])
    asked = types.Content(role="user", parts=[types.Part(text="?")])
    for provider in ("gemini", "anthropic"):
        request = LlmRequest(model="any", contents=[system, asked])
        request.append_instructions(["You are a gardener."])
        Mending(provider=provider)(None, request)
        assert request.contents == [asked]
        assert request.config.system_instruction == "You are a gardener.\n\nBe brief."


def test_what_goes_on_with_an_interaction_that_the_api_keeps_is_left_alone() -> None:
    answer = types.FunctionResponse(name="weather", response={"result": "sunny"})
    contents = [types.Content(role="user", parts=[types.Part(function_response=answer)])]
    request = LlmRequest(model="any", contents=list(contents), previous_interaction_id="there")
    Mending(provider="gemini")(None, request)
    assert request.contents == contents
    request.previous_interaction_id = None
    Mending(provider="gemini")(None, request)
    assert request.contents != contents


def test_what_is_no_content_is_said_with_its_place() -> None:
    asked = types.Content(role="user", parts=[types.Part(text="?")])
    with pytest.raises(WiremendError, match="/contents/1"):
        mended([asked, {"role": "user"}])
    odd = types.FunctionResponse(name="weather", response={"result": object()})
    with pytest.raises(WiremendError, match="/contents/0"):
        mended([types.Content(role="user", parts=[types.Part(function_response=odd)])])


def test_errors_that_are_not_its_business_are_raised_as_they_came() -> None:
    with running_provider("gemini", Script((Failure(403),))) as running:
        with pytest.raises(errors.ClientError) as raised:
            asyncio.run(run(gemini(running.url), [Mending()]))
        assert raised.value.code == 403
        assert len(running.requests) == 1
