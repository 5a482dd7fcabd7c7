"""The Vercel AI SDK, through the proxy with the files and the lines of its page.

Everything is a process of its own: Node, ``wiremend proxy``, ``wiremend provider`` behind it.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import ROOT, write
from tests.cli.test_cli_provider import served
from tests.cli.test_cli_proxy import process
from tests.console_blocks import read_page
from tests.integrations.damage import ASKED, DAMAGED, NEXT, Message, calls, result, said
from tests.integrations.naive import ai_sdk_messages

HERE = Path(__file__).parent / "vercel"
PAGE = (ROOT / "docs" / "integrations" / "vercel.md").read_text(encoding="utf-8")
BASES = ("http://127.0.0.1:8400/openai/v1", "http://127.0.0.1:8400/v1")
"""What the page gives as OpenAI's and as Anthropic's."""
MODELS = ("anthropic", "chat", "responses")
SAID = "The fridge is empty."

KINDS = {
    **DAMAGED,
    "ids in another provider's alphabet": [ASKED, calls("call:1|2"), result("call:1|2"), NEXT],
    "a blank text beside a call": [ASKED, calls("call_1", text=" \n"), result("call_1"), NEXT],
    "words between a call and its result": [
        *(ASKED, calls("call_1"), said("Looking."), result("call_1"), NEXT),
    ],
    "two steps, and their results behind both": [
        *(ASKED, calls("call_1"), calls("call_2"), result("call_1"), result("call_2"), NEXT),
    ],
}
STOPPED = {
    "a call that nothing answers",
    "parallel calls, cancelled half way",
    "a result that comes late",
    "a system message in the middle",
    "a call id used twice",
    "two users in a row around a cancelled step",
    "an assistant that says nothing",
}
"""What the AI SDK throws ``AI_MissingToolResultsError`` for: it wants the page's ``answered``."""
TAKEN = {
    *((kind, "chat") for kind in ("a message of blanks", "a blank text beside a call")),
    *((kind, "responses") for kind in ("a message of blanks", "a blank text beside a call")),
    ("ids in another provider's alphabet", "chat"),
    ("ids in another provider's alphabet", "responses"),
    # The SDK writes messages of one role as one.
    ("words between a call and its result", "anthropic"),
    ("words between a call and its result", "responses"),
    ("two steps, and their results behind both", "anthropic"),
    ("two steps, and their results behind both", "responses"),
}
"""What goes through without the proxy."""
DROPPED = {
    "a result without its call": ["late news"],
    "a head cut off by compaction": ["old news"],
    "a result given twice": ["rainy"],
}
"""What no provider has a place for: dropped, and reported."""
ALL = [(kind, model) for kind in KINDS for model in MODELS]
ALLOWED = {"allowSystemInMessages": True}
UI = ("ui", "ui, without open calls")


@dataclass
class Standing:
    """A proxy before a provider, and folders with the page's files for both."""

    direct: Path
    through: Path
    bases: tuple[str, str]
    journal: Path
    reached: int = 0
    """The requests that the proxy got."""

    def ask(self, *questions: dict[str, Any], by: str = "ask.mjs", **environment: str) -> list[Any]:
        """What came of each question, through the proxy."""
        came = ask(self.through / by, *questions, **environment)
        self.reached += sum("text" in answer or "status" in answer for answer in came)
        return came

    def sent(self, number: int) -> list[Any]:
        """The bodies that went on for the last so many requests."""
        deadline = time.monotonic() + 20
        while len(lines := self.journal.read_text(encoding="utf-8").splitlines()) < self.reached:
            assert time.monotonic() < deadline, "the journal lacks requests"
            time.sleep(0.01)
        entries = map(json.loads, lines[-number:])
        return [entry.get("sent", entry["request"]) for entry in entries]


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the packages of the AI SDK."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        if os.environ.get("CI") == "true":
            pytest.fail("node and npm are not installed, and this is CI")
        pytest.skip("node and npm are not installed")
    folder = tmp_path_factory.mktemp("ai-sdk")
    for name in ("package.json", "package-lock.json"):
        shutil.copy(HERE / name, folder)
    command = ["npm", "ci", "--no-audit", "--no-fund", "--silent"]
    subprocess.run(command, cwd=folder, check=True, timeout=300)
    return folder


