"""Anthropic Messages: images."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from wiremend.limits import MB, limits
from wiremend.rules import media
from wiremend.rules.anthropic import PNG, all_blocks, image, request, text, user
from wiremend.rules.base import ANTHROPIC, Body, Finding, Rule, dotted, once, rule, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wiremend.errors import Path

_LONGEST = limits("anthropic").image_data or 0


class _Image(NamedTuple):
    path: Path
    label: str
    data: str

    @property
    def place(self) -> str:
        return f"{dotted(self.path)}.image.source.base64"


@once
def _images(body: Body) -> Iterator[_Image]:
    for path, block in all_blocks(body):
        source = block.get("source")
        if block.get("type") != "image" or not isinstance(source, dict):
            continue
        label, data = source.get("media_type"), source.get("data")
        if source.get("type") == "base64" and isinstance(label, str) and isinstance(data, str):
            yield _Image(path, label, data)


@rule(
    code="WM218",
    name="image-media-type",
    dialects=ANTHROPIC,
    summary="An image is labelled as something else than JPEG, PNG, GIF or WebP.",
    doc="""
    Images are JPEG, PNG, GIF or WebP, and the label is written exactly so: `image/jpg` is
    refused too. Photos of phones (HEIC) and vector graphics cannot be sent. wiremend corrects
    the label where the bytes are one of the four, and otherwise puts a line of text in the
    place of the image.
    """,
    before=request(user(text("What is it?"), image("image/heic", "AAAAGGZ0eXBoZWlj"))),
    after=request(user(text("What is it?"), text("(an image that cannot be sent)"))),
    provider_error=(
        "{place}.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'"
    ),
    source="openclaw/openclaw#102337, anthropics/claude-code#8184 (case 110)",
)
def image_media_type(body: Body) -> Iterator[Finding]:
    """Labels that are not taken."""
    for found in _images(body):
        if found.label not in media.IMAGE_TYPES:
            yield Finding(
                (*found.path, "source", "media_type"),
                f"Images of type {shown(found.label)} are not taken.",
                {"place": found.place},
            )


@rule(
    code="WM219",
    name="image-mismatch",
    dialects=ANTHROPIC,
    summary="The bytes of an image are not what its label says.",
    doc="""
    The bytes are compared with the label, and what is no image at all cannot be processed: a
    JPEG that is called PNG, or an error page that was saved as a picture. One such image in the
    history makes every later request fail. wiremend corrects the label from the bytes, and puts
    a line of text in the place of what is no image.
    """,
    before=request(user(text("What is it?"), image("image/jpeg", PNG))),
    after=request(user(text("What is it?"), image("image/png", PNG))),
    provider_error=(
        "{place}: The image was specified using the {label} media type, but the image appears to "
        "be a {found} image"
    ),
    source="BerriAI/litellm#24900, anthropics/claude-code#19031 (cases 108 and 111)",
)
def image_mismatch(body: Body) -> Iterator[Finding]:
    """Bytes of a known format that is not the labelled one."""
    for found in _images(body):
        real = media.sniff(found.data)
        if real is None or real == found.label or found.label not in media.IMAGE_TYPES:
            continue
        yield Finding(
            found.path,
            f"This is labelled {found.label}, but its bytes are {real}.",
            {"place": found.place, "label": found.label, "found": real},
            "" if real in media.IMAGE_TYPES else "{place}: Could not process image",
        )


@rule(
    code="WM227",
    name="image-too-large",
    dialects=ANTHROPIC,
    summary="The base64 data of an image is longer than the provider takes.",
    doc="""
    The base64 data of one image has at most 10 MB (5 MB for a model on Amazon Bedrock or Google
    Cloud, and for all until 2026), which is three quarters of that in bytes. wiremend puts a
    line of text in the place of an image that is too large, or scales it with `--media fit`.
    """,
    before=request(user(text("What is it?"), image("image/png", "A" * (_LONGEST + 4)))),
    after=request(user(text("What is it?"), text("(an image that is too large)"))),
    provider_error=("{place}: image exceeds {limit} MB maximum: {size} bytes > {most} bytes"),
    source="the well-known text of the provider; platform.claude.com, Images and vision",
)
def image_too_large(body: Body) -> Iterator[Finding]:
    """Data beyond the limit."""
    most = limits("anthropic", body.get("model")).image_data
    for found in _images(body):
        size = len(found.data)
        if most is not None and size > most:
            message = f"The image has {size} characters of base64 data; {most} are taken."
            words: dict[str, str | int] = {
                "place": found.place,
                "size": size,
                "most": most,
                "limit": most // MB,
            }
            yield Finding(found.path, message, words)


RULES: tuple[Rule, ...] = (image_media_type, image_mismatch, image_too_large)
