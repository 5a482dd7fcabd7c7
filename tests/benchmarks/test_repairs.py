"""The comparison of repairs: its damage is damage, its judge sees losses, and wiremend's column."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from benchmarks.repairs.__main__ import main
from benchmarks.repairs.damage import ANTHROPIC, CHAT, DAMAGES, HARMLESS, Kind, specimen
from benchmarks.repairs.judging import judge, refused
from benchmarks.repairs.listening import listening
from benchmarks.repairs.report import tables
from benchmarks.repairs.run import TASKS, Task, kinds_of, outcomes, reason, specimens, verdict
from benchmarks.repairs.tools import peers
from benchmarks.repairs.tools.base import sent
from benchmarks.repairs.tools.wiremend import Wiremend

import wiremend

SEEDS = range(3)
BEFORE_ITS_CALL = "result stands before its call"


def every(kinds: tuple[Kind, ...], sources: str) -> list[tuple[Kind, str]]:
    return [(kind, source) for kind in kinds for source in getattr(kind, sources)]


@pytest.mark.parametrize(("kind", "source"), every(HARMLESS, "sources"))
def test_what_is_called_harmless_is_taken_as_it_is(kind: Kind, source: str) -> None:
    for seed in SEEDS:
        body = specimen(kind, source, seed).body
        assert refused(body, source) == ""
        assert wiremend.check(body, source) == []


@pytest.mark.parametrize(("kind", "source"), every(DAMAGES, "refused"))
def test_each_damage_is_refused_by_the_provider(kind: Kind, source: str) -> None:
    for seed in SEEDS:
        assert refused(specimen(kind, source, seed).body, source)


def test_each_damage_is_refused_by_somebody_and_its_name_is_its_own() -> None:
    assert all(kind.refused for kind in DAMAGES)
    names = [kind.name for kind in (*HARMLESS, *DAMAGES)]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("source", [CHAT, ANTHROPIC])
def test_the_same_seed_makes_the_same_conversation_and_another_seed_another(source: str) -> None:
    for kind in DAMAGES:
        if source in kind.sources:
            first, again, other = (specimen(kind, source, seed).body for seed in (1, 1, 2))
            assert first == again != other


def every_kind() -> Iterator[Any]:
    for task in TASKS:
        for kind in kinds_of(task):
            yield pytest.param(task, kind, id=f"{task.name}: {kind.name}")


@pytest.mark.parametrize(("task", "kind"), [*every_kind()])
def test_wiremend_sends_what_is_valid_and_loses_nothing(task: Task, kind: Kind) -> None:
    for seed in SEEDS:
        one = specimen(kind, task.source, seed)
        before = copy.deepcopy(one.body)
        found = verdict(Wiremend(), one, task.target)
        assert one.body == before
        assert found.refusal == ""
        if kind.name != BEFORE_ITS_CALL:
            assert found.losses == ()


@pytest.mark.parametrize("source", [CHAT, ANTHROPIC])
def test_what_wiremend_does_drop_it_says(source: str) -> None:
    """A result before its call answers nothing that was asked: an id may belong to an older one."""
    kind = next(kind for kind in DAMAGES if kind.name == BEFORE_ITS_CALL)
    fixed = wiremend.fix(specimen(kind, source, 0).body, source)
    assert "orphan_tool_result_dropped" in [anomaly.kind for anomaly in fixed.anomalies]


DIALECTS = ("openai-chat", "openai-responses", "anthropic", "gemini", "bedrock")


@pytest.mark.parametrize("target", DIALECTS)
def test_the_judge_finds_nothing_to_object_in_a_faithful_conversion(target: str) -> None:
    for kind, seed in product(HARMLESS, SEEDS):
        one = specimen(kind, CHAT, seed)
        body = wiremend.convert(one.body, CHAT, target, model="m").body
        assert [*judge(one, body, target).losses] == []


@pytest.mark.parametrize("target", DIALECTS)
@pytest.mark.parametrize("role", ["user", "assistant", "tool"])
def test_the_judge_sees_that_a_text_is_missing(role: str, target: str) -> None:
    one = specimen(HARMLESS[0], CHAT, 1)
    shorter = copy.deepcopy(one.body)
    spoken = [m for m in shorter["messages"] if m["role"] == role and m["content"]]
    spoken[0]["content"] = "something else"
    body = wiremend.convert(shorter, CHAT, target, model="m").body
    words = {"tool": "the text of a result is missing"}
    assert judge(one, body, target).losses == (words.get(role, f"a text of the {role} is missing"),)


@pytest.mark.parametrize("target", DIALECTS)
def test_the_judge_sees_that_results_changed_places(target: str) -> None:
    one = specimen(HARMLESS[0], CHAT, 1)
    swapped = copy.deepcopy(one.body)
    results = [m for m in swapped["messages"] if m["role"] == "tool"]
    results[0]["content"], results[1]["content"] = results[1]["content"], results[0]["content"]
    body = wiremend.convert(swapped, CHAT, target, model="m").body
    assert set(judge(one, body, target).losses) == {"a result stands with another call"}


def test_the_judge_sees_that_prompts_changed_places_and_that_a_picture_is_gone() -> None:
    one = specimen(HARMLESS[1], CHAT, 1)
    turned = copy.deepcopy(one.body)
    prompts = [m for m in turned["messages"] if m["role"] == "user"]
    prompts[0]["content"], prompts[1]["content"] = prompts[1]["content"], prompts[0]["content"]
    prompts[-1]["content"] = prompts[-1]["content"][0]["text"]
    found = judge(one, turned, CHAT).losses
    assert "a text of the user stands in another place" in found
    assert "a picture is missing" in found


class Silent:
    """A tool that raises."""

    name, version, called = "silent", "1", "nothing"
    claims: frozenset[str] = frozenset()

    def takes(self, specimen: Any, target: str) -> bool:
        return bool(specimen and target)

    def send(self, specimen: Any, target: str) -> Any:
        raise ValueError(f"no {target} for call_{len(specimen.body)}{len(specimen.kind)}")


def test_an_error_counts_as_refused_and_what_is_not_claimed_can_be_forgiven() -> None:
    found = [*outcomes([Wiremend(), Silent()], TASKS[2], specimens(TASKS[2], 1))]
    reasons = {reason(one.verdict) for one in found if one.tool == "silent"}
    assert reasons == {"raises ValueError: no anthropic for ID"}
    by_kind, by_task, why = tables(found, each=False, forgiving=False)
    assert by_kind.head == ("what happened", "wiremend", "silent")
    assert by_kind.lines[0][2] == by_task.lines[0][2] == "0"
    assert why.lines[1][1] == f"{len(found) // 2} of {len(found) // 2}"
    forgiven = next(tables(found, each=False, forgiving=True))
    assert forgiven.lines[-1][2] == str(len(HARMLESS))


def test_the_listener_hears_what_is_posted_and_a_silent_client_is_an_error() -> None:
    from urllib.request import urlopen

    with listening() as listener:
        heard = sent(listener, lambda: urlopen(listener.url, b'{"a": 1}'))
        assert heard == {"a": 1}
        with pytest.raises(RuntimeError, match="nothing was sent"):
            sent(listener, lambda: None)


def test_the_script_prints_its_tables_and_puts_them_into_a_page(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- repairs -->\nold\n<!-- end of repairs -->\nafter\n")
    main(["--peers", "--seeds", "1", "--each", "--markdown", str(page)])
    out = capsys.readouterr().out
    for words in ("by kind of damage", "by task", "gemini", "reason of failing", "wiremend.fix"):
        assert words in out
    text = page.read_text()
    assert text.startswith("before\n<!-- repairs -->\nRun on ")
    assert text.endswith("<!-- end of repairs -->\nafter\n")
    assert "old" not in text


def test_cases_in_files_are_judged_by_the_texts_that_they_want_kept(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    request = {
        "messages": [
            {"role": "user", "content": "open it"},
            {"role": "tool", "tool_call_id": "gone", "content": "old"},
        ]
    }
    case = {"kind": "orphan", "dialect": CHAT, "request": request, "keep": ["open it"]}
    report = {"kind": "orphan", "wire_format": CHAT, "provider": "generic", "request": request}
    files = {
        "a": case,
        "b": {**case, "keep": ["old"]},
        "c": {**report, "policy": "default", "checks": ["keeps text: open it", "paired"]},
        "d": {**report, "policy": "strict"},
        "e": {**case, "dialect": "mistral"},
    }
    for name, what in files.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(what))
    main(["--peers", "--cases", str(tmp_path)])
    out = capsys.readouterr().out
    assert "orphan" in out
    assert "66.7 (100)" in out
    assert "a text that the case wants kept is missing" in out


@pytest.mark.parametrize("name", peers.NAMES)
def test_a_peer_that_is_installed_sends_a_sound_conversation_whole(name: str) -> None:
    if not peers.is_installed(name):
        pytest.skip(f"{name} is not installed: it is in the extra 'bench'")
    with listening() as listener:
        tool = peers.peer(name, listener)
        for task in TASKS:
            one = specimen(HARMLESS[0], task.source, 0)
            if tool.takes(one, task.target):
                assert verdict(tool, one, task.target).whole
