"""Agents on the official SDKs, before strict providers: what fails without the proxy goes on."""

from __future__ import annotations

import asyncio
import base64
import json
from typing import Any

import anthropic
import openai
import pytest
from google import genai
from google.genai import types
from tests.proxy.standing import before, standing

from wiremend.simulator import Call, Thinking, says

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNgAAAAAgAB5Sfe/AAAAABJRU5ErkJggg=="
SCHEMA = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}
LOOK = Call("look", {"path": "a.txt"})


class Agent:
    """An agent with one tool, whose turns are cancelled in the middle of a step."""

    dialect: str
    sdk: Any
    forgets = "not available in the current context"

    def __init__(self, url: str) -> None:
        self.url = url
        self.history: list[Any] = []

    def __enter__(self) -> Agent:
        return self

    def __exit__(self, *_: object) -> None:
        self.sdk.close()

    def hears(self, text: str, *, picture: bool = False) -> None:
        raise NotImplementedError

    def steps(self, *, stream: bool) -> str:
        """One answer of the model, kept in the history."""
        raise NotImplementedError

    def looks(self, found: str) -> None:
        """The result of the last call, kept in the history."""
        raise NotImplementedError


class ChatAgent(Agent):
    dialect = "openai-chat"

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.sdk = openai.OpenAI(base_url=f"{url}/v1", api_key="sk-any", max_retries=0)

    def hears(self, text: str, *, picture: bool = False) -> None:
        parts: list[Any] = [{"type": "text", "text": text}]
        if picture:
            url = {"url": f"data:image/png;base64,{PNG}"}
            parts.append({"type": "image_url", "image_url": url})
        self.history.append({"role": "user", "content": parts})

    def steps(self, *, stream: bool) -> str:
        asked: Any = {
            "model": "gpt-5",
            "messages": self.history,
            "tools": [{"type": "function", "function": {"name": "look", "parameters": SCHEMA}}],
        }
        if stream:
            with self.sdk.chat.completions.stream(**asked) as events:
                message = events.get_final_completion().choices[0].message
        else:
            message = self.sdk.chat.completions.create(**asked).choices[0].message
        kept = message.model_dump(include={"role", "content", "tool_calls"}, exclude_none=True)
        for call in kept.get("tool_calls", []):
            call["function"].pop("parsed_arguments", None)
            call.pop("index", None)
        self.history.append(kept)
        return message.content or ""

    def looks(self, found: str) -> None:
        (call,) = self.history[-1]["tool_calls"]
        self.history.append({"role": "tool", "tool_call_id": call["id"], "content": found})


class ResponsesAgent(Agent):
    dialect = "openai-responses"

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.sdk = openai.OpenAI(base_url=f"{url}/v1", api_key="sk-any", max_retries=0)

    def hears(self, text: str, *, picture: bool = False) -> None:
        parts: list[Any] = [{"type": "input_text", "text": text}]
        if picture:
            url = f"data:image/png;base64,{PNG}"
            parts.append({"type": "input_image", "image_url": url, "detail": "auto"})
        self.history.append({"role": "user", "content": parts})

    def steps(self, *, stream: bool) -> str:
        asked: Any = {
            "model": "gpt-5",
            "input": self.history,
            "tools": [{"type": "function", "name": "look", "parameters": SCHEMA, "strict": False}],
            "store": False,
            "include": ["reasoning.encrypted_content"],
        }
        if stream:
            with self.sdk.responses.stream(**asked) as events:
                response: Any = events.get_final_response()
        else:
            response = self.sdk.responses.create(**asked)
        self.history += [
            item.model_dump(exclude_none=True, exclude={"parsed_arguments"})
            for item in response.output
        ]
        return str(response.output_text)

    def looks(self, found: str) -> None:
        call_id = self.history[-1]["call_id"]
        self.history.append({"type": "function_call_output", "call_id": call_id, "output": found})


class AnthropicAgent(Agent):
    dialect = "anthropic"

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.sdk = anthropic.Anthropic(base_url=url, api_key="sk-any", max_retries=0)

    def hears(self, text: str, *, picture: bool = False) -> None:
        parts: list[Any] = [{"type": "text", "text": text}]
        if picture:
            source = {"type": "base64", "media_type": "image/png", "data": PNG}
            parts.append({"type": "image", "source": source})
        self.history.append({"role": "user", "content": parts})

    def steps(self, *, stream: bool) -> str:
        asked: Any = {
            "model": "claude-sonnet-4-5",
            "max_tokens": 2000,
            "thinking": {"type": "enabled", "budget_tokens": 1024},
            "messages": self.history,
            "tools": [{"name": "look", "input_schema": SCHEMA}],
        }
        if stream:
            with self.sdk.messages.stream(**asked) as events:
                message: Any = events.get_final_message()
        else:
            message = self.sdk.messages.create(**asked)
        blocks = [block.model_dump(exclude_none=True) for block in message.content]
        self.history.append({"role": "assistant", "content": blocks})
        return "".join(block.text for block in message.content if block.type == "text")

    def looks(self, found: str) -> None:
        call = self.history[-1]["content"][-1]
        result = {"type": "tool_result", "tool_use_id": call["id"], "content": found}
        self.history.append({"role": "user", "content": [result]})


