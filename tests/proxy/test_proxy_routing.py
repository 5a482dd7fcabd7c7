"""Where a request goes, as what it is judged, and what passes untouched."""

from __future__ import annotations

import gzip
import json
from contextlib import ExitStack
from typing import Any

import pytest
from tests.proxy.standing import before, standing
from tests.proxy.upstreams import OK, Peer, upstream

from wiremend.errors import WiremendError
from wiremend.proxy import parse_upstream
from wiremend.proxy.upstreams import choose
from wiremend.transit.endpoints import find_endpoint

SOUND = b'{ "messages" : [{"role":"user","content":"h\\u0069 \xe2\x9c\x93"}], "x":1e2, "model":"m"}'
BROKEN: dict[str, Any] = {
    "model": "gpt-5",
    "messages": [
        {"role": "user", "content": "hi"},
        {
            "role": "assistant",
            "tool_calls": [
                {"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}}
            ],
        },
        {"role": "user", "content": "go on"},
    ],
    "vendor_field": {"kept": True},
}


@pytest.mark.parametrize(
    ("text", "path", "url"),
    [
        ("https://h", "/v1/messages", "https://h/v1/messages"),
        ("https://h/", "/v1/messages?beta=true", "https://h/v1/messages?beta=true"),
        ("https://h/v1", "/v1/messages", "https://h/v1/messages"),
        ("https://h/v1", "/messages", "https://h/v1/messages"),
        ("https://h/api/v1", "/v1/chat/completions", "https://h/api/v1/chat/completions"),
        ("https://h/api", "/v1/chat/completions", "https://h/api/v1/chat/completions"),
        ("https://h/v1", "/v1beta/models", "https://h/v1/v1beta/models"),
        ("/kimi=https://h/v1", "/kimi/v1/chat/completions", "https://h/v1/chat/completions"),
        ("/kimi=https://h", "/kimi", "https://h/"),
        ("https://h", "/model/a%3Ab%2Fc/converse", "https://h/model/a%3Ab%2Fc/converse"),
    ],
)
def test_a_path_is_appended_to_the_upstream_without_saying_its_end_twice(
    text: str, path: str, url: str
) -> None:
    assert parse_upstream(text).target(path) == url


@pytest.mark.parametrize(
    ("text", "dialect"),
    [
        ("https://api.openai.com", "openai-chat"),
        ("https://api.moonshot.ai/v1", "kimi"),
        ("https://api.deepseek.com", "deepseek"),
        ("https://api.mistral.ai", "mistral"),
        ("https://dashscope-intl.aliyuncs.com/compatible-mode/v1", "qwen"),
        ("https://openrouter.ai/api", "openrouter"),
        ("https://notdeepseek.com", "openai-chat"),
        ("generic+http://localhost:8000/v1", "generic"),
        ("/a=kimi+https://gateway.example", "kimi"),
        ("kimi-*=kimi+https://gateway.example", "kimi"),
    ],
)
def test_an_upstream_says_by_whose_rules_its_chat_is_judged(text: str, dialect: str) -> None:
    assert parse_upstream(text).speaks("openai-chat") == dialect
    assert parse_upstream(text).speaks("anthropic") == "anthropic"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("api.openai.com", "not an upstream"),
        ("https://", "not an upstream"),
        ("https:///x", "no host"),
        ("https://h:99999", "not a URL"),
        ("https://h:0", "no port that exists"),
        ("https://h/?key=1", "before the query"),
        ("klaude+https://h", "no dialect 'klaude'; there are: openai-chat"),
        ("https://user:hunter2@h:x", "not a URL"),
    ],
)
def test_what_is_no_upstream_is_refused_with_the_reason(text: str, said: str) -> None:
    with pytest.raises(WiremendError, match=said) as caught:
        parse_upstream(text)
    assert "hunter2" not in str(caught.value)


def test_the_first_upstream_that_matches_takes_a_request() -> None:
    texts = ["/a=http://a", "claude-*=http://c", "gpt-*=http://g", "/b=http://b"]
    upstreams = [parse_upstream(text) for text in texts]

    def chosen(path: str, model: str | None) -> str | None:
        found = choose(upstreams, path, model)
        return None if found is None else found.name

    assert chosen("/a/v1/messages", "gpt-5") == "a"
    assert chosen("/ab/v1/messages", "gpt-5") == "g"
    assert chosen("/v1/messages", "claude-opus-4-6") == "c"
    assert chosen("/v1/models", None) == "c"
    assert chosen("/b/v1/messages", "o3") == "b"
    assert chosen("/v1/messages", "o3") is None


