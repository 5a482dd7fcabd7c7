"""Responses: what messages hold, and what is no item at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wiremend.rules import media
from wiremend.rules.base import OPENAI_RESPONSES, Body, Finding, Rule, rule, shown
from wiremend.rules.openai_chat import bracketed
from wiremend.rules.openai_responses import (
    answer,
    call,
    goes_on,
    items,
    output,
    parts,
    request,
    user,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wiremend.errors import Path

_ROLES = ("assistant", "system", "developer", "user")
_ASSISTANT = ("output_text", "refusal")
_OTHERS = ("input_text", "input_image", "input_file")
_STRAYS = frozenset(
    {"text", "input_text", "output_text", "image_url", "image", "input_image", "input_file"}
    | {"tool_use", "tool_result"}
)
_PNG = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNgAAAAAgAB5Sfe/AAAAABJRU5ErkJggg=="
)
_MADE = {"name": "weather", "arguments": "{}"}


def _text(text: str, kind: str = "input_text") -> Body:
    return {"type": kind, "text": text}


def _image(url: str) -> Body:
    return {"type": "input_image", "image_url": url}


@rule(
    code="WM315",
    name="chat-shaped-item",
    dialects=OPENAI_RESPONSES,
    summary="An item has the shape of another API.",
    doc="""
    Here a call and its output are items of their own. Messages of role tool, messages with
    `tool_calls`, and content parts among the items come from histories of other APIs. wiremend
    reads them as what they mean.
    """,
    before=request(
        user(),
        {"role": "assistant", "tool_calls": [{"id": "c", "type": "function", "function": _MADE}]}
        | {"content": ""},
        {"role": "tool", "tool_call_id": "c", "content": "rain"},
    ),
    after=request(user(), call("c"), output("c")),
    provider_error=(
        "Invalid value: '{role}'. Supported values are: 'assistant', 'system', 'developer', and "
        "'user'."
    ),
    source="Chevey339/kelivo#281 (case 089)",
)
def chat_shaped_item(body: Body) -> Iterator[Finding]:
    """Messages of Chat Completions, and parts that stand alone."""
    for item in items(body):
        role = item.body.get("role")
        if item.kind in _STRAYS:
            said = "Invalid value: '{kind}'. Supported values are: 'message' and other items."
            yield Finding(item.path, "A content part is no item.", {"kind": item.kind}, said)
        elif item.kind == "message" and role in ("tool", "function"):
            yield Finding((*item.path, "role"), f"No message is of role {role}.", {"role": role})
        elif item.kind == "message" and "tool_calls" in item.body:
            path = (*item.path, "tool_calls")
            said = "Unknown parameter: '{place}'."
            yield Finding(path, "Calls are items of their own.", {"place": bracketed(path)}, said)


@rule(
    code="WM316",
    name="part-type",
    dialects=OPENAI_RESPONSES,
    summary="A message or an output holds a part of a type that it does not take.",
    doc="""
    What the assistant said is output_text and refusal; what everybody else says, and what tools
    return, is input_text, input_image and input_file. Histories that are replayed with one type
    for all, and parts of other APIs, are refused. wiremend rewrites what it knows, and moves an
    image out of an assistant message into a user message behind it.
    """,
    before=request(user(), answer([_text("Rain.")]), user("Bye.")),
    after=request(user(), answer("Rain."), user("Bye.")),
    provider_error="Invalid value: '{type}'. Supported values are: {known}. ({place})",
    source="NousResearch/hermes-agent#15687, jamesrochabrun/SwiftOpenAI#136 (case 087)",
)
def part_type(body: Body) -> Iterator[Finding]:
    """Parts that do not belong where they are."""
    for path, role, part in parts(body):
        kind = part.get("type")
        known = _ASSISTANT if role == "assistant" else _OTHERS
        if role not in (*_ROLES, "tool") or not isinstance(kind, str) or kind in known:
            continue
        *most, last = (f"'{name}'" for name in known)
        words = {"type": shown(kind), "place": bracketed(path)}
        yield Finding(
            path,
            f"A part of type {shown(kind)} is not taken here.",
            {**words, "known": f"{', '.join(most)} and {last}"},
        )


@rule(
    code="WM317",
    name="null-content",
    dialects=OPENAI_RESPONSES,
    summary="A message has no content.",
    doc="""
    The content of a message is text or a list of parts, never null. Where the model only made
    calls there is no message at all. wiremend drops a message that says nothing.
    """,
    before=request(user(), {"role": "assistant", "content": None}, user("Bye.")),
    after=request(user(), user("Bye.")),
    provider_error=(
        "Invalid type for '{place}': expected one of an array of objects or string, but got null "
        "instead."
    ),
    source="wire rules of OpenAI Responses (case 063); openai types: EasyInputMessageParam.content",
)
def null_content(body: Body) -> Iterator[Finding]:
    """Messages whose content is null or missing."""
    for item in items(body):
        chat_shaped = "tool_calls" in item.body or item.body.get("role") not in _ROLES
        if item.kind == "message" and item.body.get("content") is None and not chat_shaped:
            there = "content" in item.body
            place = (*item.path, "content")
            yield Finding(
                place if there else item.path,
                "This message has no content.",
                {"place": bracketed(place)},
                "" if there else "Missing required parameter: '{place}'.",
            )


@rule(
    code="WM318",
    name="image-media-type",
    dialects=OPENAI_RESPONSES,
    summary="A data URL is not a PNG, JPEG, GIF or WebP image, or its label is wrong.",
    doc="""
    Images in data URLs are PNG, JPEG, GIF or WebP, and are labelled as what they are. wiremend
    corrects a wrong label from the bytes, and puts a line of text in the place of what is no
    image that the provider takes.
    """,
    before=request(
        user([_text("What is this?"), _image("data:image/heic;base64,AAAAGGZ0eXBoZWlj")])
    ),
    after=request(user([_text("What is this?"), _image(f"data:image/png;base64,{_PNG}")])),
    provider_error=(
        "You uploaded an unsupported image. Please make sure your image has of one the following "
        "formats: ['png', 'jpeg', 'gif', 'webp']."
    ),
    source="openclaw/openclaw#102337 (case 110); OpenAI's guide to images and vision",
)
def image_media_type(body: Body) -> Iterator[Finding]:
    """Data URLs whose label or bytes are refused."""
    for path, _, part in parts(body):
        image = part.get("image_url")
        if part.get("type") != "input_image" or not isinstance(image, str):
            continue
        url = media.parse_data_url(image)
        if url is not None:
            yield from _judge(url, (*path, "image_url"))


@rule(
    code="WM319",
    name="no-input",
    dialects=OPENAI_RESPONSES,
    summary="There is nothing to answer.",
    doc="""
    A request has an input, or goes on with a response, a conversation or a prompt that is on the
    server. wiremend does not invent what the user could have said, so this is left to you.
    """,
    before=request(),
    after=request(user()),
    provider_error=(
        'One of "input" or "previous_response_id" or "prompt" or "conversation" must be provided.'
    ),
    source="OpenAI's reference of responses.create",
    fixable=False,
)
def no_input(body: Body) -> Iterator[Finding]:
    """An input without items, where nothing on the server stands in for it."""
    if body.get("input") == [] and not goes_on(body):
        yield Finding(("input",), "The input has no items.")


def _judge(url: media.DataUrl, path: Path) -> Iterator[Finding]:
    # "image/jpg" is no registered name, but is taken for what it means.
    label = "image/jpeg" if url.media_type == "image/jpg" else url.media_type
    found = media.sniff(url.data)
    if label and label not in media.IMAGE_TYPES:
        yield Finding(path, f"Images of type {shown(label)} are not taken.")
    elif found is not None and found != label and (label or found not in media.IMAGE_TYPES):
        yield Finding(path, f"This is labelled {shown(label)}, but its bytes are {found}.")


RULES: tuple[Rule, ...] = (
    chat_shaped_item,
    part_type,
    null_content,
    image_media_type,
    no_input,
)