class GeminiAgent(Agent):
    dialect = "gemini"

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.sdk = genai.Client(api_key="any", http_options=types.HttpOptions(base_url=url))

    def hears(self, text: str, *, picture: bool = False) -> None:
        parts = [types.Part(text=text)]
        if picture:
            parts.append(types.Part.from_bytes(data=base64.b64decode(PNG), mime_type="image/png"))
        self.history.append(types.Content(role="user", parts=parts))

    def steps(self, *, stream: bool) -> str:
        declared: Any = {"name": "look", "parameters_json_schema": SCHEMA}
        asked: Any = {
            "model": "gemini-3-pro-preview",
            "contents": list(self.history),
            "config": types.GenerateContentConfig(
                tools=[types.Tool(function_declarations=[declared])],
                automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
            ),
        }
        if stream:
            pieces = list(self.sdk.models.generate_content_stream(**asked))
        else:
            pieces = [self.sdk.models.generate_content(**asked)]
        parts = [
            part
            for piece in pieces
            for candidate in piece.candidates or []
            for part in (candidate.content.parts if candidate.content else None) or []
        ]
        self.history.append(types.Content(role="model", parts=parts))
        return "".join(part.text or "" for part in parts if not part.thought)

    def looks(self, found: str) -> None:
        call = self.history[-1].parts[-1].function_call
        answer = types.FunctionResponse(id=call.id, name=call.name, response={"output": found})
        part = types.Part(function_response=answer)
        self.history.append(types.Content(role="user", parts=[part]))


AGENTS: list[type[Agent]] = [ChatAgent, ResponsesAgent, AnthropicAgent, GeminiAgent]
each_agent = pytest.mark.parametrize("agent", AGENTS, ids=lambda agent: agent.dialect)
each_way = pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])


def go(agent: Agent, *, stream: bool) -> None:
    """A turn with a call and its result, and one whose call is never answered; then a third."""
    agent.hears("What is in the file?", picture=True)
    assert agent.steps(stream=stream) == ""
    agent.looks("forty-two")
    assert agent.steps(stream=stream) == "It says 42."
    agent.hears("And now?")
    assert agent.steps(stream=stream) == "Looking."
    agent.hears("Never mind; thank you.")
    assert agent.steps(stream=stream) == "Welcome."


def steps() -> list[Any]:
    thinks = Thinking("It has to be looked at.")
    return [
        says(thinks, LOOK),
        says("It says 42."),
        says(thinks, "Looking.", LOOK),
        says("Welcome."),
    ]


@each_agent
@each_way
def test_an_agent_whose_turn_was_cancelled_goes_on(agent: type[Agent], stream: bool) -> None:
    refused = pytest.raises((openai.APIError, anthropic.APIError, genai.errors.APIError))
    with before(agent.dialect, *steps()) as proxy, refused, agent(proxy.provider.url) as alone:
        go(alone, stream=stream)
    with before(agent.dialect, *steps()) as proxy, agent(proxy.url) as mended:
        go(mended, stream=stream)
        entries = proxy.entries(4)
        assert [entry.status for entry in entries] == [200] * 4
        kinds = [[anomaly.kind for anomaly in entry.anomalies] for entry in entries]
        assert kinds[:3] == [[], [], []]
        assert "tool_result_synthesized" in kinds[3]
        assert entries[3].stream is stream or agent is GeminiAgent
        last = json.dumps(proxy.got[-1])
        for kept in ("What is in the file?", "forty-two", "42.", "Never mind", PNG[:40]):
            assert kept in last
        assert last.count(Agent.forgets) == 1


@each_agent
def test_what_a_provider_takes_passes_as_it_came(agent: type[Agent]) -> None:
    directly: list[Any] = []
    for through in (False, True):
        with before(agent.dialect, *steps()) as proxy:
            with agent(proxy.url if through else proxy.provider.url) as own:
                own.hears("What is in the file?", picture=True)
                own.steps(stream=False)
                own.looks("forty-two")
                own.steps(stream=False)
            got = [(one.method, one.path, one.query, one.json) for one in proxy.provider.requests]
            directly.append(got)
            if through:
                assert not any(entry.anomalies for entry in proxy.entries(2))
    assert directly[0] == directly[1]


def test_requests_side_by_side_through_an_asynchronous_sdk_are_not_mixed() -> None:
    async def ask(sdk: openai.AsyncOpenAI, number: int) -> str:
        answer = await sdk.chat.completions.create(
            model="gpt-5",
            messages=[{"role": "user", "content": f"number {number}"}],
            user=f"user-{number}",
        )
        return answer.choices[0].message.content or ""

    async def ask_all(url: str) -> list[str]:
        async with openai.AsyncOpenAI(base_url=f"{url}/v1", api_key="k", max_retries=0) as sdk:
            return await asyncio.gather(*(ask(sdk, number) for number in range(40)))

    with before("openai-chat") as proxy:
        assert asyncio.run(ask_all(proxy.url)) == ["Understood."] * 40
        users = {body["user"]: body["messages"][0]["content"] for body in proxy.got}
        assert users == {f"user-{number}": f"number {number}" for number in range(40)}


SERVER_ERRORS: dict[type[Agent], type[Exception]] = {
    ChatAgent: openai.InternalServerError,
    ResponsesAgent: openai.InternalServerError,
    AnthropicAgent: anthropic.InternalServerError,
    GeminiAgent: genai.errors.ServerError,
}


@each_agent
def test_an_sdk_reads_the_errors_of_the_proxy_itself(agent: type[Agent]) -> None:
    with before(agent.dialect) as gone:
        pass
    with standing(gone.provider.url) as proxy, agent(proxy.url) as own:
        own.hears("Hello?")
        with pytest.raises(SERVER_ERRORS[agent], match="wiremend: no answer from 127"):
            own.steps(stream=False)
