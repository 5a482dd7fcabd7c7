"""Errors as providers, SDKs and gateways write them, each in its class."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wiremend.recovery import Classified, Sign, classify

_DATA = Path(__file__).parents[1] / "data"
_VECTORS = tuple(_DATA / f"error-vectors{of}.json" for of in ("", "-servers", "-reports"))
_CLASSES = {
    *(
        "network",
        "aborted",
        "structure",
        "media_format",
        "media_too_large",
        "request_too_large",
        "context_overflow",
    ),
    *("auth", "quota", "rate_limit", "overloaded", "server", "other"),
}


def _vectors() -> list[Any]:
    vectors = [vector for path in _VECTORS for vector in json.loads(path.read_text("utf-8"))]
    return [pytest.param(v, id=f"{n}-{v['provider']}-{v['class']}") for n, v in enumerate(vectors)]


@pytest.mark.parametrize("vector", _vectors())
def test_an_error_of_a_provider_is_of_its_class(vector: dict[str, Any]) -> None:
    found = classify(vector["status"], vector["body"], vector["provider"])
    assert found.error_class == vector["class"]


@pytest.mark.parametrize("vector", _vectors())
def test_the_text_of_an_error_is_enough_without_status_and_dialect(
    vector: dict[str, Any],
) -> None:
    assert classify(None, vector["body"]).error_class == vector["class"]


_OVERFLOWS = [v for v in _vectors() if v.values[0]["class"] == "context_overflow"]
_OF_STRUCTURE = (
    "messages.3: `tool_use` ids were found without `tool_result` blocks: toolu_1",
    "messages[12].content must not be empty; roles must alternate",
    "body -> messages -> 2 -> tool_call_id: field required",
)


@pytest.mark.parametrize("vector", _OVERFLOWS)
@pytest.mark.parametrize("status", [None, 200, 400, 413, 422, 500])
def test_a_context_that_overflows_is_no_fault_of_structure_whatever_else_is_said(
    vector: dict[str, Any], status: int | None
) -> None:
    for other in _OF_STRUCTURE:
        for text in (f"{vector['body']} {other}", f"{other}. {vector['body']}"):
            found = classify(status, text, vector["provider"])
            assert (found.error_class, found.next_policy) == ("context_overflow", None)


_MISSING = (
    "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: "
    "toolu_1. Each `tool_use` block must have a corresponding `tool_result` block in the next "
    'message. See "docs".'
)
_ANTHROPIC_BODY = {
    "type": "error",
    "error": {"type": "invalid_request_error", "message": _MISSING},
    "request_id": "req_011",
}
_STRICT = {"structure": "strict"}


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(_ANTHROPIC_BODY, id="a dict"),
        pytest.param(json.dumps(_ANTHROPIC_BODY), id="JSON text"),
        pytest.param(json.dumps(_ANTHROPIC_BODY).encode(), id="JSON bytes"),
        pytest.param(f"400 {json.dumps(_ANTHROPIC_BODY)}", id="status and JSON"),
        pytest.param(f"Error code: 400 - {_ANTHROPIC_BODY}", id="a Python SDK"),
        pytest.param(
            "litellm.BadRequestError: AnthropicException - " + json.dumps(_ANTHROPIC_BODY),
            id="a gateway's exception",
        ),
        pytest.param(
            {"error": {"message": json.dumps(_ANTHROPIC_BODY), "code": 400}}, id="JSON in JSON"
        ),
        pytest.param(
            json.dumps(json.dumps({"details": json.dumps(_ANTHROPIC_BODY)})), id="three times JSON"
        ),
        pytest.param(f"<html><body><p>{_MISSING}</p></body></html>", id="a page"),
        pytest.param(_MISSING.replace("`", ""), id="without backticks"),
        pytest.param(_MISSING.replace("`", "\\u0060"), id="escaped"),
        pytest.param(_MISSING.replace(" ", "\n  "), id="broken over lines"),
    ],
)
def test_a_wrapped_error_is_read_like_a_bare_one(body: Any) -> None:
    assert classify(400, body) == Classified("structure", ("WM201",), "/messages/1", _STRICT)


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("messages.3: `tool_use` ids were found without `tool_result` blocks after: x", "WM201"),
        ("messages.2.content.0: unexpected `tool_use_id` found in `tool_result` blocks", "WM202"),
        ("messages.2: Found multiple `tool_result` blocks with id: toolu_1", "WM203"),
        ("`tool_use` ids must be unique", "WM204"),
        ("messages.1.content.0.tool_use.id: String should match pattern '^[a-z]+$'", "WM206"),
        ("messages.1.content.0.tool_use.name: String should have at most 128 characters", "WM207"),
        ("tools.0.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'", "WM207"),
        ("messages.1.content.0.tool_use.input: Field required", "WM208"),
        ("system: text content blocks must be non-empty", "WM209"),
        ("messages.1.content.0.thinking.signature: Field required", "WM214"),
        (
            "messages.5.content.0: If an assistant message contains any thinking blocks, the first "
            "block must be `thinking` or `redacted_thinking`. Found `text`.",
            "WM215",
        ),
        (
            "When thinking is disabled, an `assistant` message in the final position cannot "
            "contain `thinking`. To use thinking blocks, enable `thinking` in your request.",
            "WM216",
        ),
        (
            "Requests which include `tool_use` or `tool_result` blocks must define tools.",
            "WM217",
        ),
        (
            "messages.0.content.0.text.cache_control.ephemeral.scope: Extra inputs are not "
            "permitted",
            "WM222",
        ),
        ("This model does not support assistant message prefill.", "WM224"),
        (
            "messages.0.content.0: Input tag 'image_url' found using 'type' does not match any of "
            "the expected tags: 'image', 'text'",
            "WM225",
        ),
        (
            "messages.2.content.0: `tool_result` content cannot be empty if `is_error` is true",
            "WM226",
        ),
        ("messages: at least one message is required", "WM228"),
        ("messages.4.content: Input should be a valid list", "WM003"),
        ("insufficient tool messages following tool_calls message", "WM101"),
        ("Duplicate value for 'tool_call_id' of 'call_1' in message[3].", "WM103 WM104"),
        ("Duplicate value for 'tool_call_id' of  in message[2]", "WM103 WM104"),
        ("Invalid 'messages[2].tool_call_id': empty string.", "WM106"),
        ("Invalid 'messages[1].tool_calls[0].id': string too long.", "WM107"),
        ("Invalid 'tools[0].function.name': string does not match pattern.", "WM108"),
        ("400 from strict servers: arguments is not valid JSON", "WM109"),
        ("Invalid 'messages[0].content': empty array. Expected minimum length 1", "WM111"),
        ("Invalid value: 'tool_use'. Supported values are: 'text' and 'refusal'.", "WM113"),
        ("Invalid 'messages': empty array. Expected an array with minimum length 1", "WM115"),
        ("'utf-8' codec can't encode character '\\ud83d': surrogates not allowed", "WM001"),
        ("Out of range float values are not JSON compliant", "WM002"),
        ("We could not parse the JSON body of your request.", "WM003"),
    ],
)
def test_a_wording_of_structure_names_its_rule(text: str, rules: str) -> None:
    found = classify(400, text)
    assert (found.error_class, found.rules) == ("structure", tuple(rules.split()))
    assert found.next_policy == _STRICT


@pytest.mark.parametrize(
    ("status", "text", "error_class"),
    [
        (400, "Input exceeds the context window of this model", "context_overflow"),
        (
            400,
            "request (9000 tokens) exceeds the available context size (8192)",
            "context_overflow",
        ),
        (
            400,
            "Invalid 'messages[1].content': string too long. Expected 1048576",
            "context_overflow",
        ),
        (400, "prompt is too long; `tool_use` ids were found without", "context_overflow"),
        (413, "prompt is too long: 1200000 tokens > 1000000 maximum", "context_overflow"),
        (402, "This request requires more credits, or fewer max_tokens.", "quota"),
        (403, "Quota exceeded for aiplatform.googleapis.com", "quota"),
        (429, "Quota exceeded for metric: requests per minute", "rate_limit"),
        (429, "Too many tokens, please wait before trying again.", "rate_limit"),
        (429, "Request too large for gpt-4o on tokens per min (TPM): Limit 30000", "rate_limit"),
        (403, "User is not authorized to perform bedrock:InvokeModel", "auth"),
        (400, "The security token included in the request is expired", "auth"),
        (400, "image dimensions exceed max allowed size: 8000 pixels", "media_too_large"),
        (400, "A maximum of 100 PDF pages may be provided.", "media_too_large"),
        (400, "unsupported MIME type 'image/heic'", "media_format"),
        (400, "unknown variant `image_url`, expected `text`", "media_format"),
        (404, "No endpoints found that support image input", "media_format"),
        (400, "Request payload size exceeds the limit: 20971520 bytes.", "request_too_large"),
        (503, "Server is busy, please try again later", "overloaded"),
        (400, "max_tokens: 20000 > 8192, the maximum for this model", "other"),
        (400, "Invalid value: 'loud'. Supported values are: 'low' and 'high'.", "other"),
        (404, "model: claude-nine", "other"),
    ],
)
def test_a_wording_of_the_rest_is_of_its_class(status: int, text: str, error_class: str) -> None:
    assert classify(status, text).error_class == error_class
    assert classify(status, json.dumps({"error": {"message": text}})).error_class == error_class


@pytest.mark.parametrize(
    ("error", "error_class"),
    [
        (
            {"code": "context_length_exceeded", "message": "tool_calls: empty array"},
            "context_overflow",
        ),
        ({"code": "insufficient_quota", "message": "Too many requests"}, "quota"),
        ({"type": "billing_error", "message": "see your plan"}, "quota"),
        ({"type": "permission_error", "message": "no"}, "auth"),
        ({"type": "rate_limit_error", "message": "slow down"}, "rate_limit"),
        ({"details": {"error_code": "image_dimensions_too_large"}}, "media_too_large"),
        ({"details": {"error_code": "compaction_block_misplaced"}}, "structure"),
        ({"code": 400, "status": "INVALID_ARGUMENT", "message": "API key not valid."}, "auth"),
        ({"type": "api_error", "message": _MISSING}, "structure"),
    ],
)
def test_a_code_for_machines_is_looked_at_before_words(
    error: dict[str, Any], error_class: str
) -> None:
    assert classify(400, {"type": "error", "error": error}).error_class == error_class


@pytest.mark.parametrize(
    ("status", "error_class"),
    [
        *((400, "other"), (404, "other"), (422, "other"), (None, "other"), (200, "other")),
        *((401, "auth"), (403, "auth"), (402, "quota"), (413, "request_too_large")),
        *((429, "rate_limit"), (500, "server"), (502, "server"), (504, "server")),
        *((503, "overloaded"), (529, "overloaded")),
    ],
)
@pytest.mark.parametrize("body", [None, "", b"", {}, "no luck", "<html><title>x</title></html>"])
def test_the_status_decides_where_the_text_says_nothing(
    status: int | None, error_class: str, body: Any
) -> None:
    assert classify(status, body).error_class == error_class


def test_what_the_status_blames_on_the_request_is_not_the_servers() -> None:
    body = {"type": "error", "error": {"type": "api_error", "message": "hm"}}
    classes = [classify(status, body).error_class for status in (None, 200, 500, 400, 404)]
    assert classes == ["server", "server", "server", "other", "other"]


def test_a_wording_that_is_not_known_exactly_counts_where_the_request_is_blamed() -> None:
    text = "a tool result is missing for the tool call before it"
    classes = [classify(status, text).error_class for status in (400, 422, None, 500, 502)]
    assert classes == ["structure", "structure", "structure", "server", "server"]


@pytest.mark.parametrize(
    "text",
    [
        "Unsupported parameter: 'parallel_tool_calls' is not supported with this model.",
        "'tool_choice' is only allowed when 'tools' are specified.",
        "Invalid value for 'tool_choice': the function 'x' is not found in 'tools'.",
        "max_tokens must be less than 8192",
        "The model produced an invalid tool name.",
        "top_p must be in (0, 1]",
        "stop: a list of at most 4 texts is allowed",
    ],
)
def test_a_fault_of_a_setting_is_no_fault_of_structure(text: str) -> None:
    assert classify(400, text).error_class == "other"


def test_signs_of_a_user_count_before_the_table_and_its_codes() -> None:
    mine = Sign(re.compile("house rule 7"), "structure", rules=("WM101",))
    body = {"error": {"code": "insufficient_quota", "message": "House rule 7: no"}}
    assert classify(400, body).error_class == "quota"
    found = classify(400, body, extra_signs=[mine])
    assert found == Classified("structure", ("WM101",), "", {"structure": "strict"})
    own = Sign(re.compile("teapot"), "structure", next_policy=("media", "strip"))
    assert classify(418, "Teapot", extra_signs=[own]).next_policy is None
    assert classify(400, "Teapot", extra_signs=[own]).next_policy == {"media": "strip"}


@pytest.mark.parametrize(
    ("headers", "error_class", "seconds"),
    [
        ({"x-amzn-ErrorType": "ThrottlingException:http://internal"}, "rate_limit", None),
        ({"X-Amzn-Errortype": "AccessDeniedException"}, "auth", None),
        ({"Retry-After": "7"}, "rate_limit", 7.0),
        ({"retry-after-ms": "1500", "retry-after": "2"}, "rate_limit", 1.5),
        ({"retry-after": "Wed, 21 Oct 2026 07:28:00 GMT"}, "rate_limit", None),
    ],
)
def test_headers_say_what_the_body_does_not(
    headers: dict[str, str], error_class: str, seconds: float | None
) -> None:
    found = classify(429, "", headers=headers)
    assert (found.error_class, found.retry_after) == (error_class, seconds)


@pytest.mark.parametrize(
    ("body", "error_class"),
    [
        ({"error": {"message": "hm", "code": 502}}, "server"),
        ({"error": {"message": "hm", "code": "503"}}, "overloaded"),
        ({"status_code": 401, "message": "hm"}, "auth"),
        ({"error": {"message": "hm", "code": 1302}}, "other"),
    ],
)
def test_the_status_inside_a_body_serves_in_a_stream(
    body: dict[str, Any], error_class: str
) -> None:
    assert classify(200, body).error_class == error_class


def test_the_status_inside_the_text_serves_where_none_is_given() -> None:
    assert classify(None, "Error code: 503 - {}").error_class == "overloaded"
    assert classify(None, "HTTP/1.1 401 go away").error_class == "auth"


@pytest.mark.parametrize(
    ("status", "text", "policy"),
    [
        (400, _MISSING, _STRICT),
        (422, _MISSING, _STRICT),
        (None, _MISSING, _STRICT),
        (500, _MISSING, None),
        (None, f"Error code: 500 - {_MISSING}", None),
        (413, "", {"media": "degraded"}),
        (400, "Could not process image", {"media": "strip"}),
        (415, "Could not process image", {"media": "strip"}),
        (500, "Could not process image", None),
        (502, "Request Entity Too Large", None),
        (429, "Too many images per minute", None),
        (429, "Request too large", None),
        (400, "image exceeds 5 MB maximum", {"media": "strip"}),
        (400, "prompt is too long", None),
        (429, "", None),
        (400, "", None),
    ],
)
def test_the_next_policy_is_that_of_the_class(
    status: int | None, text: str, policy: dict[str, str] | None
) -> None:
    assert classify(status, text).next_policy == policy


@pytest.mark.parametrize(
    ("text", "pointer"),
    [
        ("messages.1.content.0: no", "/messages/1/content/0"),
        ("messages.1.content.0.tool_use.id: no", "/messages/1/content/0/id"),
        ("messages.1.content.0.text.text: no", "/messages/1/content/0/text"),
        (
            "messages.2.content.0.tool_result.content.1.image.source.base64.media_type: no",
            "/messages/2/content/0/content/1/source/media_type",
        ),
        (
            "messages.0.content.0.text.cache_control.ephemeral.ttl: no",
            "/messages/0/content/0/cache_control/ttl",
        ),
        ("tools.0.custom.name: no", "/tools/0/name"),
        ("Invalid 'messages[1].tool_calls': no", "/messages/1/tool_calls"),
        (
            "Invalid 'messages[1].tool_calls[0].custom.name': no",
            "/messages/1/tool_calls/0/custom/name",
        ),
        ("Invalid 'messages[0].content[0].text': no", "/messages/0/content/0/text"),
        ('{"message": "no", "param": "messages.[3].role"}', "/messages/3/role"),
        ("Invalid 'input[1].id': no", "/input/1/id"),
        (
            "Value at 'messages.2.member.content.1.member.toolUse.name' failed",
            "/messages/1/content/0/toolUse/name",
        ),
        ("at 'toolConfig.tools.1.member.toolSpec.name'", "/toolConfig/tools/0/toolSpec/name"),
        ("* GenerateContentRequest.contents[2].parts[0].data: no", "/contents/2/parts/0/data"),
        ("the message at position 2 with role 'user'", "/messages/2"),
        ("missing in assistant tool call message at index 1", "/messages/1"),
        ("of 'call_1' in message[3].", "/messages/3"),
        ("no (body, messages, 1, assistant, reasoning_content)", "/messages/1"),
        ("{'loc': ['body', 'messages', 4, 'content']}", "/messages/4"),
        ("messages: roles must alternate", ""),
        ("", ""),
    ],
)
def test_the_place_is_read_off_the_text(text: str, pointer: str) -> None:
    assert classify(400, text).pointer == pointer


_ORPHAN = "messages with role 'tool' must be a response to a preceding message with 'tool_calls'"


@pytest.mark.parametrize(
    ("text", "dialect", "rules"),
    [
        (_MISSING, None, ("WM201",)),
        (_MISSING, "anthropic", ("WM201",)),
        # A gateway in front of another provider answers in that one's words.
        (_MISSING, "openai-chat", ("WM101",)),
        (_ORPHAN, "kimi", ("WM102",)),
        (_ORPHAN, "anthropic", ("WM202",)),
        (_ORPHAN, "openai-responses", ()),
        (_ORPHAN, "gemini", ()),
        ("This model does not support assistant message prefill.", "bedrock", ("WM519",)),
        ("no low surrogate in string", "gemini", ("WM001",)),
        ("no low surrogate in string", None, ("WM001",)),
    ],
)
def test_the_dialect_narrows_the_rules(
    text: str, dialect: str | None, rules: tuple[str, ...]
) -> None:
    assert classify(400, text, dialect).rules == rules


_anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@settings(deadline=None)
@given(
    status=st.none() | st.integers(),
    body=_anything | st.text(alphabet=st.characters(exclude_categories=())),
    dialect=st.none() | st.sampled_from(["anthropic", "openai-chat", "gemini"]) | st.text(),
)
def test_nothing_is_raised_whatever_comes(
    status: int | None, body: Any, dialect: str | None
) -> None:
    assert classify(status, body, dialect).error_class in _CLASSES


def test_a_body_that_holds_itself_says_nothing() -> None:
    body: dict[str, Any] = {}
    body["error"] = body
    assert classify(400, body).error_class == "other"


@pytest.mark.parametrize(
    "piece",
    [
        *("insufficient_", "exceed ", "messages.1", "[1]", "no ", "a ", "tokens ", "\\", "\\\\u1"),
        *('"type"', '"code": "', " ", "json", "image ", "arguments ", "9", "expecting ", "é"),
    ],
)
def test_a_megabyte_of_anything_is_read_in_no_time(piece: str) -> None:
    text = piece * (1_000_000 // len(piece))
    began = time.perf_counter()
    classify(400, text)
    assert time.perf_counter() - began < 2


def test_only_the_beginning_of_a_long_text_is_looked_at() -> None:
    assert classify(400, " " * 70_000 + _MISSING).error_class == "other"