@pytest.fixture(scope="module")
def standing(packages: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Standing]:
    folder = tmp_path_factory.mktemp("standing")
    script = write(folder / "script.json", {"repeat": True, "steps": [SAID]})
    journal = folder / "journal.jsonl"
    with served("openai-chat", "--script", script) as provider:
        url = provider.url.removesuffix("/v1")
        arguments = [*upstreams(url), "--journal", str(journal), "--journal-content"]
        with process(*arguments) as (_, proxy):
            bases = (f"{proxy}/openai/v1", f"{proxy}/v1")
            direct = furnished(packages, "direct", (f"{url}/v1", f"{url}/v1"))
            yield Standing(direct, furnished(packages, "through", bases), bases, journal)


def upstreams(provider: str) -> list[str]:
    """The options of the page's proxy, with one simulated provider for both."""
    command = re.search(r"^\$ wiremend proxy (.*)$", PAGE, re.MULTILINE)
    assert command
    assert "https://api.openai.com" in command[1]
    options = command[1].replace("https://api.openai.com", f"openai-chat+{provider}")
    return options.replace("https://api.anthropic.com", provider).split()


def furnished(packages: Path, name: str, bases: tuple[str, str]) -> Path:
    """The page's files in a folder from which the packages are found."""
    folder = packages / name
    folder.mkdir()
    shutil.copy(HERE / "ask.mjs", folder)
    files = read_page(PAGE).files
    assert all(files["providers.mjs"].count(f'"{shown}"') == 1 for shown in BASES)
    for title in files:
        for shown, real in zip(BASES, bases, strict=True):
            files[title] = files[title].replace(f'"{shown}"', f'"{real}"')
        (folder / title).write_text(files[title], encoding="utf-8")
    return folder


def node(
    program: Path, questions: Any = None, **environment: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["node", program.name],
        input=json.dumps(questions),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        cwd=program.parent,
        env={**os.environ, "OPENAI_API_KEY": "any", "ANTHROPIC_API_KEY": "any", **environment},
    )


def printed(done: subprocess.CompletedProcess[str]) -> str:
    assert done.returncode == 0, done.stderr
    return done.stdout


def ask(program: Path, *questions: dict[str, Any], **environment: str) -> list[Any]:
    asked = [{"way": "plain", "streamed": False, **question} for question in questions]
    return list(json.loads(printed(node(program, asked, **environment))))


def question(kind: str, model: str, **more: Any) -> dict[str, Any]:
    """A damaged conversation for a model; system messages stand where the user has allowed it."""
    messages = ai_sdk_messages(KINDS[kind])
    return {"model": model, "messages": messages, "settings": ALLOWED, **more}


def test_without_the_proxy_a_damaged_conversation_is_refused(standing: Standing) -> None:
    came = ask(standing.direct / "ask.mjs", *(question(*each) for each in ALL))
    errors = {each: answer.get("error") for each, answer in zip(ALL, came, strict=True)}
    assert {each for each, error in errors.items() if error is None} == TAKEN
    stopped = {each for each, error in errors.items() if error == "AI_MissingToolResultsError"}
    assert stopped == {(kind, model) for kind in STOPPED for model in MODELS}
    refused = [answer["status"] for answer in came if answer.get("error") == "AI_APICallError"]
    assert refused == [400] * (len(ALL) - len(TAKEN) - len(stopped))


@pytest.mark.parametrize("streamed", [False, True], ids=["whole", "streamed"])
def test_through_the_proxy_it_is_answered_and_nothing_is_lost(
    standing: Standing, streamed: bool
) -> None:
    ways = {kind: "answered" if kind in STOPPED else "plain" for kind in KINDS}
    asked = [question(kind, model, way=ways[kind], streamed=streamed) for kind, model in ALL]
    came = standing.ask(*asked)
    assert [answer.get("text") for answer in came] == [SAID] * len(ALL), came
    untouched = {each for each, got in zip(ALL, came, strict=True) if got["repairs"] == "none"}
    assert {kind for kind, _ in untouched - TAKEN} <= STOPPED
    for (kind, _), body in zip(ALL, standing.sent(len(ALL)), strict=True):
        written = json.dumps(body)
        lost = [word for word in words(KINDS[kind]) if word not in written]
        assert lost == DROPPED.get(kind, []), kind


