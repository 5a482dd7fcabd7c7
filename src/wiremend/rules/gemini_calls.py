"""Gemini: what calls, responses and media hold, and the signatures of thoughts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from wiremend.rules import media
from wiremend.rules.base import GEMINI, Body, Finding, Rule, objects, rule, shown
from wiremend.rules.gemini import (
    answer,
    call,
    contents,
    field,
    full,
    held,
    key,
    listed,
    model,
    named,
    parts_of,
    request,
    speaker,
    text,
    user,
)
from wiremend.rules.gemini_pairing import turns

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wiremend.errors import Path

MAX_NAME = 128

_NAME = re.compile(r"[a-zA-Z_][a-zA-Z0-9_.:-]*")
_VERSION = re.compile(r"gemini-(\d{1,2})(?:[.-](\d{1,2})(?!\d))?")
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]*={0,2}")
_IMAGES = frozenset({"image/png", "image/jpeg", "image/webp", "image/heic", "image/heif"})
_PNG = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNgAAAAAgAB5Sfe/AAAAABJRU5ErkJggg=="
)


def _version(body: Body) -> tuple[int, int]:
    """The version of the model; the lowest where the request does not tell it."""
    name = body.get("model")
    found = _VERSION.search(name) if isinstance(name, str) else None
    return (int(found[1]), int(found[2] or 0)) if found else (0, 0)


def _inline(media_type: str, data: str = _PNG) -> Body:
    return {"inlineData": {"mimeType": media_type, "data": data}}


@rule(
    code="WM414",
    name="thought-signature-missing",
    dialects=GEMINI,
    summary="The first call of a step lost its thought signature.",
    doc="""
    Gemini 3 signs the first function call of each step, and wants the signature back on the same
    part as long as the turn lasts: since the user's last words. Frontends that drop unknown
    fields, and histories of another model, come without. wiremend writes the documented word that
    skips the check. Image models do not check.
    """,
    before=request(user(), model(call()), user(answer()), model="gemini-3-pro"),
    after=request(
        user(),
        model({**call(), "thoughtSignature": "c2ln"}),
        user(answer()),
        model="gemini-3-pro",
    ),
    provider_error=(
        "Function call is missing a thought_signature in functionCall parts. This is required for "
        "tools to work correctly, and missing thought_signature may lead to degraded model "
        "performance. Additional data, function call `default_api:{name}` , position {position}. "
        "Please refer to https://ai.google.dev/gemini-api/docs/thought-signatures for more details."
    ),
    source="dirge-code/dirge#833 (report 071); ai.google.dev, Thought signatures",
)
def thought_signature_missing(body: Body) -> Iterator[Finding]:
    """Unsigned first calls in the current turn of a model that checks."""
    if _version(body) < (3, 0) or "image" in body["model"]:
        return
    every = list(contents(body))
    start = next((n for n in range(len(every), 0, -1) if _speaks(every[n - 1][1])), 0)
    for position, (path, content) in enumerate(every[start:], start + 1):
        if speaker(content) != "model":
            continue
        calls = ((p, part) for p, part in listed(content, path) if field(part, "functionCall"))
        at, first = next(calls, ((), {}))
        if first and not field(first, "thoughtSignature"):
            made = field(first, "functionCall")
            name = shown(made.get("name") if isinstance(made, dict) else None)
            said = f"The call of {name} starts a step and has no signature."
            yield Finding(at, said, {"name": name, "position": position})


def _speaks(content: Body) -> bool:
    """Whether this is a user's turn of more than responses."""
    return speaker(content) == "user" and any(
        field(part, "functionResponse") is None for _, part in listed(content, ())
    )