@pytest.mark.parametrize(
    ("path", "family", "model"),
    [
        ("/v1/chat/completions", "openai-chat", None),
        ("/openai/deployments/d/chat/completions", "openai-chat", None),
        ("/v1/responses", "openai-responses", None),
        ("/v1/messages", "anthropic", None),
        ("/v1/messages/count_tokens", "anthropic", None),
        ("/v1beta/models/gemini-3-pro:generateContent", "gemini", "gemini-3-pro"),
        ("/v1beta/models/gemini-3-pro:streamGenerateContent", "gemini", "gemini-3-pro"),
        (
            "/v1/projects/p/locations/l/publishers/google/models/g-3:generateContent",
            "gemini",
            "g-3",
        ),
        (
            "/v1/projects/p/locations/l/publishers/anthropic/models/claude-x:streamRawPredict",
            "anthropic",
            "claude-x",
        ),
        ("/model/eu.anthropic.claude-x:0/converse-stream", "bedrock", "eu.anthropic.claude-x:0"),
    ],
)
def test_the_end_of_a_path_says_which_format_it_speaks(
    path: str, family: str, model: str | None
) -> None:
    endpoint = find_endpoint("POST", path)
    assert endpoint is not None
    assert (endpoint.family, endpoint.model) == (family, model)
    assert find_endpoint("GET", path) is None


@pytest.mark.parametrize(
    "path", ["/v1/embeddings", "/v1/messages/batches", "/v1/responses/r_1/cancel", "/"]
)
def test_what_is_no_conversation_has_no_endpoint(path: str) -> None:
    assert find_endpoint("POST", path) is None


def test_requests_go_by_path_and_by_model() -> None:
    with ExitStack() as stack:
        kimi = stack.enter_context(before("kimi"))
        claude = stack.enter_context(before("anthropic"))
        proxy = stack.enter_context(
            standing(f"/k=kimi+{kimi.provider.url}", f"claude-*={claude.provider.url}")
        )
        answer = proxy.post("/k/v1/chat/completions", json=BROKEN)
        assert answer.status_code == 200
        asked = {"model": "claude-sonnet-4-5", "max_tokens": 9, "messages": BROKEN["messages"][:1]}
        version = {"anthropic-version": "2023-06-01", "x-api-key": "k"}
        assert proxy.post("/v1/messages", json=asked, headers=version).status_code == 200
        lost = proxy.post("/v1/chat/completions", json=BROKEN)
        assert lost.status_code == 404
        assert lost.json()["error"]["message"] == (
            "wiremend: no upstream takes this path and model"
        )
        assert lost.headers["x-wiremend-error"] == "no_upstream"
        assert [entry.dialect for entry in proxy.entries(3)] == ["kimi", "anthropic", None]
        assert len(kimi.got) == len(claude.got) == 1


def test_a_sound_request_passes_byte_for_byte_with_its_headers() -> None:
    seen: list[tuple[bytes, bytes]] = []

    async def behave(peer: Peer) -> None:
        while True:
            seen.append(await peer.request())
            await peer.say(OK.replace(b"\r\n\r\n", b"\r\nx-own: 1\r\nset-cookie: a=b\r\n\r\n"))

    with upstream(behave) as url, standing(url) as proxy:
        answer = proxy.post(
            "/v1/chat/completions?a=%20b&c",
            content=SOUND,
            headers={"content-type": "application/json", "X-Custom": "é".encode()},
        )
        assert answer.content == b"{}"
        assert answer.headers["x-own"] == "1"
        assert answer.headers["x-wiremend-repairs"] == "none"
        assert answer.headers["x-wiremend-policy"] == "plain"
        assert answer.headers["x-wiremend-attempts"] == "1"
        ((head, body),) = seen
    assert body == SOUND
    assert head.startswith(b"POST /v1/chat/completions?a=%20b&c HTTP/1.1\r\n")
    assert b"Authorization: Bearer sk-any\r\n" in head
    assert b"X-Custom: \xc3\xa9\r\n" in head
    assert f"Host: {url[7:]}\r\n".encode() in head


