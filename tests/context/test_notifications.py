"""Reminders and notifications: what is written is what is read, whatever a task brings along."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wiremend import WiremendError
from wiremend.context.markers import neutralise
from wiremend.context.notifications import (
    Block,
    Notification,
    notification_message,
    parse,
    render,
)
from wiremend.context.reminders import reminder, reminder_text
from wiremend.model import BLANK_CHARACTERS, InjectionOrigin, TaskOrigin, TextPart

PIECES = ["<", ">", "</", "&", "&lt;", "&amp;", "amp;", "#10;", "&#10;", "\n", " ", '"', "a", "="]
PIECES += ["system", "notification", "</notification>", "<tail>", "</tail>", "/", "Title: x", "é"]
hostile = st.lists(st.sampled_from(PIECES) | st.text(max_size=3), max_size=12).map("".join)
filled = hostile.filter(bool)
blocks = st.builds(
    Block,
    st.sampled_from(["tail", "output-file", "a"]),
    hostile,
    st.lists(st.tuples(st.sampled_from(["path", "n"]), hostile), max_size=2).map(tuple),
)
notifications = st.builds(
    Notification,
    id=filled,
    category=filled,
    type=filled,
    source_kind=filled,
    source_id=filled,
    agent_id=st.none() | filled,
    title=hostile,
    severity=hostile,
    body=hostile,
    children=st.lists(blocks, max_size=3).map(tuple),
)


def test_a_notification_reads_as_specified() -> None:
    notification = Notification(
        id='n"1',
        category="task",
        type="done",
        agent_id="a<1",
        title="R&D",
        severity="info",
        body="All <b>fine</b>.",
        children=(Block("tail", "last line"),),
    )
    assert render(notification) == (
        '<notification id="n&quot;1" category="task" type="done" source_kind="unknown" '
        'source_id="unknown" agent_id="a&lt;1">\nTitle: R&D\nSeverity: info\nAll <b>fine</b>.\n'
        "<tail>\nlast line\n</tail>\n</notification>"
    )
    assert "agent_id" not in render(Notification())


@given(notifications)
def test_what_was_rendered_is_read_back(notification: Notification) -> None:
    assert parse(render(notification)) == notification


@given(notifications)
def test_nothing_inside_a_notification_is_a_control_tag(notification: Notification) -> None:
    assert neutralise(render(notification))[1] == 2


@given(hostile)
def test_a_text_that_is_read_once_reads_the_same_once_written_again(text: str) -> None:
    found = parse(f'<notification id="1">\nTitle: t\n{text}\n</notification>')
    assert found is None or parse(render(found)) == found


@pytest.mark.parametrize(
    "text", ["", "x", "<notification>", "<notification></notification>", "<tail>\n</notification>"]
)
def test_what_is_no_notification_is_not_read_as_one(text: str) -> None:
    assert parse(text) is None


def test_two_notifications_are_not_read_as_one() -> None:
    one = render(Notification(body="x"))
    assert parse(f"{one}\n{one}") is None


@pytest.mark.parametrize("tag", ["system", "Notification", "a b", "", "x>"])
def test_a_block_that_is_no_tag_of_its_own_is_refused(tag: str) -> None:
    with pytest.raises(WiremendError, match="block"):
        render(Notification(children=(Block(tag),)))


def test_a_notification_message_is_the_users_with_the_tasks_origin() -> None:
    origin = TaskOrigin(task_id="t", status="done", notification_id="n")
    message = notification_message(Notification(body="x"), origin)
    assert (message.role, message.origin) == ("user", origin)
    assert isinstance(message.content[0], TextPart)
    assert parse(message.content[0].text) == Notification(body="x")


@given(hostile)
def test_a_reminder_reads_back_as_its_stripped_content(text: str) -> None:
    (part,) = reminder(text, InjectionOrigin(variant="x")).content
    assert isinstance(part, TextPart)
    assert reminder_text(part.text) == text.strip(BLANK_CHARACTERS)


@pytest.mark.parametrize("text", ["", "x", "<system-reminder>", "<system-reminder>x", "x</x>"])
def test_what_is_no_reminder_is_not_read_as_one(text: str) -> None:
    assert reminder_text(text) is None