def words(messages: list[Message]) -> list[str]:
    """What people, models and tools have said in it."""
    return [message["content"] for message in messages if message["content"].strip()]


def test_answered_alone_is_not_enough_for_what_the_providers_refuse(standing: Standing) -> None:
    each = question("a system message in the middle", "anthropic", way="answered")
    late = question("a result that comes late", "chat", way="answered")
    assert [answer["status"] for answer in ask(standing.direct / "ask.mjs", each, late)] == [
        400,
        400,
    ]


def test_a_system_message_among_messages_is_for_the_user_to_allow(standing: Standing) -> None:
    told = question("a system message in the middle", "anthropic", way="answered", settings={})
    assert standing.ask(told)[0]["error"] == "AI_InvalidPromptError"


def test_answered_changes_nothing_of_a_sound_conversation(standing: Standing) -> None:
    sound = ai_sdk_messages([ASKED, calls("call_1", "call_2"), result("call_1"), result("call_2")])
    questions = [{"model": model, "messages": sound, "way": "answered"} for model in MODELS]
    assert [answer["repairs"] for answer in standing.ask(*questions)] == ["none"] * 3
    assert not any("not available" in json.dumps(body) for body in standing.sent(3))


def test_messages_of_a_user_interface_may_leave_open_calls_out(standing: Standing) -> None:
    part = {"type": "tool-weather", "toolCallId": "call_1", "state": "input-available", "input": {}}
    messages = [
        {"role": "user", "parts": [{"type": "text", "text": "What is the weather in Turin?"}]},
        {"role": "assistant", "parts": [{"type": "text", "text": "Looking."}, part]},
        {"role": "user", "parts": [{"type": "text", "text": "Never mind."}]},
    ]
    asked = [{"model": "anthropic", "messages": messages, "way": way} for way in UI]
    kept, left_out = standing.ask(*asked)
    assert kept["error"] == "AI_MissingToolResultsError"
    assert left_out["text"] == SAID


def test_the_program_of_the_page_prints_what_the_page_says(standing: Standing) -> None:
    says = re.search(r'"x-wiremend-repairs"\]\); // (.*)$', PAGE, re.MULTILINE)
    assert says
    done = node(standing.through / "agent.mjs")
    standing.reached += 1
    assert printed(done).splitlines() == [SAID, says[1]]


def test_the_program_of_the_page_fails_as_the_page_says_without_the_proxy_or_answered(
    standing: Standing,
) -> None:
    refusal = re.search(r"the answer is ``(.*?)``", PAGE, re.DOTALL)
    assert refusal
    assert " ".join(refusal[1].split()) in node(standing.direct / "agent.mjs").stderr
    text = (standing.through / "agent.mjs").read_text(encoding="utf-8")
    bare = standing.through / "bare.mjs"
    bare.write_text(text.replace("answered(messages)", "messages"), encoding="utf-8")
    assert "AI_MissingToolResultsError" in node(bare).stderr


def test_the_variables_of_the_page_are_enough(standing: Standing) -> None:
    program = standing.through / "unchanged.mjs"
    program.write_text(
        'import { anthropic } from "@ai-sdk/anthropic";\n'
        'import { openai } from "@ai-sdk/openai";\n'
        "export { anthropic, openai };\n"
    )
    ask_it = (standing.through / "ask.mjs").read_text().replace("./providers", "./unchanged")
    (standing.through / "ask-unchanged.mjs").write_text(ask_it)
    block = re.search(r"```sh\n(.*?)```", PAGE, re.DOTALL)
    assert block
    shown = dict(re.findall(r"export (\w+)=(\S+)", block[1]))
    real = dict(zip(BASES, standing.bases, strict=True))
    asked = [question("a result without its call", model) for model in MODELS]
    variables = {name: real[base] for name, base in shown.items()}
    assert sorted(variables) == ["ANTHROPIC_BASE_URL", "OPENAI_BASE_URL"]
    came = standing.ask(*asked, by="ask-unchanged.mjs", **variables)
    assert [answer.get("repairs") for answer in came] == ["orphan_tool_result_dropped=1"] * 3, came
