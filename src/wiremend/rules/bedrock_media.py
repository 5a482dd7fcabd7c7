"""Amazon Bedrock Converse: the formats of pictures, films and recordings."""

from __future__ import annotations

import base64
import re
from typing import TYPE_CHECKING, Any

from wiremend.rules import media as pictures
from wiremend.rules.base import BEDROCK, Body, Finding, Rule, once, one_of, rule, shown
from wiremend.rules.bedrock import (
    PNG,
    Block,
    assistant,
    blocks,
    in_service_words,
    inner_blocks,
    media,
    request,
    user,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

_FORMATS = {
    "image": frozenset({"png", "jpeg", "gif", "webp"}),
    "video": frozenset({"mkv", "mov", "mp4", "webm", "flv", "mpeg", "mpg", "wmv", "three_gp"}),
    "audio": frozenset(
        (
            *("mp3", "opus", "wav", "aac", "flac", "mp4", "ogg", "mkv", "mka", "x-aac", "m4a"),
            *("mpeg", "mpga", "pcm", "webm"),
        )
    ),
    "document": frozenset({"pdf", "csv", "doc", "docx", "xls", "xlsx", "html", "txt", "md"}),
}


# Both alphabets, with or without padding.
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]*={0,2}")


@once
def files(body: Body) -> Iterator[Block]:
    """Pictures, documents, films and recordings, also inside of results, that are well-formed."""
    for found in (*blocks(body), *inner_blocks(body)):
        if found.member in _FORMATS and isinstance(found.value, dict):
            yield found


@rule(
    code="WM527",
    name="media-format",
    dialects=BEDROCK,
    summary="A picture, document, film or recording has a format that Converse does not have.",
    doc="""
    Pictures are png, jpeg, gif or webp (jpg is none of them); documents, films and recordings have
    lists of their own. wiremend corrects the format of a picture where its bytes tell, and
    otherwise puts a line of text in the place of what cannot be sent.
    """,
    before=request(user("What is it?", media("image", "heic", "AAAAGGZ0eXBoZWlj"))),
    after=request(user("What is it?", "(an image that cannot be sent)")),
    provider_error=(
        "Value '{found}' at '{place}.format' failed to satisfy constraint: Member must satisfy "
        "enum value set: [{known}]"
    ),
    source="strands-agents/harness-sdk#3019 (documents); botocore: ImageFormat and the like",
)
def media_format(body: Body) -> Iterator[Finding]:
    """Formats that are not on the list; a document may be without."""
    for path, _, _, kind, value in files(body):
        written = value.get("format")
        if one_of(written, _FORMATS[kind]) or not isinstance(written, str | None):
            continue
        source = value.get("source")
        if written is None and (kind == "document" or not _has_bytes(source)):
            continue  # the shape of what has no bytes has a rule of its own
        known = ", ".join(sorted(_FORMATS[kind]))
        words: dict[str, str | int] = {"found": shown(written), "known": known}
        words["place"] = in_service_words((*path, kind))
        message = f"The format {shown(written)} is none of a {kind}."
        yield Finding((*path, kind, "format"), message, words)


def _has_bytes(source: Any) -> bool:
    return isinstance(source, dict) and source.get("bytes") is not None


@rule(
    code="WM528",
    name="image-mismatch",
    dialects=BEDROCK,
    summary="The bytes of an image are not what its format says.",
    doc="""
    A JPEG that is called png, or an error page that was saved as a picture, cannot be processed,
    and makes every later request fail too. wiremend corrects the format from the bytes, and puts a
    line of text in the place of what is no image.
    """,
    before=request(user("What is it?", media("image", "jpeg", PNG))),
    after=request(user("What is it?", media("image", "png", PNG))),
    provider_error="ValidationException: Could not process image",
    source="the well-known text of the provider; BerriAI/litellm#24900 (case 108)",
)
def image_mismatch(body: Body) -> Iterator[Finding]:
    """Bytes of a known format that is not the one that is written."""
    for path, _, _, kind, value in files(body):
        source, written = value.get("source"), value.get("format")
        data = source.get("bytes") if isinstance(source, dict) else None
        if kind != "image" or not one_of(written, _FORMATS["image"]):
            continue
        if isinstance(data, bytes):
            data = base64.b64encode(data[:96]).decode()
        real = pictures.sniff(data) if isinstance(data, str) else None
        if real is not None and real != f"image/{written}":
            yield Finding(path, f"This is called {written}, but its bytes are {real}.")


@rule(
    code="WM529",
    name="assistant-media",
    dialects=BEDROCK,
    summary="An assistant message holds a picture or a document.",
    doc="""
    Only users send pictures and documents. Pictures that a model made, and histories that were
    converted from an API without that limit, put them into assistant messages. wiremend moves them
    into a user message behind the exchange.
    """,
    before=request(
        user("Draw a dot."), assistant("Here.", media("image", "png", PNG)), user("Thanks.")
    ),
    after=request(
        user("Draw a dot."), assistant("Here."), user(media("image", "png", PNG), "Thanks.")
    ),
    provider_error="This model doesn't support the {kind} field for assistant messages.",
    source="the documentation of Message.content; the like for users in anomalyco/opencode#49443",
)
def assistant_media(body: Body) -> Iterator[Finding]:
    """Pictures and documents of the assistant's."""
    for path, message, _, kind, _ in blocks(body):
        if kind in ("image", "document") and message.get("role") == "assistant":
            yield Finding(path, f"An assistant message holds a {kind}.", {"kind": kind})


@rule(
    code="WM538",
    name="invalid-bytes",
    dialects=BEDROCK,
    summary="The bytes of media are no base64.",
    doc="""
    In JSON, bytes are written in base64 and nothing else. A whole `data:` URL, as OpenAI's APIs
    take it, is none, and the request is refused while it is read. wiremend takes the data out of
    such a URL, and puts a line of text in the place of what is neither.
    """,
    before=request(user("What is it?", media("image", "png", f"data:image/png;base64,{PNG}"))),
    after=request(user("What is it?", media("image", "png", PNG))),
    provider_error="SerializationException: '{place}' is no valid base64",
    source="botocore: ImageSource and the like, whose bytes are blobs",
)
def invalid_bytes(body: Body) -> Iterator[Finding]:
    """Texts that are no base64 where bytes belong."""
    for path, _, _, kind, value in files(body):
        source = value.get("source")
        data = source.get("bytes") if isinstance(source, dict) else None
        if isinstance(data, str) and (
            _BASE64.fullmatch(data) is None or len(data.rstrip("=")) % 4 == 1
        ):
            at = (*path, kind, "source", "bytes")
            yield Finding(at, "This is no base64.", {"place": in_service_words(at)})


RULES: tuple[Rule, ...] = (media_format, image_mismatch, assistant_media, invalid_bytes)
