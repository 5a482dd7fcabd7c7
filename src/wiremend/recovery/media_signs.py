"""The wordings about pictures, sound and documents that are too much, or not what they say."""

from __future__ import annotations

from wiremend.recovery.gemini_signs import GEMINI_MEDIA
from wiremend.recovery.signs import WELL_KNOWN, plain, signs

_MEDIA = r"(?:image|audio|video|document|pdf|file|media)s?"
_SENSES = r"(?:images?|vision|audio|video|multimodal)"

MEDIA = (
    *signs(
        "media_too_large",
        "anthropic",
        (
            (r"image exceeds [\d.]+ ?mb maximum", "WM227", "cline/cline"),
            (r"maximum of \d+ pdf pages", "", WELL_KNOWN),
        ),
    ),
    *plain(
        "media_format",
        (r"at most 0 \w{1,20}(?:\(s\))? may be provided", "vLLM: a model without eyes"),
    ),
    *plain(
        "media_too_large",
        (r"dimensions? (?:\w{1,40} ){0,3}exceeds? max|many-image requests", WELL_KNOWN),
        (
            rf"\b{_MEDIA}\b[^.]{{0,60}}(?:too (?:large|big|long|small|many)|exceed|larger than)",
            WELL_KNOWN,
        ),
        (r"image length and width do not meet|max bytes per data-uri", "DashScope"),
        (
            rf"(?:at most|up to|maximum of|more than) \d+ {_MEDIA}\b|"
            rf"too many (?:\w{{1,20}} ){{0,2}}{_MEDIA}\b",
            "vLLM",
        ),
    ),
    *signs(
        "media_format",
        "anthropic",
        (
            (r"image was specified using the", "WM219", "BerriAI/litellm#24900"),
            (r"media_type: input should be", "WM218", "anthropics/claude-code#8184"),
            (
                r"could not process (?:the )?(?:image|pdf|document)",
                "WM219 WM528",
                "claude-code#19031",
            ),
        ),
    ),
    *signs("media_format", "gemini", GEMINI_MEDIA),
    *signs(
        "media_format",
        "chat",
        (
            (r"you uploaded an unsupported image", "WM114 WM318", WELL_KNOWN),
            (r"unknown variant (?:image|input_audio|video)\w*", "WM624", "DeepSeek"),
        ),
    ),
    *plain(
        "media_format",
        (r"unsupported (?:image|audio|video)|(?:invalid|unsupported) mime ?type", "Kimi"),
        (
            rf"{_MEDIA} (?:media |mime )?type (?:\S{{1,40}} )?(?:is )?not (?:supported|allowed)",
            "Copilot",
        ),
        (r"data:\w{1,20}/\S{1,300} is not a valid", "Azure"),
        (r"only (?:\S{1,10} ){1,6}urls are supported", "DashScope"),
        (r"unable to process (?:input )?(?:image|audio|video)", "Gemini"),
        (r"invalid (?:base64 )?image|image (?:cannot|can not) be empty", WELL_KNOWN),
        (r"invalid base64|base64 (?:\w{1,20} ){0,3}(?:is )?invalid|not valid base64", WELL_KNOWN),
        (r"image data (?:\w{1,40} ){0,6}(?:valid|invalid|corrupt)", WELL_KNOWN),
        (
            rf"{_MEDIA}(?:,? [\w:./-]{{1,40}},?){{0,4}} (?:is|was) (?:not (?:a )?valid|invalid)",
            WELL_KNOWN,
        ),
        (
            rf"{_MEDIA} (?:\w{{1,40}} ){{0,3}}(?:is|was) (?:illegal|password|encrypted|corrupt)",
            WELL_KNOWN,
        ),
        (rf"{_MEDIA}\b.{{0,40}}could not be (?:loaded|decoded|read|opened|processed)", "Mistral"),
        (r"does not represent a valid image|not a valid image|document has no pages", "OpenAI"),
        (
            r"(?:fail\w{0,3}|unable|not|cannot) (?:to )?(?:decode|load|download|parse|open|read) "
            rf"(?:\w{{1,40}} ){{0,3}}{_MEDIA}\b",
            "vLLM, llama.cpp, Claude",
        ),
        (r"(?:error|timeout|timed out) while downloading", "OpenAI"),
        (
            r"(?:fail\w{0,3} to|unable to|cannot|could not) (?:fetch|download|retrieve|access) "
            r"(?:\w{1,40} ){0,5}(?:url|resource|file)",
            "Gemini, DashScope",
        ),
        (r"cannot identify image file", "vLLM"),
        (rf"fail\w{{0,3}} to process (?:\w{{1,20}} ){{0,2}}{_MEDIA}\b", WELL_KNOWN),
        (rf"\b{_SENSES}(?:_url)?\b.{{0,20}}only supported by", "OpenAI"),
        (r"only .{0,30}\bimages? (?:\w{1,20} )?(?:is|are) supported", WELL_KNOWN),
        (
            rf"(?:not|doesnt|dont) (?:support|accept|handle) (?:\w{{1,40}} ){{0,3}}{_SENSES}\b",
            "text-only models",
        ),
        (
            rf"{_SENSES}(?:[ _](?:inputs?|urls?|content))? (?:is |are )?not (?:\w+ )?supported",
            WELL_KNOWN,
        ),
        (rf"support {_SENSES} input|not a multimodal model", "OpenRouter, vLLM"),
    ),
)

# A place within a picture, and no wording that is known.
UNNAMED_MEDIA = plain(
    "media_format",
    (
        r"\b(?:messages|contents|input)(?:\.?\[\d{1,9}\]|\.\d{1,9})[\w.\[\]]{0,60}"
        r"\b(?:image|image_url|input_image|input_audio|document|inline_data)\b",
        "places of several providers",
    ),
)