@rule(
    code="WM415",
    name="invalid-bytes",
    dialects=GEMINI,
    summary="A signature or media is no base64.",
    doc="""
    Bytes are written in base64, in either alphabet. A signature of another provider, two that
    were put together, and media whose data is an address are not, and the request is refused
    while it is read. wiremend drops the signature, takes the data out of a whole `data:` URL, and
    puts a line of text in the place of other media.
    """,
    before=request(user(), model({"text": "Rain.", "thoughtSignature": "c2ln=c2ln"}), user()),
    after=request(user(), model({"text": "Rain."}), user()),
    provider_error="Invalid value at '{place}' (TYPE_BYTES), Base64 decoding failed for \"{data}\"",
    source="crmne/ruby_llm#521, MayDay-wpf/snow-cli#84",
)
def not_base64(body: Body) -> Iterator[Finding]:
    """Texts that are no base64 where bytes belong."""
    for path, _, part in parts_of(body):
        signature = field(part, "thoughtSignature")
        yield from _judge_bytes(signature, (*path, key(part, "thoughtSignature")))
    for path, blob in _blobs(body):
        data = blob.get("data")
        yield from _judge_bytes(data, (*path, "data"))
        if data is not None and not isinstance(data, str):
            where = (*path, "data")
            yield Finding(where, "This is no text.", {"place": named(where), "data": shown(data)})


def _judge_bytes(value: Any, path: Path) -> Iterator[Finding]:
    if not isinstance(value, str):
        return
    if _BASE64.fullmatch(value) is None or len(value.rstrip("=")) % 4 == 1:
        yield Finding(path, "This is no base64.", {"place": named(path), "data": shown(value)})


def _blobs(body: Body) -> Iterator[tuple[Path, Body]]:
    """Inline data in parts, and in the parts of responses."""
    yield from held(body, "inlineData")
    for path, response in held(body, "functionResponse"):
        for index, part in objects(response.get("parts")):
            blob = field(part, "inlineData")
            if isinstance(blob, dict):
                yield (*path, "parts", index, key(part, "inlineData")), blob


@rule(
    code="WM416",
    name="args-not-object",
    dialects=GEMINI,
    summary="The args of a call are no object.",
    doc="""
    `args` is a JSON object, not the text of one as in other APIs. wiremend reads the text where
    it is one of an object, and wraps everything else in an object.
    """,
    before=request(user(), model(call(args='{"in": "Oslo"}')), user(answer())),
    after=request(user(), model(call(args={"in": "Oslo"})), user(answer())),
    provider_error="Invalid value at '{place}' (type.googleapis.com/google.protobuf.Struct)",
    source="google-genai types: FunctionCall.args",
)
def args_not_object(body: Body) -> Iterator[Finding]:
    """Arguments of another type."""
    for path, made in held(body, "functionCall"):
        if made.get("args") is not None and not isinstance(made["args"], dict):
            place = (*path, "args")
            yield Finding(place, "The args are no object.", {"place": named(place)})


@rule(
    code="WM417",
    name="response-not-object",
    dialects=GEMINI,
    summary="The response of a function is no object.",
    doc="""
    `response` is a JSON object; what a tool gives as text goes under a key of it. wiremend puts
    everything else under `result`.
    """,
    before=request(user(), model(call()), user(answer(response="rain"))),
    after=request(user(), model(call()), user(answer(response={"result": "rain"}))),
    provider_error="Invalid value at '{place}' (type.googleapis.com/google.protobuf.Struct)",
    source="google-genai types: FunctionResponse.response",
)
def response_not_object(body: Body) -> Iterator[Finding]:
    """Responses of another type."""
    for path, response in held(body, "functionResponse"):
        if response.get("response") is not None and not isinstance(response["response"], dict):
            place = (*path, "response")
            yield Finding(place, "The response is no object.", {"place": named(place)})


