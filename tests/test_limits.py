"""What providers take, by dialect and model."""

from __future__ import annotations

import re
from typing import Any

import pytest

from wiremend.errors import WiremendError
from wiremend.limits import MB, ROWS, Limits, Row, limits


@pytest.mark.parametrize(
    "model",
    [
        *("claude-3-opus-20240229", "claude-3-5-sonnet-latest", "claude-sonnet-4-20250514"),
        *("claude-sonnet-4-5", "claude-haiku-4-5-20251001", "claude-opus-4-1-20250805"),
        *("anthropic/claude-sonnet-4.5", "us.anthropic.claude-3-7-sonnet-20250219-v1:0"),
    ],
)
def test_claude_models_with_a_small_window_take_a_hundred_images(model: str) -> None:
    found = limits("anthropic", model)
    assert (found.images, found.document_pages) == (100, 100)


@pytest.mark.parametrize(
    "model",
    [
        *("claude-opus-4-6", "claude-opus-4-8-20260528", "claude-sonnet-5", "claude-fable-5-2"),
        *("claude-opus-4-10", "claude-mythos-preview", "claude-opus-4-6@20260101", None, 5, {}),
    ],
)
def test_other_and_unknown_claude_models_take_six_hundred(model: Any) -> None:
    assert limits("anthropic", model).images == 600


@pytest.mark.parametrize(
    ("model", "image", "request_bytes"),
    [
        ("claude-opus-4-6", 10 * MB, 32 * MB),
        ("anthropic/claude-opus-4.6", 10 * MB, 32 * MB),
        ("claude-opus-4-6@20260101", 5 * MB, 30 * MB),
        ("eu.anthropic.claude-opus-4-6-v1", 5 * MB, 20 * MB),
        ("anthropic.claude-3-haiku-20240307-v1:0", 5 * MB, 20 * MB),
    ],
)
def test_the_clouds_take_less_of_claude(model: str, image: int, request_bytes: int) -> None:
    found = limits("anthropic", model)
    assert (found.image_data, found.request_bytes) == (image, request_bytes)


@pytest.mark.parametrize(
    ("dialect", "model"),
    [
        ("deepseek", "deepseek-chat"),
        ("deepseek", None),
        ("kimi", "kimi-k2-0905-preview"),
        ("kimi", "moonshot-v1-32k"),
        ("mistral", "codestral-latest"),
        ("openai-chat", "gpt-3.5-turbo"),
        ("openai-chat", "gpt-4-0613"),
        ("openai-responses", "o3-mini-2025-01-31"),
        ("qwen", "qwen3-coder-plus"),
    ],
)
def test_models_for_text_take_no_images(dialect: str, model: str | None) -> None:
    assert limits(dialect, model).image_types == ()


@pytest.mark.parametrize(
    ("dialect", "model"),
    [
        ("deepseek", "deepseek-vl2"),
        ("kimi", "kimi-k2.5"),
        ("kimi", "moonshot-v1-8k-vision-preview"),
        ("mistral", "mistral-large-2512"),
        ("openai-chat", "gpt-4-turbo"),
        ("openai-chat", "gpt-4.1"),
        ("openai-responses", "o3"),
        ("qwen", "qwen3-vl-plus"),
        ("generic", "anything"),
    ],
)
def test_models_with_vision_do(dialect: str, model: str) -> None:
    assert limits(dialect, model).image_types != ()


def test_nothing_is_guessed_of_a_server_that_nobody_knows() -> None:
    assert limits("generic", "llama") == Limits()


def test_an_unknown_dialect_is_an_error_with_the_names_that_there_are() -> None:
    with pytest.raises(WiremendError, match=r"'x'; there are: openai-chat, .*generic"):
        limits("x")


@pytest.mark.parametrize(
    "row", ROWS, ids=lambda row: f"{row.dialect}-{row.models and row.models.words}"
)
def test_every_row_has_a_source_a_pattern_that_compiles_and_known_figures(row: Row) -> None:
    assert row.source
    assert row.figures.keys() <= set(Limits.__struct_fields__)
    assert row.models is None or re.compile(row.models.pattern)


def test_the_first_row_of_a_dialect_is_for_all_of_its_models() -> None:
    first = {row.dialect: row for row in reversed(ROWS)}
    assert all(row.models is None for row in first.values())
