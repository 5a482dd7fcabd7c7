"""History as JSON and back: nothing that a log holds is lost, and errors say where."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wiremend import ContextMessage, WiremendError, history_from_json, to_json
from wiremend.model import OpaquePart, UnknownOrigin, UserOrigin

MESSAGE = {"role": "user", "content": [{"type": "text", "text": "x"}], "toolCalls": []}

ORIGINS: list[dict[str, Any]] = [
    {"kind": "user"},
    {"kind": "user", "skillActivations": [{"name": "s"}]},
    {
        "kind": "skill_activation",
        "activationId": "a",
        "skillName": "s",
        "trigger": "user-slash",
        "skillArgs": "x",
    },
    {
        "kind": "plugin_command",
        "activationId": "a",
        "pluginId": "p",
        "commandName": "c",
        "trigger": "user-slash",
    },
    {"kind": "injection", "variant": "reminder", "ownerPromptId": "p1"},
    {"kind": "shell_command", "phase": "output", "isError": True},
    {"kind": "compaction_summary"},
    {"kind": "system_trigger", "name": "loadable-tools"},
    {"kind": "task", "taskId": "t", "status": "done", "notificationId": "n"},
    {
        "kind": "cron_job",
        "jobId": "j",
        "cron": "* * * * *",
        "recurring": True,
        "coalescedCount": 2,
        "stale": False,
    },
    {"kind": "cron_missed", "count": 3},
    {"kind": "hook_result", "event": "stop", "blocked": True},
    {"kind": "retry", "trigger": "overloaded"},
    {"kind": "from_the_future", "anything": {"at": ["all"]}},
    {"kind": "user", "inTurn": True},
]


def written(messages: Any) -> Any:
    return json.loads(to_json(messages))


@pytest.mark.parametrize("origin", ORIGINS, ids=lambda origin: str(origin["kind"]))
def test_an_origin_survives_load_and_save_unchanged(origin: dict[str, Any]) -> None:
    history = history_from_json(json.dumps([{**MESSAGE, "origin": origin}]))
    saved = written(history)[0]["origin"]
    assert saved == origin
    assert history_from_json(json.dumps(written(history))) == history


def test_all_twelve_kinds_are_known_and_others_are_not_kept_by_compaction() -> None:
    kinds = {origin["kind"]: origin for origin in ORIGINS[:-2]}
    history = history_from_json(json.dumps([{**MESSAGE, "origin": o} for o in kinds.values()]))
    assert len(kinds) == 12
    assert not any(isinstance(message.origin, UnknownOrigin) for message in history)
    kept = [m.origin.kind for m in history if m.origin is not None and m.origin.kept]
    assert kept == ["user", "skill_activation", "plugin_command"]
    (unknown,) = history_from_json(json.dumps([{**MESSAGE, "origin": ORIGINS[-2]}]))
    assert unknown.origin is not None
    assert not unknown.origin.kept


def test_a_skill_that_the_model_chose_is_not_kept_by_compaction() -> None:
    origin = {**ORIGINS[2], "trigger": "model-tool"}
    (message,) = history_from_json(json.dumps([{**MESSAGE, "origin": origin}]))
    assert message.origin is not None
    assert not message.origin.kept


def test_a_known_origin_with_an_unknown_field_is_still_of_its_kind() -> None:
    (message,) = history_from_json(json.dumps([{**MESSAGE, "origin": ORIGINS[-1]}]))
    assert isinstance(message.origin, UserOrigin)


def test_unknown_fields_are_kept_as_extras() -> None:
    message = {
        **MESSAGE,
        "new": 1,
        "content": [{"type": "image_url", "imageUrl": {"url": "u", "new": 2}, "new": 3}],
        "toolCalls": [{"type": "function", "id": "c", "name": "n", "arguments": None, "new": 4}],
    }
    (read,) = history_from_json(json.dumps([message]))
    found = [read.extras, read.content[0].extras, read.tool_calls[0].extras]  # type: ignore[union-attr]
    assert found == [{"new": 1}, {"new": 3}, {"new": 4}]
    assert read.tool_calls[0].type == "function"
    assert history_from_json(to_json([read])) == (read,)


def test_an_unknown_kind_of_part_is_kept_whole() -> None:
    part = {"type": "hologram", "depth": 3}
    (read,) = history_from_json(json.dumps([{**MESSAGE, "content": [part]}]))
    assert read.content == (OpaquePart("unknown", part),)


def test_content_and_calls_are_always_written() -> None:
    assert written([ContextMessage("user")]) == [{"role": "user", "content": [], "toolCalls": []}]


@pytest.mark.parametrize(
    ("text", "pointer"),
    [
        ('{"role": "user"}', ""),
        ('[{"role": "user"}, 3]', "/1"),
        ('[{"content": []}]', "/0"),
        ('[{"role": "robot", "content": []}]', "/0/role"),
        ('[{"role": "user", "content": [{"type": "text"}]}]', "/0/content/0"),
        ('[{"role": "user", "content": [{"text": "x"}]}]', "/0/content/0"),
        ('[{"role": "user", "content": 3}]', "/0/content"),
        ('[{"role": "user", "toolCalls": [{"id": 1, "name": "n"}]}]', "/0/toolCalls/0/id"),
        ('[{"role": "user", "origin": {}}]', "/0/origin"),
        ("[", ""),
    ],
)
def test_an_error_says_where(text: str, pointer: str) -> None:
    with pytest.raises(WiremendError) as caught:
        history_from_json(text)
    assert caught.value.pointer == pointer


@given(
    st.lists(
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.text(max_size=5),
            lambda inner: (
                st.lists(inner, max_size=3)
                | st.dictionaries(
                    st.sampled_from(
                        [
                            "role",
                            "content",
                            "toolCalls",
                            "origin",
                            "kind",
                            "type",
                            "text",
                            "id",
                            "x",
                        ]
                    ),
                    inner,
                    max_size=4,
                )
            ),
            max_leaves=15,
        ),
        max_size=3,
    )
)
def test_any_json_is_read_or_refused_with_a_place(value: list[Any]) -> None:
    try:
        history = history_from_json(json.dumps(value))
    except WiremendError as error:
        place = error.pointer
        assert place == "" or place.startswith("/")
    else:
        assert history_from_json(to_json(history)) == history