@rule(
    code="WM418",
    name="tool-name",
    dialects=GEMINI,
    summary="The name of a function is empty, too long, or has other characters.",
    doc="""
    The name of a function starts with a letter or an underscore and has at most 128 letters,
    digits, `_`, `.`, `:` and `-`, in the declaration, the call and the response. Names of MCP
    tools have slashes and spaces. wiremend replaces the others in all places alike.
    """,
    before=request(user(), model(call("get/weather")), user(answer())),
    after=request(user(), model(call("get_weather")), user(answer("get_weather"))),
    provider_error=(
        "* {place}: [FIELD_INVALID] Invalid function name. Must start with a letter or an "
        "underscore. Must be a-z, A-Z, 0-9, or contain underscores (_), dots (.), colons (:), or "
        "dashes (-), with a maximum length of 128."
    ),
    source="google-gemini/gemini-cli#2966; google-genai types: FunctionDeclaration.name",
)
def tool_name(body: Body) -> Iterator[Finding]:
    """Names in declarations, calls and responses."""
    owners = [*_declarations(body), *held(body, "functionCall"), *held(body, "functionResponse")]
    for path, owner in owners:
        name = owner.get("name")
        if isinstance(name, str) and len(name) <= MAX_NAME and _NAME.fullmatch(name):
            continue
        place = (*path, "name")
        said = "* {place}: Name cannot be empty." if not name else ""
        yield Finding(place, f"{shown(name)} is no function's name.", {"place": full(place)}, said)


def _declarations(body: Body) -> Iterator[tuple[Path, Body]]:
    for index, tool in objects(body.get("tools")):
        name = key(tool, "functionDeclarations")
        for place, function in objects(tool.get(name)):
            yield ("tools", index, name, place), function


@rule(
    code="WM419",
    name="image-media-type",
    dialects=GEMINI,
    summary="An image is of a type that is not taken, or its label is wrong.",
    doc="""
    Inline images are PNG, JPEG, WebP, HEIC or HEIF, labelled as what they are; `image/jpg` is no
    label. GIF and vector graphics are refused, and so are error pages saved as pictures.
    wiremend corrects a wrong label from the bytes, and puts a line of text in the place of what
    is no image that the API takes.
    """,
    before=request(user(text("What is this?"), _inline("image/gif", "R0lGODlhAQABAAAAACw="))),
    after=request(user(text("What is this?"), _inline("image/png"))),
    provider_error="Unsupported MIME type: {type}",
    source="Mai-with-u/MaiBot#1435, microsoft/vscode#286628; ai.google.dev, Image understanding",
)
def image_media_type(body: Body) -> Iterator[Finding]:
    """Inline images with a label or bytes that are refused."""
    for path, blob in _blobs(body):
        label, data = field(blob, "mimeType"), blob.get("data")
        if not isinstance(label, str) or not label.lower().startswith("image/"):
            continue
        place = (*path, key(blob, "mimeType"))
        found = media.sniff(data) if isinstance(data, str) else None
        if label not in _IMAGES:
            said = f"Images of type {shown(label)} are not taken."
            yield Finding(place, said, {"type": shown(label)})
        elif found is not None and found != label and {found, label} - {"image/heic", "image/heif"}:
            said = "Unable to process input image. Please retry or report in "
            said += "https://developers.generativeai.google/guide/troubleshooting"
            yield Finding(place, f"This is labelled {label}, but its bytes are {found}.", {}, said)


@rule(
    code="WM421",
    name="final-model-turn",
    dialects=GEMINI,
    summary="The conversation ends with the model, which this model does not take.",
    doc="""
    From Gemini 3.7 on, a request that ends with the model's own words is refused; older models
    go on writing from there. wiremend adds a user's turn that says to go on.
    """,
    before=request(user(), model(text("It")), model="gemini-3.7-flash"),
    after=request(user(), model(text("It")), user(text("Go on.")), model="gemini-3.7-flash"),
    provider_error="Requests ending with a model turn are not supported.",
    source="envoyproxy/ai-gateway#2686",
)
def final_model_turn(body: Body) -> Iterator[Finding]:
    """A last content of the model without calls, for a model that refuses it."""
    every = list(turns(body))
    if _version(body) >= (3, 7) and every and every[-1].speaker == "model" and not every[-1].calls:
        yield Finding(every[-1].path, "The last content is the model's.")


RULES: tuple[Rule, ...] = (
    thought_signature_missing,
    not_base64,
    args_not_object,
    response_not_object,
    tool_name,
    image_media_type,
    final_model_turn,
)
