"""Stage 1, for one message at a time: which of its parts are sent, and whether it is at all.

Spec 3.3 (blank and vacuous content) and 3.7 (tool results), and what ``sending`` leaves alone.
"""

from __future__ import annotations

from wiremend.context.tool_results import (
    EMPTY,
    FAILED_EMPTY,
    render_tool_result,
    with_failure,
    with_note,
)
from wiremend.model import (
    ContextMessage,
    Message,
    Part,
    TextPart,
    ThinkPart,
    is_blank,
    is_vacuous,
    with_content,
)
from wiremend.projection.anomalies import (
    EmptyTextDropped,
    OnAnomaly,
    ToolResultFilled,
    VacuousMessageDropped,
    WhitespaceTextDropped,
)
from wiremend.projection.ordinary import BLANKS, SPOKEN_START
from wiremend.projection.policy import ProjectionPolicy
from wiremend.projection.wire import wire_message

# A role says all that there is to say, so that these need not be made anew each time.
_WHITESPACE = {r: WhitespaceTextDropped(r) for r in ("system", "user", "assistant", "tool")}
_VACUOUS = {r: VacuousMessageDropped(r) for r in ("system", "user", "assistant", "tool")}


class Cleaner:
    """Decides for each message what of it is sent; reports what is not."""

    def __init__(self, policy: ProjectionPolicy, report: OnAnomaly) -> None:
        self._sending = policy.sending
        self._takes = policy.takes
        self._keeps_blank = policy.sending and policy.takes.blank_text
        self._report = report

    def message(self, source: Message, *, last: bool) -> Message | None:
        """The message as it is sent, or None where nothing of it is worth sending."""
        content = source.content
        if source.role != "tool" and is_plain(content, says_something=bool(source.tool_calls)):
            return wire_message(source, content)
        if source.role == "tool":
            # Only a slice that is being measured has tool messages outside an exchange.
            is_error, note = getattr(source, "is_error", None), getattr(source, "note", None)
            content = render_tool_result(content, is_error=is_error, note=note)
        content, says_something = self._said(content, source.role)
        stays = says_something or bool(source.tool_calls or source.tools)
        if not stays and not (last and self._may_stay_empty(source, content)):
            self._left_out(source, content)
            return None
        if content is not source.content and source.call_positions is not None:
            kept = {id(part) for part in content}
            at = [i for i, part in enumerate(source.content) if id(part) in kept]
            source = with_content(source, content, at)
        return wire_message(source, content)

    def _said(self, content: tuple[Part, ...], role: str) -> tuple[tuple[Part, ...], bool]:
        """The parts that are sent, and whether any of them says something."""
        if self._keeps_blank:
            return content, self._worth_sending(content, role)
        kept: list[Part] = []
        says_something = False
        for part in content:
            if type(part) is TextPart:
                if is_blank(part.text):
                    self._blank_dropped(part.text, role)
                    continue
                says_something = True
            elif type(part) is not ThinkPart or part.encrypted is not None:
                says_something = True
            elif not says_something:
                says_something = not is_blank(part.think)
            kept.append(part)
        return (content if len(kept) == len(content) else tuple(kept)), says_something

    def _blank_dropped(self, text: str, role: str) -> None:
        if text:
            self._report(_WHITESPACE[role])
        elif self._sending:
            self._report(EmptyTextDropped(role))

    def result(self, source: Message) -> Message:
        """A tool result as the model sees it."""
        is_error = note = None
        if type(source) is not Message and isinstance(source, ContextMessage):
            is_error, note = source.is_error, source.note
        if not is_error and not note and _is_plain_result(source.content):
            return wire_message(source, source.content)
        if not self._sending:
            shown = source.content
            if is_error is True or note or not _starts_plainly(shown):
                shown = render_tool_result(shown, is_error=is_error, note=note)
            return wire_message(source, self._dropping_blank(shown, source.role))
        shown = source.content
        if not self._keeps_blank:
            shown = self._dropping_blank(shown, source.role)
        return self._result_to_send(source, shown, is_error=is_error is True, note=note)

    def _result_to_send(
        self, source: Message, shown: tuple[Part, ...], *, is_error: bool, note: str | None
    ) -> Message:
        if is_error and not self._takes.failed_results:
            shown = with_failure(shown)
        elif not shown and (is_error or not self._takes.empty_results):
            # No provider takes a failure without a word about it.
            shown = (TextPart(FAILED_EMPTY if is_error else EMPTY),)
            self._report(ToolResultFilled(source.tool_call_id or ""))
        if note:
            shown = with_note(shown or (TextPart(EMPTY),), note)
        if is_error and self._takes.failed_results and isinstance(source, ContextMessage):
            return _marked_failed(source, shown)
        return wire_message(source, shown)

    def _dropping_blank(self, content: tuple[Part, ...], role: str) -> tuple[Part, ...]:
        kept: list[Part] = []
        for part in content:
            if type(part) is TextPart and is_blank(part.text):
                self._blank_dropped(part.text, role)
            else:
                kept.append(part)
        return content if len(kept) == len(content) else tuple(kept)

    def _worth_sending(self, content: tuple[Part, ...], role: str) -> bool:
        # Where the target takes blank text.
        if role not in self._takes.blank_messages:
            content = tuple(part for part in content if not is_vacuous(part))
        return bool(content) and (
            self._takes.thinking_alone or not all(type(p) is ThinkPart for p in content)
        )

    def _may_stay_empty(self, source: Message, content: tuple[Part, ...]) -> bool:
        return (
            self._sending
            and self._takes.final_empty_assistant
            and source.role == "assistant"
            and not content
        )

    def _left_out(self, source: Message, content: tuple[Part, ...]) -> None:
        # Plain mode is silent where nothing is left, since the texts were reported already.
        if content or (self._sending and not source.content):
            self._report(_VACUOUS[source.role])


def is_plain(content: tuple[Part, ...], *, says_something: bool) -> bool:
    """Whether no text is blank, and something is said."""
    for part in content:
        if type(part) is TextPart:
            text = part.text
            if not text or (text[0] in BLANKS and is_blank(text)):
                return False
            says_something = True
    return says_something


def _is_plain_result(content: tuple[Part, ...]) -> bool:
    """Whether a result is one text, and surely neither blank nor a word that there is none."""
    return (
        len(content) == 1
        and type(part := content[0]) is TextPart
        and bool(text := part.text)
        and text[0] not in SPOKEN_START
    )


def _starts_plainly(content: tuple[Part, ...]) -> bool:
    """Whether a result of several parts starts with one that says something."""
    if len(content) < 2:
        return False
    first = content[0]
    return type(first) is not TextPart or (bool(first.text) and first.text[0] not in BLANKS)


def _marked_failed(source: ContextMessage, content: tuple[Part, ...]) -> Message:
    # The mark is no engine-only secret for a dialect that has a field for it.
    return ContextMessage(
        source.role,
        content,
        name=source.name,
        tool_call_id=source.tool_call_id,
        tools=source.tools,
        extras=source.extras,
        is_error=True,
    )
