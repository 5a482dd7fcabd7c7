"""For the tests of programs that talk to providers: a conversation that will be refused fails them.

    from wiremend.testing import assert_sendable

    def test_the_agent_sends_what_anthropic_takes():
        assert_sendable(agent.request(), "anthropic")

With pytest, ``assert_sendable`` is a fixture too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import wiremend
from wiremend.dialects import DIALECTS
from wiremend.errors import WiremendError
from wiremend.inputs import Unusable, Wanted, choose
from wiremend.model import Message
from wiremend.rules import Violation

__all__ = ["assert_sendable"]


def assert_sendable(
    conversation: Mapping[str, Any] | Sequence[Any], provider: str, **settings: Any
) -> None:
    """Fail where the provider would refuse a conversation, and say what, where and in whose words.

    ``conversation`` is a request body, the array of its messages (whose tools are then taken to
    be defined elsewhere), or a history of ``wiremend.Message``, which is sent with ``settings``
    such as ``model``. ``provider`` is a dialect's name. Raises ``AssertionError``, which holds no
    contents of the conversation beyond names and ids, and ``WiremendError`` where there is no such
    dialect.
    """
    if provider not in DIALECTS:
        raise WiremendError(f"no dialect {provider!r}; there are: {', '.join(DIALECTS)}")
    found = _violations(conversation, provider, settings)
    if found:
        raise AssertionError(_told(found, provider))


def _violations(
    conversation: Mapping[str, Any] | Sequence[Any], provider: str, settings: dict[str, Any]
) -> list[Violation]:
    if not isinstance(conversation, Mapping):
        conversation = list(conversation)
        if conversation and all(isinstance(message, Message) for message in conversation):
            body = wiremend.request(conversation, provider, settings).body
            return wiremend.check(body, provider)
    value: Any = {**conversation, **settings} if isinstance(conversation, Mapping) else conversation
    try:
        chosen = choose(value, Wanted(None, provider))
    except Unusable as error:
        raise AssertionError(f"{provider} would refuse this: it {error}") from None
    if chosen.is_foreign:
        raise AssertionError(
            f"{provider} would refuse this: it is in the format {chosen.format} "
            f"(`wiremend.convert` writes it in that of {provider})"
        )
    return chosen.placed(wiremend.check(chosen.body, provider))


def _told(found: Sequence[Violation], provider: str) -> str:
    lines = [f"{provider} would refuse this for {len(found)} reason{'s' * (len(found) > 1)}:"]
    for one in found:
        lines.append(f"  {one.pointer or '(root)'}: {one.code} {one.rule}: {one.message}")
        lines.append(f"      {provider} says: {one.provider_error}")
    repaired = sum(one.fixable for one in found)
    if repaired:
        lines.append(f"  `wiremend.fix(body, {provider!r})` repairs {repaired} of {len(found)}")
    return "\n".join(lines)
