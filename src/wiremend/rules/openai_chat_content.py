"""Chat Completions: content and images."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wiremend.rules import media
from wiremend.rules.base import (
    CHAT,
    GENERIC,
    KIMI,
    MISTRAL,
    OPENAI_CHAT,
    OPENROUTER,
    QWEN,
    Body,
    Finding,
    Rule,
    dialect_of,
    messages,
    rule,
    shown,
)
from wiremend.rules.openai_chat import (
    bracketed,
    call,
    calls,
    holds_its_kind,
    parts_of,
    request,
    result,
    user,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wiremend.errors import Path

_INSTEAD = ("tool_calls", "function_call", "refusal", "audio")
_TEXT_ONLY = frozenset({"text"})
_PARTS = {
    "user": frozenset({"text", "image_url", "input_audio", "file"}),
    "assistant": frozenset({"text", "refusal"}),
    "system": _TEXT_ONLY,
    "developer": _TEXT_ONLY,
    "tool": _TEXT_ONLY,
}
_USER_PARTS = {
    "qwen": frozenset({"text", "image_url", "input_audio", "video_url", "video"}),
    "openrouter": frozenset({"text", "image_url", "input_audio", "video_url", "file"}),
    "generic": frozenset({"text", "image_url", "input_audio", "audio_url", "video_url"}),
}
"""Where user messages take other parts than OpenAI's."""
_PNG = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNgAAAAAgAB5Sfe/AAAAABJRU5ErkJggg=="
)


def _image(url: str) -> Body:
    return {"type": "image_url", "image_url": {"url": url}}


def _text(text: str) -> Body:
    return {"type": "text", "text": text}


@rule(
    code="WM110",
    name="null-content",
    dialects=CHAT,
    summary="A message has no content.",
    doc="""
    Content may be null or left out only in an assistant message that has tool calls, a function
    call, a refusal or audio to show instead. In a tool message it is always needed. wiremend
    drops an assistant message that says nothing, and writes into a tool message that its result
    is empty.
    """,
    before=request(user(), calls(call()), result(content=None)),
    after=request(user(), calls(call()), result(content="")),
    provider_error="Invalid value for 'content': expected a string, got null.",
    source="run-llama/llama_index#17555, peach0x33a/cmdcode2api#7 (cases 037 and 061)",
)
def null_content(body: Body) -> Iterator[Finding]:
    """Messages without content that must have some."""
    for index, message in messages(body):
        role = message.get("role")
        if message.get("content") is None and role in tuple(_PARTS):
            instead = _INSTEAD[:1] if dialect_of(body) in MISTRAL else _INSTEAD
            if (
                dialect_of(body) in KIMI
                and message.get("tools")
                and isinstance(message["tools"], list)
            ):
                continue  # a message that declares tools
            if role != "assistant" or not any(message.get(key) for key in instead):
                path = ("messages", index)
                yield Finding(
                    (*path, "content") if "content" in message else path,
                    f"This {role} message has no content.",
                )


@rule(
    code="WM111",
    name="empty-content-list",
    dialects=CHAT,
    summary="The content of a message is an empty list.",
    doc="""
    A list of content parts has at least one part. An empty one remains when all parts of a
    message were filtered out. wiremend writes null where the message has calls, drops a message
    that says nothing, and writes into a tool message that its result is empty.
    """,
    before=request(user(), calls(call(), content=[]), result()),
    after=request(user(), calls(call()), result()),
    provider_error=(
        "Invalid '{place}': empty array. Expected an array with minimum length 1, but got an "
        "empty array instead."
    ),
    source="openai types: the wording is that of openai/openai-node#1341 for another list",
)
def empty_content_list(body: Body) -> Iterator[Finding]:
    """Lists of no parts."""
    for index, message in messages(body):
        if message.get("content") == []:
            path = ("messages", index, "content")
            yield Finding(path, "This list of parts is empty.", {"place": bracketed(path)})


@rule(
    code="WM112",
    name="image-outside-user",
    dialects=OPENAI_CHAT + QWEN + OPENROUTER + GENERIC,
    summary="An image stands in a message that is not the user's.",
    doc="""
    Only user messages take images. A tool that returns a screenshot, or an assistant message
    that was copied from another API, brings one elsewhere. wiremend moves the image into a user
    message behind the whole exchange, so that no result is separated from its call.
    """,
    before=request(user(), calls(call()), result(content=[_image("https://example.test/a.png")])),
    after=request(
        user(),
        calls(call()),
        result(content="The image is below."),
        user([_image("https://example.test/a.png")]),
    ),
    provider_error=(
        "Invalid '{place}'. Image URLs are only allowed for messages with role 'user', but this "
        "message with role '{role}' contains an image URL."
    ),
    source="OpenHands/OpenHands#7700 (case 115)",
)
def image_outside_user(body: Body) -> Iterator[Finding]:
    """Images in messages of other roles."""
    for path, role, part in parts_of(body):
        if part.get("type") == "image_url" and role in tuple(_PARTS) and role != "user":
            yield Finding(
                path,
                f"Messages of role {role} take no image.",
                {"place": bracketed(path[:2]), "role": role},
            )


