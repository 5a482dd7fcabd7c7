"""Damaged conversations of every kind through the proxy: the strict provider takes them all."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from typing import NamedTuple

import httpx2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wiremend
from tests.properties.bodies import DAMAGED
from tests.proxy.standing import Standing, before

PATHS = {
    "anthropic": "/v1/messages",
    "openai-responses": "/v1/responses",
    "gemini": "/v1beta/models/{model}:generateContent",
    "bedrock": "/model/{model}/converse",
    "qwen": "/compatible-mode/v1/chat/completions",
    "openrouter": "/api/v1/chat/completions",
}
KEYS = {
    "authorization": "Bearer sk-any",
    "x-api-key": "sk-any",
    "x-goog-api-key": "any",
    "anthropic-version": "2023-06-01",
    "content-type": "application/json",
}


class Case(NamedTuple):
    """A dialect, a proxy before its provider, and a client."""

    dialect: str
    proxy: Standing
    client: httpx2.Client

    def __repr__(self) -> str:
        return self.dialect


@pytest.fixture(scope="module", params=list(DAMAGED))
def proxy(request: pytest.FixtureRequest) -> Iterator[Case]:
    """A proxy before the provider of each dialect."""
    with ExitStack() as stack:
        standing = stack.enter_context(before(request.param))
        yield Case(
            request.param, standing, stack.enter_context(httpx2.Client(headers=KEYS, timeout=20))
        )


@given(data=st.data())
@settings(max_examples=60)
def test_what_can_be_mended_is_taken_and_nothing_breaks(proxy: Case, data: st.DataObject) -> None:
    dialect, standing, client = proxy
    body = data.draw(DAMAGED[dialect])
    # Over HTTP the provider knows which responses there were: none.
    body.pop("previous_response_id", None)
    named = {"gemini": "model", "bedrock": "modelId"}.get(dialect)
    model = body.pop(named, "m") if named else ""
    path = PATHS.get(dialect, "/v1/chat/completions").format(model=model)
    raw = json.dumps(body).encode()
    answer = client.post(standing.url + path, content=raw)
    assert "x-wiremend-error" not in answer.headers
    fixed = wiremend.fix({named: model, **body} if named else body, dialect)
    if wiremend.check(fixed.body, dialect) == []:
        assert answer.status_code == 200, answer.text[:300]
    elif answer.status_code == 200:
        # What was refused first may have been taken as the next attempt made it.
        assert int(answer.headers["x-wiremend-attempts"]) > 1
    else:
        assert answer.status_code == 400
