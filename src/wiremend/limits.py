"""How much providers take: images, documents and whole requests, by dialect and model.

``limits("anthropic", "claude-opus-4-6").images`` gives 600. What no source tells is None: no limit
is known, and none is guessed. The table below is the only place where such figures stand; each row
names its source. The simulated providers know their own, so that they can disagree.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

from wiremend.errors import WiremendError

KB = 1024
MB = 1024 * KB


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """What a provider takes for one model; None: no limit is known.

    ``…_types`` are media types: an empty tuple says that none of this kind is taken at all.
    """

    images: int | None = None
    """Images in one request."""
    images_in_message: int | None = None
    """Images in one message."""
    image_data: int | None = None
    """Base64 characters of one image."""
    image_edge: int | None = None
    """Pixels of the longer edge of an image."""
    image_least_edge: int | None = None
    """Pixels of the shorter edge of an image, at least."""
    image_pixels: int | None = None
    """Pixels of an image, width times height."""
    many_images: int | None = None
    """A request with more images than this has many: then ``many_images_edge`` holds as well."""
    many_images_edge: int | None = None
    """Pixels of the longer edge of each image where there are many."""
    animated_gifs: bool | None = None
    """Whether a GIF may have more than one frame."""
    image_types: tuple[str, ...] | None = None
    audio_types: tuple[str, ...] | None = None
    video_types: tuple[str, ...] | None = None
    document_types: tuple[str, ...] | None = None
    documents: int | None = None
    """Documents in one request."""
    document_bytes: int | None = None
    """Bytes of one document, before base64."""
    document_pages: int | None = None
    """Pages of the PDF documents of one request."""
    request_bytes: int | None = None
    """Bytes of a whole request body."""


class Models(msgspec.Struct, frozen=True):
    """Some models: in words, and as a pattern that is looked for in a name, in any case."""

    words: str
    pattern: str


class Row(msgspec.Struct, frozen=True):
    """What is known of a dialect, or of some of its models; without ``models`` it is for all.

    Later rows add to earlier ones and replace their figures.
    """

    dialect: str
    models: Models | None
    source: str
    figures: dict[str, Any]


def _row(dialect: str, models: Models | None, source: str, **figures: Any) -> Row:
    return Row(dialect, models, source, figures)


_WEB = ("image/jpeg", "image/png", "image/gif", "image/webp")
_TEXT_ONLY: dict[str, Any] = {"image_types": (), "audio_types": (), "video_types": ()}

# A model of either cloud is reached through the same Messages body, with lower limits.
_ON_BEDROCK = Models("on Amazon Bedrock", r"(?:^|[./:])anthropic\.claude")
_ON_GOOGLE_CLOUD = Models("on Google Cloud", r"^claude-[^/]*@")
# A date is no minor version.
_WINDOW_OF_200K = Models(
    "Claude up to 4.5",
    r"claude-(?:[a-z]+-)?(?:[1-3]\b|4(?:[-.][0-5](?!\d)|(?!\d|[-.]\d{1,2}(?!\d))))",
)
_PDF = "application/pdf"

_OPENAI: dict[str, Any] = {
    "images": 500,
    "image_types": _WEB,
    "animated_gifs": False,
    "video_types": (),
    "document_bytes": 50 * MB,
    "request_bytes": 50 * MB,
}
_HEARD = ("audio/wav", "audio/mp3", "audio/mpeg")
_OPENAI_SOURCE = (
    "developers.openai.com, Images and vision: image input requirements; File inputs (2026)"
)
_OPENAI_WITHOUT_IMAGES = Models(
    "GPT-3.5, GPT-4, o1-mini, o3-mini",
    r"^(?:gpt-3\.5|gpt-4(?:-32k)?(?:-\d{4})?$|o1-(?:mini|preview)|o3-mini|davinci|babbage)",
)
_OPENAI_MODELS = "developers.openai.com, Models: input modalities"
_BEDROCK_LARGER_PDF = Models(
    "Claude from 4 on, Nova", r"claude-(?:[a-z]+-)?(?:[4-9]|fable|mythos)|nova"
)
_GEMINI_AUDIO = ("wav", "mp3", "mpeg", "aiff", "aac", "ogg", "flac")
# Formats, as the pages of Gemini and Kimi name them, and their registered names.
_VIDEO = (
    *("mp4", "mpeg", "mpg", "mov", "quicktime", "avi", "x-msvideo", "x-flv", "webm", "wmv"),
    *("x-ms-wmv", "3gpp"),
)

ROWS: tuple[Row, ...] = (
    _row("openai-chat", None, _OPENAI_SOURCE, audio_types=_HEARD, **_OPENAI),
    _row("openai-chat", _OPENAI_WITHOUT_IMAGES, _OPENAI_MODELS, image_types=()),
    _row("openai-responses", None, _OPENAI_SOURCE, **_OPENAI),
    _row("openai-responses", _OPENAI_WITHOUT_IMAGES, _OPENAI_MODELS, image_types=()),
    _row(
        "anthropic",
        None,
        "platform.claude.com, Images and vision: general limits; PDF support; API overview: "
        "request size limits (2026: 10 MB an image, 5 MB before)",
        images=600,
        image_data=10 * MB,
        image_edge=8000,
        many_images=20,
        many_images_edge=2000,
        image_types=_WEB,
        audio_types=(),
        video_types=(),
        document_types=(_PDF, "text/plain"),
        document_pages=600,
        request_bytes=32 * MB,
    ),
    _row(
        "anthropic",
        _WINDOW_OF_200K,
        "platform.claude.com, Images and vision: models with a window of 200k tokens; "
        "anthropics/claude-code#3397",
        images=100,
        document_pages=100,
    ),
    _row(
        "anthropic",
        _ON_BEDROCK,
        "platform.claude.com, Images and vision: 5 MB on Amazon Bedrock; docs.aws.amazon.com, "
        "Anthropic Claude Messages API: 20 MB a request",
        image_data=5 * MB,
        request_bytes=20 * MB,
    ),
    _row(
        "anthropic",
        _ON_GOOGLE_CLOUD,
        "platform.claude.com, Images and vision: 5 MB on Google Cloud; Claude on Vertex AI: 30 MB "
        "a request",
        image_data=5 * MB,
        request_bytes=30 * MB,
    ),
    _row(
        "gemini",
        None,
        "ai.google.dev, Image, Audio, Video understanding, Document processing, File input "
        "methods; blog.google, 2026-01-12: inline data grew from 20 to 100 MB a request",
        images=3600,
        image_types=("image/png", "image/jpeg", "image/webp", "image/heic", "image/heif"),
        audio_types=tuple(f"audio/{name}" for name in _GEMINI_AUDIO),
        video_types=tuple(f"video/{name}" for name in _VIDEO),
        document_bytes=50 * MB,
        document_pages=1000,
        request_bytes=100 * MB,
    ),
    _row(
        "bedrock",
        None,
        "docs.aws.amazon.com, API_runtime_Message (20 images of 3.75 MB and 8000 px in a message) "
        "and API restrictions (5 documents of 4.5 MB; there: images are limited by models only)",
        images_in_message=20,
        image_data=5 * MB,  # 3.75 MB of bytes
        image_edge=8000,
        image_types=_WEB,
        documents=5,
        document_bytes=4 * MB + 512 * KB,
    ),
    _row(
        "bedrock",
        _BEDROCK_LARGER_PDF,
        "docs.aws.amazon.com, API restrictions: PDF documents of Claude 4 and later, and of Nova, "
        "may be larger",
        document_bytes=None,
    ),
    _row(
        "bedrock",
        Models("Claude", r"claude"),
        "platform.claude.com, Images and vision: general limits",
        many_images=20,
        many_images_edge=2000,
        audio_types=(),
        video_types=(),
    ),
    _row(
        "kimi",
        None,
        "platform.moonshot.ai, Use the Kimi vision model: formats, 100 MB a request",
        image_types=("image/png", "image/jpeg", "image/webp", "image/gif"),
        video_types=tuple(f"video/{name}" for name in _VIDEO),
        request_bytes=100 * MB,
    ),
    _row(
        "kimi",
        Models("moonshot-v1 and kimi-k2", r"^(?:moonshot-v1-(?:\d+k|auto)$|kimi-k2(?:-|$))"),
        "platform.moonshot.ai, Models: text only",
        **_TEXT_ONLY,
    ),
    _row(
        "kimi",
        Models("vision previews, kimi-latest", r"vision-preview|kimi-latest"),
        "platform.moonshot.ai, Use the Kimi vision model: videos from kimi-k2.5 on (case 118)",
        video_types=(),
    ),
    _row(
        "deepseek",
        None,
        "case 117; rikkahub/rikkahub#1433, vercel/ai#9179: content parts are text only, also for "
        "deepseek-v4",
        **_TEXT_ONLY,
    ),
    _row(
        "deepseek",
        Models("DeepSeek-VL, DeepSeek-OCR, Janus", r"deepseek-(?:vl|ocr)|janus"),
        "huggingface.co, deepseek-ai: models with vision, served by others",
        image_types=None,
    ),
    _row(
        "mistral",
        None,
        "docs.mistral.ai, Vision: FAQ",
        images=8,
        image_data=10 * MB * 4 // 3,  # 10 MB of bytes
        image_edge=10_000,
        image_types=_WEB,
        animated_gifs=False,
        video_types=(),
    ),
    _row(
        "mistral",
        Models("Codestral, open Mistral and Mixtral", r"codestral|open-(?:mistral|mixtral)"),
        "docs.mistral.ai, Models: without vision",
        image_types=(),
    ),
    _row(
        "qwen",
        None,
        "alibabacloud.com, Model Studio: Image and video understanding, image limits; "
        "QwenLM/qwen-code#2505",
        image_data=10 * MB,
        image_least_edge=11,
        image_types=(
            *("image/bmp", "image/jpeg", "image/png", "image/tiff", "image/webp", "image/heic"),
        ),
    ),
    _row(
        "qwen",
        Models("coders, QwQ", r"^(?:qwen\d*(?:\.\d+)?-coder|qwq)"),
        "alibabacloud.com, Model Studio: models for text",
        **_TEXT_ONLY,
    ),
    _row("openrouter", None, "openrouter.ai, Image inputs", image_types=_WEB),
    _row("generic", None, "each server has its own limits"),
)


def limits(dialect: str, model: Any = None) -> Limits:
    """What the provider of this dialect takes for a model.

    ``model`` may be anything that a body can hold: what is no known name gets the limits of the
    dialect. An unknown dialect raises ``WiremendError`` with the names that there are.
    """
    known = dict.fromkeys(row.dialect for row in ROWS)
    if dialect not in known:
        raise WiremendError(f"no limits for {dialect!r}; there are: {', '.join(known)}")
    name = model if isinstance(model, str) else None
    found: dict[str, Any] = {}
    for row in ROWS:
        if row.dialect == dialect and _is_for(row, name):
            found |= row.figures
    return Limits(**found)


def _is_for(row: Row, model: str | None) -> bool:
    if row.models is None:
        return True
    return model is not None and re.search(row.models.pattern, model, re.IGNORECASE) is not None
