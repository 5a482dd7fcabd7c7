"""What kind of error a provider answered with, which rules it is about, what to try next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from wiremend.recovery.account_signs import AUTH, BUSY, PACE, QUOTA
from wiremend.recovery.codes import CODES, STATUSES, WEAK_CODES
from wiremend.recovery.media_signs import MEDIA, UNNAMED_MEDIA
from wiremend.recovery.reading import Reading, read
from wiremend.recovery.signs import Sign
from wiremend.recovery.size_signs import BODY, OVERFLOW, TOTAL
from wiremend.recovery.structure_signs import POINTED, STRUCTURE, UNNAMED

SIGNS: tuple[Sign, ...] = (
    *PACE,
    *OVERFLOW,
    *QUOTA,
    *AUTH,
    *STRUCTURE,
    *TOTAL,
    *MEDIA,
    *BODY,
    *BUSY,
)
"""What providers say, read from top to bottom: the first that is found counts. That a context is
full or an account empty is never repaired by rearranging messages, whatever else a text says."""

# Whose rules speak for a dialect, by the digits of the code; the others have none yet.
_SERVERS: dict[str, tuple[str, ...]] = {
    "openai-chat": (),
    "kimi": ("WM60", "WM66"),
    "deepseek": ("WM62", "WM66"),
    "mistral": ("WM64", "WM66"),
    "qwen": ("WM66",),
    "openrouter": ("WM66",),
    "generic": ("WM66",),
}
_PREFIXES: dict[str, tuple[str, ...]] = {
    "anthropic": ("WM0", "WM2"),
    # Nobody said which of them it was.
    "chat": ("WM0", "WM1", "WM6"),
    **{name: ("WM0", "WM1", *own) for name, own in _SERVERS.items()},
    **dict.fromkeys(("openai-responses", "responses"), ("WM0", "WM3")),
    "gemini": ("WM0", "WM4"),
    "bedrock": ("WM0", "WM5"),
    "none": ("WM0",),
}

_NEXT_POLICIES: dict[str, dict[str, str]] = {
    "structure": {"structure": "strict"},
    "request_too_large": {"media": "degraded"},
    "media_format": {"media": "strip"},
    "media_too_large": {"media": "strip"},
}
# A refusal under any other status is somebody else's: trying again is no use.
_MENDED_STATUSES: dict[str, tuple[int | None, ...]] = {
    "structure": (None, 400, 422),
    **dict.fromkeys(
        ("request_too_large", "media_format", "media_too_large"), (None, 400, 404, 413, 415, 422)
    ),
}
# Under these a word about size or media is about too many of them for now.
_PACING_STATUSES = (429, 503, 529)
_MESSAGES = ("/messages/", "/input/", "/contents/")
# Where the status blames the request, a wording that is not known exactly may be believed.
_BLAMING_STATUSES = (None, 400, 404, 409, 422)


class Classified(msgspec.Struct, frozen=True):
    """An error in wiremend's terms.

    ``error_class`` is structure, media_format, media_too_large, request_too_large,
    context_overflow, auth, quota, rate_limit, overloaded, server, network, aborted or other.
    ``rules`` are the codes of the rules that the text is about, ``pointer`` the JSON pointer of
    the place that it names (empty where it names none), ``next_policy`` what to project with on
    the next try, None where no projection helps. ``retry_after`` is how many seconds the provider
    asks to wait, where it says so.
    """

    error_class: str
    rules: tuple[str, ...] = ()
    pointer: str = ""
    next_policy: dict[str, str] | None = None
    retry_after: float | None = None


def classify(
    status: int | None,
    body: str | bytes | Mapping[str, object] | None,
    dialect: str | None = None,
    *,
    headers: Mapping[str, str] | None = None,
    extra_signs: Sequence[Sign] = (),
) -> Classified:
    """Classify a provider's error.

    ``status`` is the HTTP status where there was one, ``body`` what came with it: JSON text, a
    dict, an HTML page, or the text of an SDK's exception; for the exception itself there is
    ``classify_exception``. A code for machines counts more than words, words more than the status.
    ``dialect`` narrows the rules to those of that dialect; the wording decides where it is not
    given. ``extra_signs`` are looked at before everything else. Nothing is raised, whatever the
    body is.
    """
    said = read(body, headers)
    # Under 200 an error is an explanation, or came in the middle of a stream.
    known = next((n for n in (status, said.status) if n is not None and n >= 400), None)
    extra = _found(said, extra_signs)
    sign = extra or _found(said, SIGNS) or _unnamed(said, known)
    error_class = extra.error_class if extra else _class(said, sign, known)
    rules = _rules(sign, dialect) if sign and sign.error_class == error_class else ()
    policy = _next_policy(error_class, known, sign)
    return Classified(error_class, rules, said.pointer, policy, said.retry_after)


def _found(said: Reading, signs: Sequence[Sign]) -> Sign | None:
    return next((sign for sign in signs if sign.pattern.search(said.text)), None)


def _unnamed(said: Reading, status: int | None) -> Sign | None:
    if status not in _BLAMING_STATUSES:
        return None
    in_messages = POINTED if said.pointer.startswith(_MESSAGES) else None
    return _found(said, UNNAMED_MEDIA) or _found(said, UNNAMED) or in_messages


def _class(said: Reading, sign: Sign | None, status: int | None) -> str:
    coded = next((CODES[code] for code in said.codes if code in CODES), None)
    if coded:
        return coded
    paced = status in _PACING_STATUSES and "media" in _NEXT_POLICIES.get(
        sign.error_class if sign else "", ()
    )
    if sign and not paced:
        return sign.error_class
    if status in STATUSES:
        return STATUSES[status]
    weak = next((WEAK_CODES[code] for code in said.codes if code in WEAK_CODES), None)
    # What the status blames on the request is not the server's, whatever a gateway calls it.
    if weak and (status is None or status >= 500):
        return weak
    return "server" if status is not None and status >= 500 else "other"


def _rules(sign: Sign, dialect: str | None) -> tuple[str, ...]:
    family = sign.family if dialect is None else dialect if dialect in _PREFIXES else "none"
    wanted = _PREFIXES.get(family)
    return sign.rules if wanted is None else tuple(r for r in sign.rules if r.startswith(wanted))


def _next_policy(error_class: str, status: int | None, sign: Sign | None) -> dict[str, str] | None:
    if status not in _MENDED_STATUSES.get(error_class, (status,)):
        return None
    if sign and sign.next_policy and sign.error_class == error_class:
        return dict([sign.next_policy])
    policy = _NEXT_POLICIES.get(error_class)
    return dict(policy) if policy else None
