"""Anthropic Messages: cache marks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wiremend.rules.anthropic import assistant, markable, request, text, user
from wiremend.rules.base import ANTHROPIC, Body, Finding, Rule, rule, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wiremend.errors import Path

MAX_MARKS = 4
_MARK = {"type": "ephemeral"}
_LONG = {"type": "ephemeral", "ttl": "1h"}
_MARK_FIELDS = frozenset({"type", "ttl"})


def _marks(body: Body) -> Iterator[tuple[Path, Any]]:
    """The marks in the order in which they are read; that of the request stands for its end."""
    for path, item in (*markable(body), ((), body)):
        if item.get("cache_control") is not None:
            yield (*path, "cache_control"), item["cache_control"]


@rule(
    code="WM220",
    name="too-many-cache-marks",
    dialects=ANTHROPIC,
    summary="More than four blocks carry cache_control.",
    doc="""
    A request takes four cache marks, counted over tools, system prompt, messages and the blocks
    inside tool results; the one at the top of the request counts too. Agents that mark the
    newest message each time and never clean up go beyond that. wiremend drops the earliest
    marks in the messages, which the later ones cover.
    """,
    before=request(user(*(text(f"page {n}", cache_control=_MARK) for n in range(5)))),
    after=request(
        user(text("page 0"), *(text(f"page {n}", cache_control=_MARK) for n in range(1, 5)))
    ),
    provider_error=("A maximum of 4 blocks with cache_control may be provided. Found {count}."),
    source="cline/cline (cases 014 and 057)",
)
def too_many_cache_marks(body: Body) -> Iterator[Finding]:
    """The fifth mark, once for the request."""
    marks = [path for path, _ in _marks(body)]
    if len(marks) > MAX_MARKS:
        yield Finding(
            marks[MAX_MARKS],
            f"The request has {len(marks)} cache marks; {MAX_MARKS} are taken.",
            {"count": len(marks)},
        )


@rule(
    code="WM221",
    name="cache-mark-on-empty-text",
    dialects=ANTHROPIC,
    summary="An empty text block carries cache_control.",
    doc="""
    A cache mark on an empty text is refused with an error of its own. wiremend drops the block
    and puts the mark on the block before it, where that may carry one.
    """,
    before=request(user(text("Hello"), text("", cache_control=_MARK))),
    after=request(user(text("Hello", cache_control=_MARK))),
    provider_error="{place}.text: cache_control cannot be set for empty text blocks",
    source="anthropics/claude-code#54013 (case 056)",
)
def cache_mark_on_empty_text(body: Body) -> Iterator[Finding]:
    """Marks on empty text."""
    for path, item in markable(body):
        if item.get("text") == "" and item.get("cache_control") is not None:
            yield Finding(path, "This empty text carries a cache mark.")


@rule(
    code="WM222",
    name="cache-mark-fields",
    dialects=ANTHROPIC,
    summary="A cache_control is not of the form that the provider knows.",
    doc="""
    A cache mark is an object of the type `ephemeral`, and may have a ttl of `5m` or `1h`. Fields
    of other versions and other services are refused as extra inputs. wiremend leaves them out.
    """,
    before=request(user(text("Hello", cache_control={"type": "ephemeral", "scope": "global"}))),
    after=request(user(text("Hello", cache_control=_MARK))),
    provider_error="{place}.ephemeral.{field}: Extra inputs are not permitted",
    source="wire rules, anthropic 4 (case 122); anthropic types: CacheControlEphemeralParam",
)
def cache_mark_fields(body: Body) -> Iterator[Finding]:
    """Unknown fields and values of the marks."""
    for path, mark in _marks(body):
        words: dict[str, str | int] = {"place": ".".join(map(str, path))}
        if not isinstance(mark, dict):
            said = "{place}: Input should be an object"
            yield Finding(path, "A cache mark is an object.", words, said)
            continue
        for field in mark:
            if field not in _MARK_FIELDS:
                words = {**words, "field": shown(field)}
                yield Finding((*path, field), "A cache mark has only a type and a ttl.", words)
        if mark.get("type") != "ephemeral":
            words["type"] = shown(mark.get("type"))
            said = "{place}: Input tag '{type}' does not match any of the expected: 'ephemeral'"
            yield Finding(path, "A cache mark is of the type ephemeral.", words, said)
        if "ttl" in mark and mark["ttl"] not in ("5m", "1h"):
            said = "{place}.ephemeral.ttl: Input should be '5m' or '1h'"
            yield Finding((*path, "ttl"), "A cache mark lasts 5m or 1h.", words, said)


@rule(
    code="WM233",
    name="cache-mark-ttl-order",
    dialects=ANTHROPIC,
    summary="A cache mark of one hour stands behind one of five minutes.",
    doc="""
    Marks that last longer come first. The request is read as tools, system prompt, messages, and
    a mark without a ttl lasts five minutes: an hour on the newest message and nothing on the
    tools is refused. wiremend lets the later mark last five minutes, too.
    """,
    before=request(
        user(text("A long page.", cache_control=_MARK)),
        assistant("I see."),
        user(text("Sum up.", cache_control=_LONG)),
    ),
    after=request(
        user(text("A long page.", cache_control=_MARK)),
        assistant("I see."),
        user(text("Sum up.", cache_control=_MARK)),
    ),
    provider_error=(
        "{place}.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control "
        "block. Note that blocks are processed in the following order: `tools`, `system`, "
        "`messages`."
    ),
    source="cnighswonger/claude-code-cache-fix#44, vellum-ai/vellum-assistant#22191",
)
def cache_mark_ttl_order(body: Body) -> Iterator[Finding]:
    """Marks of an hour behind any other."""
    short = False
    for path, mark in _marks(body):
        long = isinstance(mark, dict) and mark.get("ttl") == "1h"
        if long and short:
            words: dict[str, str | int] = {"place": ".".join(map(str, path))}
            yield Finding((*path, "ttl"), "A mark before this one lasts five minutes.", words)
        short = short or not long


RULES: tuple[Rule, ...] = (
    too_many_cache_marks,
    cache_mark_on_empty_text,
    cache_mark_fields,
    cache_mark_ttl_order,
)
