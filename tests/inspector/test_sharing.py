"""The static page: one file that needs nothing, holds nothing that runs, and can hold no texts."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cli.running import EXAMPLES, OPEN_CALL, run, write
from tests.inspector.serving import PNG
from tests.inspector.views import chat, says, view_of
from tests.properties.bodies import DAMAGED
from wiremend.inspector.assets import SCRIPTS, bundled_script, read_asset
from wiremend.inspector.masking import letters
from wiremend.inspector.sharing import static_page

HOSTILE = "</script><script>window.hacked=1</script><!--<script>\u2028"


def data_of(page: str) -> Any:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found
    return json.loads(found[1])


def test_its_policy_allows_exactly_what_is_in_it() -> None:
    page = static_page(view_of(OPEN_CALL, "openai-chat"), "a.json")
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    assert policy
    assert policy[1].startswith("default-src 'none'; img-src data:; ")
    for tag, source in (("style", "style-src"), ('script type="module"', "script-src")):
        inner = page.split(f"<{tag}>")[1].split(f"</{tag.split()[0]}>")[0]
        digest = base64.b64encode(hashlib.sha256(inner.encode()).digest()).decode()
        assert f"{source} 'sha256-{digest}'" in policy[1]
    assert not re.search(r"(?:src|href)=\"(?!#)", page)


def test_nothing_in_a_transcript_can_end_the_data() -> None:
    name = HOSTILE.replace("/", "")
    page = static_page(view_of(chat(says("user", HOSTILE)), "openai-chat"), name)
    assert page.count("<script") == 2
    assert data_of(page)["rows"][0]["left"][0]["blocks"][0]["text"] == HOSTILE
    assert data_of(page)["source"]["title"] == name


def test_pictures_are_in_it_where_they_are_raster_pictures() -> None:
    url = f"data:image/svg+xml;base64,{PNG}"
    picture = {"type": "image_url", "image_url": {"url": url}}
    page = static_page(view_of(chat(says("user", [picture])), "openai-chat"), "a")
    block = data_of(page)["rows"][0]["left"][0]["blocks"][0]
    assert block["url"] == f"data:image/png;base64,{PNG}"


def test_the_modules_put_together_have_no_name_twice() -> None:
    names = [
        name
        for script in SCRIPTS
        for name in re.findall(
            r"^(?:export )?(?:async )?(?:function|class|const|let) (\w+)",
            read_asset(script),
            re.MULTILINE,
        )
    ]
    assert sorted(set(names)) == sorted(names)
    assert "import " not in re.sub(r"^\s*//.*$", "", bundled_script(), flags=re.MULTILINE)
    assert not re.search(r"^export ", bundled_script(), re.MULTILINE)


@pytest.mark.parametrize("dialect", ["anthropic", "openai-chat", "openai-responses", "gemini"])
@given(data=st.data())
def test_placeholders_leave_no_text_and_change_no_length(dialect: str, data: st.DataObject) -> None:
    body = data.draw(DAMAGED[dialect])
    plain = data_of(static_page(view_of(body, dialect), "t"))
    masked = data_of(static_page(view_of(body, dialect), "t", placeholders=True))
    for before, after in zip(plain["rows"], masked["rows"], strict=True):
        for side in ("left", "right"):
            for one, other in zip(before[side], after[side], strict=True):
                assert [b.get("state") for b in one["blocks"]] == [
                    b.get("state") for b in other["blocks"]
                ]
                for block, hidden in zip(one["blocks"], other["blocks"], strict=True):
                    assert hidden.get("text", "") == letters(block.get("text", ""))


SECRET = "Zebrafish"


def test_a_file_says_what_is_not_in_it_and_leads_nowhere_beyond(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("wiremend.inspector.sharing.MOST_ROWS", 3)
    talk = [says(role, f"{role} {n}") for n in range(3) for role in ("user", "assistant")]
    orphans = [{"role": "tool", "tool_call_id": "call_X", "content": str(n)} for n in range(2)]
    data = data_of(static_page(view_of(chat(orphans[0], *talk, orphans[1]), "openai-chat"), "a"))
    assert len(data["rows"]) == data["summary"]["rows"] == 3
    assert data["source"]["leftOut"] == {"rows": 8, "there": 3, "places": 1}
    assert data["summary"]["repairRows"] == data["summary"]["problemRows"] == [0]
    assert data["summary"]["repairCount"] == 2
    assert [one["row"] for one in data["summary"]["repairs"]] == [0]
    assert data["summary"]["bodyChunks"] == len(data["chunks"])
    whole = data_of(static_page(view_of(chat(*talk[:2]), "openai-chat"), "a"))
    assert "leftOut" not in whole["source"]


def test_a_file_does_not_tell_where_its_owner_keeps_the_conversation(tmp_path: Path) -> None:
    target = tmp_path / "out.html"
    source = write(tmp_path / "a.json", OPEN_CALL)
    assert run("export-html", source, "-o", target).exit_code == 0
    page = target.read_text(encoding="utf-8")
    assert data_of(page)["source"]["title"] == "a.json"
    assert str(tmp_path) not in page


@pytest.mark.parametrize("dialect", ["anthropic", "openai-chat"])
def test_with_placeholders_no_word_that_anybody_said_is_left(dialect: str) -> None:
    word = f"{SECRET} {SECRET}!"
    parts = [{"type": "text", "text": word}, {"type": word, "x": word}]
    arguments = json.dumps({word: word})
    call = {"id": word, "type": "function", "function": {"name": word, "arguments": arguments}}
    use = {"type": "tool_use", "id": word, "name": word, "input": {word: word}}
    body = {
        "model": word,
        "system": word,
        word: word,
        "tools": [{"name": word, "description": word, "input_schema": {"type": word}}],
        "messages": [
            {"role": "user", "content": parts, "name": word},
            {
                "role": "assistant",
                "content": [use] if dialect == "anthropic" else None,
                **({} if dialect == "anthropic" else {"tool_calls": [call]}),
            },
            {"role": "tool", "tool_call_id": word + "2", "content": word},
            {"role": word, "content": word},
        ],
    }
    page = static_page(view_of(body, dialect), word, placeholders=True)
    assert SECRET not in page
    assert SECRET.lower() not in page.lower()


def test_a_history_with_placeholders_keeps_origins_and_loses_notes(tmp_path: Path) -> None:
    target = tmp_path / "out.html"
    done = run("export-html", "--placeholders", EXAMPLES / "history.json", "-o", target)
    assert done.exit_code == 0
    page = target.read_text(encoding="utf-8")
    assert "injection" in page
    assert "Ask before you try again" not in page
    assert "harbour" not in page


def test_the_command_writes_the_page_and_never_over_its_input(tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", OPEN_CALL)
    assert run("export-html", path).stdout.startswith("<!doctype html>")
    assert run("export-html", path, "-o", path).exit_code == 2
