"""What providers say, and what it means: a table, read from top to bottom.

A pattern is searched in the text in lower case, without quotes and backticks, on one line. Where
one text has several signs, the earlier row counts: that a context is full or an account empty
is never repaired by rearranging messages, whatever else the text mentions.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from wiremend.recovery.gemini_signs import GEMINI_MEDIA

_WELL_KNOWN = "well-known text of the provider"


class Sign(NamedTuple):
    """One wording. ``family`` is whose words they are: it decides where no dialect is given.

    ``next_policy`` is set where the wording asks for something else than its class does.
    """

    pattern: re.Pattern[str]
    error_class: str
    family: str
    rules: tuple[str, ...]
    source: str
    next_policy: tuple[str, str] | None = None


def signs(
    error_class: str, family: str, rows: tuple[tuple[str, str, str], ...]
) -> tuple[Sign, ...]:
    """Make signs of one class and family from rows of pattern, rules and source."""
    return tuple(
        Sign(re.compile(pattern), error_class, family, tuple(rules.split()), source)
        for pattern, rules, source in rows
    )


def _signs(error_class: str, *rows: tuple[str, str, str, str]) -> tuple[Sign, ...]:
    return tuple(
        sign
        for pattern, family, rules, source in rows
        for sign in signs(error_class, family, ((pattern, rules, source),))
    )


# Machine-readable codes that leave nothing open.
CODES: dict[str, str] = {
    "context_length_exceeded": "context_overflow",
    "model_context_window_exceeded": "context_overflow",
    "insufficient_quota": "quota",
    "exceeded_current_quota_error": "quota",
    "billing_error": "quota",
    "billing_hard_limit_reached": "quota",
    "billing_not_active": "quota",
    "contract_spend_limit_reached": "quota",
    "enforced_spend_limit_reached": "quota",
    "linked_organization_spend_limit_reached": "quota",
    "ramp_limit_exceeded": "rate_limit",
    "rate_limit_error": "rate_limit",
    "rate_limit_exceeded": "rate_limit",
    "rate_limit_reached_error": "rate_limit",
    "throttlingexception": "rate_limit",
    "authentication_error": "auth",
    "permission_error": "auth",
    "invalid_api_key": "auth",
    "invalid_authentication_error": "auth",
    "unauthenticated": "auth",
    "permission_denied": "auth",
    "accessdeniedexception": "auth",
    "api_key_invalid": "auth",
    "overloaded_error": "overloaded",
    "engine_overloaded_error": "overloaded",
    "request_too_large": "request_too_large",
    "request_body_too_large_after_decoding": "request_too_large",
    "image_dimensions_too_large": "media_too_large",
    "image_too_large": "media_too_large",
    "image_file_too_large": "media_too_large",
    "invalid_image": "media_format",
    "invalid_image_format": "media_format",
    "invalid_image_url": "media_format",
    "invalid_base64_image": "media_format",
    "unsupported_image_media_type": "media_format",
    "image_parse_error": "media_format",
    "compaction_block_misplaced": "structure",
    "compaction_block_ambiguous": "structure",
    "compaction_incomplete_turn": "structure",
    "tool_name_conflict": "structure",
    "tool_reference_unresolved": "structure",
    "content_filter": "other",
    "content_policy_violation": "other",
}

# Codes that gateways put on anything: only where the text says nothing either.
WEAK_CODES: dict[str, str] = {
    "resource_exhausted": "rate_limit",
    "unavailable": "overloaded",
    "serviceunavailableexception": "overloaded",
    "api_error": "server",
    "server_error": "server",
    "timeout_error": "server",
    "internal": "server",
    "internal_server_error": "server",
    "internalserverexception": "server",
    "deadline_exceeded": "server",
}

STATUSES: dict[int, str] = {
    401: "auth",
    402: "quota",
    403: "auth",
    408: "server",
    413: "request_too_large",
    429: "rate_limit",
    503: "overloaded",
    529: "overloaded",
}

FIRST = (
    *_signs(
        "rate_limit",
        (r"(?:tokens|requests|quota).{0,200}per[ _-]?(?:min|second|hour)", "", "", _WELL_KNOWN),
        (r"too many tokens, please wait", "", "", "Bedrock throttling"),
    ),
    *_signs(
        "context_overflow",
        (r"(?:prompt|input) is too long", "", "", _WELL_KNOWN),
        (r"maximum context length|context[_ ]length[_ ]exceeded", "", "", _WELL_KNOWN),
        (
            r"exceed\w{0,3} (?:\w{1,40} ){0,4}context[ _](?:limit|window|length|size)",
            "",
            "",
            _WELL_KNOWN,
        ),
        (
            r"(?:longer|larger|greater) than (?:\w{1,40} ){0,4}context[ _]",
            "",
            "",
            "llama.cpp, Ollama",
        ),
        (r"token count.{0,40}exceeds|exceeded model token limit", "", "", _WELL_KNOWN),
        (
            r"exceeds? the (?:maximum|max) (?:number of |allowed )?(?:input )?tokens?",
            "",
            "",
            "Gemini",
        ),
        (r"reduce the length of the (?:messages|prompt|input)", "", "", _WELL_KNOWN),
        (r"range of input length should be", "", "", "DashScope"),
        (r"\b(?:content|text)(?:\[\d{1,9}\]\.text)?: string too long", "", "", "openai"),
    ),
    *_signs(
        "quota",
        (r"insufficient[_ ](?:\w{1,40} )?(?:quota|balance|credits?|funds)", "", "", _WELL_KNOWN),
        (r"credit balance is too low|purchase credits", "", "", _WELL_KNOWN),
        (r"(?:requires|need) more credits|out of credits", "", "", "OpenRouter"),
        (
            r"exceeded (?:your|the) (?:\w{1,40} ){0,3}quota|quota (?:\w{1,40} ){0,2}exceeded",
            "",
            "",
            _WELL_KNOWN,
        ),
        (
            r"check quota|spend(?:ing)? limit|billing hard limit|payment required",
            "",
            "",
            _WELL_KNOWN,
        ),
        (r"usage limits? (?:\w{1,40} ){0,3}(?:reached|exceeded)|in arrears", "", "", _WELL_KNOWN),
    ),
    *_signs(
        "auth",
        (
            r"(?:invalid|incorrect|missing|wrong|no) (?:\w{1,40} )?(?:x-)?api[ _-]?key",
            "",
            "",
            _WELL_KNOWN,
        ),
        (r"api[ _-]?key (?:is )?(?:not (?:valid|found)|invalid|expired)", "", "", _WELL_KNOWN),
        (r"authentication (?:fail|error|is required)|invalid authentication", "", "", _WELL_KNOWN),
        (
            r"(?:invalid|expired) (?:bearer|access|auth\w*|oauth|security) token",
            "",
            "",
            _WELL_KNOWN,
        ),
        (
            r"(?:token|credentials) (?:\w{1,40} ){0,4}expired|security token included in",
            "",
            "",
            "AWS",
        ),
        (
            r"unauthori[sz]ed|not authori[sz]ed|access ?denied|permission denied",
            "",
            "",
            _WELL_KNOWN,
        ),
    ),
)

LAST = (
    *_signs(
        "media_too_large",
        (r"image exceeds [\d.]+ ?mb maximum", "anthropic", "WM227", "cline/cline"),
        (r"dimensions? (?:\w{1,40} ){0,3}exceeds? max|many-image requests", "", "", _WELL_KNOWN),
        (
            r"\b(?:image|audio|video|document|pdf|file|media)s?\b[^.]{0,60}"
            r"(?:too (?:large|big|long)|exceed|larger than)",
            *("", "", _WELL_KNOWN),
        ),
        (r"maximum of \d+ pdf pages", "anthropic", "", _WELL_KNOWN),
    ),
    *_signs(
        "media_format",
        (r"image was specified using the", "anthropic", "WM219", "BerriAI/litellm#24900"),
        (r"media_type: input should be", "anthropic", "WM218", "anthropics/claude-code#8184"),
        (
            r"could not process (?:the )?(?:image|pdf|document)",
            *("anthropic", "WM219 WM528", "claude-code#19031"),
        ),
        *((pattern, "gemini", rules, source) for pattern, rules, source in GEMINI_MEDIA),
        (r"you uploaded an unsupported image", "chat", "WM114 WM318", _WELL_KNOWN),
        (r"unsupported (?:image|audio|video)|(?:invalid|unsupported) mime ?type", "", "", "Kimi"),
        (r"unable to process (?:input )?(?:image|audio|video)", "", "WM419", "Gemini"),
        (r"invalid (?:base64 )?image|image (?:cannot|can not) be empty", "", "", _WELL_KNOWN),
        (r"image data (?:\w{1,40} ){0,6}(?:valid|invalid|corrupt)", "", "", _WELL_KNOWN),
        (
            r"(?:failed|unable) to (?:decode|load|download|parse) (?:\w{1,40} ){0,2}image",
            "",
            "",
            "vLLM",
        ),
        (r"cannot identify image file", "", "", "vLLM"),
        (r"unknown variant (?:image|input_audio|video)\w*", "chat", "WM624", "DeepSeek"),
        (
            r"not support (?:\w{1,40} ){0,3}(?:images?|vision|audio|video)\b",
            "",
            "",
            "text-only models",
        ),
        (r"support image input|not a multimodal model", "", "", "OpenRouter, vLLM"),
    ),
    *_signs(
        "request_too_large",
        (
            r"request (?:\w{1,40} )?exceeds the maximum size",
            "",
            "",
            "damianvtran/local-operator#596",
        ),
        (r"(?:request|payload|content|entity|body) (?:entity |body )?too large", "", "", "nginx"),
        (r"(?:payload|body|request) size (?:\w{1,40} ){0,3}exceeds?", "", "", "Gemini"),
        (r"request_too_large|maximum (?:request|payload|body) size", "", "", _WELL_KNOWN),
    ),
    *_signs(
        "overloaded",
        (
            r"overloaded|over capacity|at capacity|service (?:\w{1,40} )?unavailable",
            "",
            "",
            _WELL_KNOWN,
        ),
        (r"(?:server|system|engine|model) is (?:\w{1,40} )?busy", "", "", "DeepSeek"),
    ),
    *_signs(
        "rate_limit",
        (r"rate[ _-]?limit|too many requests|throttl", "", "", _WELL_KNOWN),
    ),
    *_signs(
        "server",
        (r"internal (?:server )?error|bad gateway|gateway time-?out", "", "", _WELL_KNOWN),
        (
            r"upstream (?:\w{1,40} )?(?:timeout|error|failure|connect)|timed out",
            "",
            "",
            _WELL_KNOWN,
        ),
    ),
)