def test_a_mended_request_keeps_what_the_proxy_does_not_know() -> None:
    with before("openai-chat") as proxy:
        answer = proxy.post("/v1/chat/completions", json=BROKEN)
        assert answer.headers["x-wiremend-repairs"] == "tool_result_synthesized=1"
        (body,) = proxy.got
    assert body["vendor_field"] == {"kept": True}
    assert [message["role"] for message in body["messages"]] == [
        *("user", "assistant", "tool", "user"),
    ]


def test_a_compressed_request_is_mended_too() -> None:
    packed = gzip.compress(json.dumps(BROKEN).encode())
    headers = {"content-encoding": "gzip", "content-type": "application/json"}
    with before("openai-chat") as proxy:
        answer = proxy.post("/v1/chat/completions", content=packed, headers=headers)
        assert answer.status_code == 200
        (body,) = proxy.got
        assert len(body["messages"]) == 4
        assert "content-encoding" not in proxy.provider.requests[0].headers


def test_a_model_that_only_the_path_names_is_judged_by_and_not_written() -> None:
    called = {"functionCall": {"name": "f", "args": {}}}
    contents = [
        {"role": "user", "parts": [{"text": "hi"}]},
        {"role": "model", "parts": [called]},
        {"role": "user", "parts": [{"text": "go on"}]},
    ]
    with before("gemini") as proxy:
        path = "/v1beta/models/gemini-3-pro-preview:generateContent"
        answer = proxy.post(path, json={"contents": contents}, headers={"x-goog-api-key": "k"})
        assert answer.status_code == 200, answer.text
        (body,) = proxy.got
        assert "model" not in body
        assert proxy.entry.model == "gemini-3-pro-preview"


def test_a_dry_run_says_what_it_would_do_and_changes_nothing() -> None:
    with before("openai-chat", dry_run=True) as proxy:
        answer = proxy.post("/v1/chat/completions", json=BROKEN)
        assert answer.status_code == 400
        assert answer.headers["x-wiremend-repairs"] == "tool_result_synthesized=1"
        assert answer.headers["x-wiremend-policy"] == "dry-run"
        assert proxy.got == [BROKEN]
        assert [tried.error_class for tried in proxy.entry.attempts] == ["structure"]


def test_a_body_that_aws_signed_is_not_changed() -> None:
    bodies: list[bytes] = []

    async def behave(peer: Peer) -> None:
        bodies.append((await peer.request())[1])
        await peer.say(OK)

    raw = json.dumps(BROKEN).encode()
    signed = {"authorization": "AWS4-HMAC-SHA256 Credential=x", "x-amz-content-sha256": "ab"}
    with upstream(behave) as url, standing(url) as proxy:
        answer = proxy.post("/v1/chat/completions", content=raw, headers=signed)
        assert answer.headers["x-wiremend-policy"] == "dry-run"
        assert answer.headers["x-wiremend-repairs"] == "tool_result_synthesized=1"
    assert bodies == [raw]


@pytest.mark.parametrize("raw", [b"", b"{", b"[1]", b"\xff\xfe{}", b'{"messages": NaN', b"null"])
def test_what_is_no_json_object_is_the_providers_to_refuse(raw: bytes) -> None:
    with before("openai-chat") as proxy:
        headers = {"content-type": "application/json"}
        through = proxy.post("/v1/chat/completions", content=raw, headers=headers)
        proxy.url = proxy.provider.url
        directly = proxy.post("/v1/chat/completions", content=raw, headers=headers)
        assert through.status_code == directly.status_code >= 400
        assert through.json() == directly.json()


@pytest.mark.parametrize("messages", [None, 7, {}, [7], [{"role": 7}], [{"role": "user"}], []])
def test_what_is_no_conversation_reaches_the_provider(messages: Any) -> None:
    with before("openai-chat") as proxy:
        answer = proxy.post("/v1/chat/completions", json={"model": "m", "messages": messages})
        assert answer.status_code in (200, 400)
        assert "x-wiremend-error" not in answer.headers
        assert proxy.entry.fault is None
