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
from wiremend.projection.policy import ProjectionPolicy
from wiremend.projection.wire import wire_message


class Cleaner:
    """Decides for each message what of it is sent; reports what is not."""

    def __init__(self, policy: ProjectionPolicy, report: OnAnomaly) -> None:
        self._sending = policy.sending
        self._takes = policy.takes
        self._keeps_blank = policy.sending and policy.takes.blank_text
        self._report = report

    def message(self, source: Message, *, last: bool) -> Message | None:
        """The message as it is sent, or None where nothing of it is worth sending."""
        content = self._without_blank(source)
        stays = bool(source.tool_calls or source.tools) or self._worth_sending(content)
        if not stays and not (last and self._may_stay_empty(source, content)):
            self._left_out(source, content)
            return None
        if content is not source.content and source.call_positions is not None:
            kept = [i for i, part in enumerate(source.content) if any(part is c for c in content)]
            source = with_content(source, content, kept)
        return wire_message(source, content)

    def result(self, source: Message) -> Message:
        """A tool result as the model sees it."""
        is_error = note = None
        if isinstance(source, ContextMessage):
            is_error, note = source.is_error, source.note
        if not self._sending:
            shown = render_tool_result(source.content, is_error=is_error, note=note)
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

    def _without_blank(self, source: Message) -> tuple[Part, ...]:
        content = source.content
        if source.role == "tool":
            # Only a slice that is being measured has tool messages outside an exchange.
            is_error, note = getattr(source, "is_error", None), getattr(source, "note", None)
            content = render_tool_result(content, is_error=is_error, note=note)
        return content if self._keeps_blank else self._dropping_blank(content, source.role)

    def _dropping_blank(self, content: tuple[Part, ...], role: str) -> tuple[Part, ...]:
        kept: list[Part] | None = None
        for index, part in enumerate(content):
            if type(part) is not TextPart or not is_blank(part.text):
                if kept is not None:
                    kept.append(part)
                continue
            if kept is None:
                kept = list(content[:index])
            if part.text:
                self._report(WhitespaceTextDropped(role))
            elif self._sending:
                self._report(EmptyTextDropped(role))
        return content if kept is None else tuple(kept)

    def _worth_sending(self, content: tuple[Part, ...]) -> bool:
        if not content:
            return False
        if self._keeps_blank:
            return self._takes.thinking_alone or not all(type(p) is ThinkPart for p in content)
        return not all(is_vacuous(part) for part in content)

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
            self._report(VacuousMessageDropped(source.role))


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
