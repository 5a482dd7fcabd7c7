"""AWS's own SDK (botocore, which boto3 is made of) against the simulated Converse."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

import botocore.session
import pytest
from botocore.config import Config
from botocore.exceptions import ClientError, EventStreamError

from wiremend.simulator import (
    Call,
    Failure,
    Fault,
    Running,
    Script,
    Thinking,
    running_provider,
    says,
)

MODEL = "us.anthropic.claude-sonnet-4-5-20250929-v1:0"
PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNgAAAAAgAB5Sfe/AAAAABJRU5ErkJggg=="
)
ASKED: Any = [{"role": "user", "content": [{"text": "What is in the file?"}]}]
SCHEMA = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}
TOOLS: Any = {"tools": [{"toolSpec": {"name": "look", "inputSchema": {"json": SCHEMA}}}]}


@pytest.fixture(scope="module")
def provider() -> Iterator[Running]:
    with running_provider("bedrock") as running:
        yield running


@contextmanager
def client(running: Running) -> Iterator[Any]:
    sdk = botocore.session.Session().create_client(
        "bedrock-runtime",
        endpoint_url=running.url,
        region_name="us-east-1",
        aws_access_key_id="any",
        aws_secret_access_key="any",
        config=Config(retries={"total_max_attempts": 1}),
    )
    try:
        yield sdk
    finally:
        sdk.close()


def ask(running: Running, messages: Any = ASKED, **more: Any) -> Any:
    with client(running) as sdk:
        return sdk.converse(modelId=MODEL, messages=messages, **more)


def streamed(running: Running, messages: Any = ASKED, **more: Any) -> list[Any]:
    with client(running) as sdk:
        answer = sdk.converse_stream(modelId=MODEL, messages=messages, **more)
        with closing(answer["stream"]) as stream:
            return list(stream)


def test_a_plain_question_gets_a_plain_answer(provider: Running) -> None:
    answer = ask(provider)
    assert answer["output"]["message"]["content"] == [{"text": "Understood."}]
    assert answer["stopReason"] == "end_turn"
    assert answer["ResponseMetadata"]["RequestId"]


def test_an_agents_loop_calls_a_tool_and_comes_to_an_end(provider: Running) -> None:
    first = ask(provider, toolConfig=TOOLS)
    message = first["output"]["message"]
    call = message["content"][0]["toolUse"]
    assert (call["name"], call["input"], first["stopReason"]) == (
        *("look", {"path": "text"}, "tool_use"),
    )
    result = {"toolUseId": call["toolUseId"], "content": [{"text": "words"}]}
    messages = [*ASKED, message, {"role": "user", "content": [{"toolResult": result}]}]
    assert ask(provider, messages, toolConfig=TOOLS)["stopReason"] == "end_turn"


def test_a_model_by_its_resource_name_is_found(provider: Running) -> None:
    arn = "arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.amazon.nova-lite-v1:0"
    with client(provider) as sdk:
        assert sdk.converse(modelId=arn, messages=ASKED)["stopReason"] == "end_turn"


def test_a_stream_says_what_the_whole_answer_says() -> None:
    answer = says(
        Thinking("Let me see."),
        Thinking(hidden=True),
        "Both, äöü 😀, now.",
        Call("look", '{"path": "a \\"quoted\\" 😀 path"}'),
    )
    with running_provider("bedrock", Script((answer, answer))) as running:
        whole = ask(running, toolConfig=TOOLS)
        events = streamed(running, toolConfig=TOOLS)
    told: dict[int, str] = {}
    for event in events:
        if "contentBlockDelta" in event:
            delta = event["contentBlockDelta"]["delta"]
            said = delta.get("text") or delta.get("toolUse", {}).get("input") or ""
            said = said or delta.get("reasoningContent", {}).get("text", "")
            index = event["contentBlockDelta"]["contentBlockIndex"]
            told[index] = told.get(index, "") + said
    content = whole["output"]["message"]["content"]
    assert told[0] == content[0]["reasoningContent"]["reasoningText"]["text"]
    assert isinstance(content[1]["reasoningContent"]["redactedContent"], bytes)
    assert told[2] == content[2]["text"]
    assert content[3]["toolUse"]["input"] == {"path": 'a "quoted" 😀 path'}
    assert told[3] == '{"path": "a \\"quoted\\" 😀 path"}'
    assert [next(iter(event)) for event in (events[0], *events[-2:])] == [
        *("messageStart", "messageStop", "metadata")
    ]


def test_pictures_are_taken(provider: Running) -> None:
    picture = {"image": {"format": "png", "source": {"bytes": PNG}}}
    content = [picture, {"text": "What is it?"}]
    assert ask(provider, [{"role": "user", "content": content}])["stopReason"] == "end_turn"


def test_a_call_without_its_result_is_refused_in_the_providers_words(provider: Running) -> None:
    call = {"toolUse": {"toolUseId": "tooluse_a", "name": "look", "input": {}}}
    broken = [*ASKED, {"role": "assistant", "content": [call]}, *ASKED]
    with pytest.raises(ClientError) as caught:
        ask(provider, broken, toolConfig=TOOLS)
    assert caught.value.response["Error"]["Code"] == "ValidationException"
    assert "toolResult" in caught.value.response["Error"]["Message"]


@pytest.mark.parametrize(
    ("status", "code"),
    [
        (429, "ThrottlingException"),
        (500, "InternalServerException"),
        (503, "ServiceUnavailableException"),
    ],
)
def test_failures_are_the_sdks_own(status: int, code: str) -> None:
    with (
        running_provider("bedrock", Script((Failure(status),))) as running,
        pytest.raises(ClientError) as caught,
    ):
        ask(running)
    assert caught.value.response["Error"]["Code"] == code


def test_an_error_in_the_middle_of_a_stream() -> None:
    fault = Fault("error", after=2, failure=Failure(429))
    with (
        running_provider("bedrock", Script((says("one two", fault=fault),))) as running,
        pytest.raises(EventStreamError, match="throttlingException"),
    ):
        streamed(running)