@rule(
    code="WM113",
    name="part-type",
    dialects=OPENAI_CHAT + QWEN + OPENROUTER + GENERIC,
    summary="A message holds a part of a type that its role does not take.",
    doc="""
    User messages take text, image_url, input_audio and file parts (compatible servers also films,
    some no files); assistant messages text and refusal; all others only text. Parts in another
    API's shape, such as tool_use or output_text, come from histories that were converted halfway.
    wiremend rewrites what it knows into this API's shape and drops a part that says the same as a
    field beside it.
    """,
    before=request(user([{"type": "input_text", "text": "Hello"}])),
    after=request(user([_text("Hello")])),
    provider_error=("Invalid value: '{type}'. Supported values are: {known}. (param: {place})"),
    source="BerriAI/litellm#23510 (case 028); openai types: content parts of each message",
)
def part_type(body: Body) -> Iterator[Finding]:
    """Parts that do not belong into their message; images have their own rule."""
    users = _USER_PARTS.get(dialect_of(body), _PARTS["user"])
    for path, role, part in parts_of(body):
        kind = part.get("type")
        known = users if role == "user" else _PARTS.get(role) if isinstance(role, str) else None
        if known is None or not isinstance(kind, str):
            continue
        if kind in known or kind == "image_url":
            # An image of another role has a rule of its own.
            if not holds_its_kind(part, kind):
                yield Finding(
                    path,
                    f"This part of type {shown(kind)} does not hold one.",
                    {"place": bracketed((*path, kind))},
                    "Invalid type for '{place}': expected an object.",
                )
            continue
        names = ", ".join(f"'{name}'" for name in sorted(known))
        yield Finding(
            path,
            f"Messages of role {role} take no part of type {shown(kind)}.",
            {"type": shown(kind), "known": names, "place": bracketed((*path, "type"))},
        )


@rule(
    code="WM114",
    name="image-media-type",
    dialects=OPENAI_CHAT + KIMI + MISTRAL + OPENROUTER,
    summary="A data URL is not a PNG, JPEG, GIF or WebP image, or its label is wrong.",
    doc="""
    Images in data URLs are PNG, JPEG, GIF or WebP, and are labelled as what they are. Photos of
    phones (HEIC), vector graphics, PDF files and error pages saved as pictures are refused.
    wiremend corrects a wrong label from the bytes, and puts a line of text in the place of what
    is no image that the provider takes.
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
    for path, _, part in parts_of(body):
        image = part.get("image_url")
        if part.get("type") != "image_url":
            continue
        at: Path = (*path, "image_url")
        if isinstance(image, dict):
            at, image = (*at, "url"), image.get("url")
        url = media.parse_data_url(image) if isinstance(image, str) else None
        if url is not None:
            yield from _judge(url, at)


def _judge(url: media.DataUrl, path: Path) -> Iterator[Finding]:
    # "image/jpg" is no registered name, but is taken for what it means.
    label = "image/jpeg" if url.media_type == "image/jpg" else url.media_type
    found = media.sniff(url.data)
    if label and label not in media.IMAGE_TYPES:
        yield Finding(path, f"Images of type {shown(label)} are not taken.")
    elif found is not None and found != label and (label or found not in media.IMAGE_TYPES):
        yield Finding(path, f"This is labelled {shown(label)}, but its bytes are {found}.")


@rule(
    code="WM115",
    name="no-messages",
    dialects=CHAT,
    summary="There is no message.",
    doc="""
    A request needs at least one message. wiremend does not invent what the user could have
    said, so this is left to you.
    """,
    before=request(),
    after=request(user()),
    provider_error=(
        "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an "
        "empty array instead."
    ),
    source="openai types: CompletionCreateParams.messages",
    fixable=False,
)
def no_messages(body: Body) -> Iterator[Finding]:
    """An empty list of messages."""
    if body.get("messages") == []:
        yield Finding(("messages",), "The list of messages is empty.")


RULES: tuple[Rule, ...] = (
    null_content,
    empty_content_list,
    image_outside_user,
    part_type,
    image_media_type,
    no_messages,
)
