"""Large media in sessions: stored once, back in its place, and never a reason to lose a session."""

from __future__ import annotations

import base64
import hashlib
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import wiremend
from tests.history.events import answered, begin, called, end
from tests.projection.notation import A, U, shape
from wiremend.cli.app import cli
from wiremend.model import ContextMessage, DocumentPart, ImagePart, MediaSource, TextPart
from wiremend.session import Session
from wiremend.stores import Damage, open_store
from wiremend.stores.media import SMALLEST, missing_media, offload, references, restored

BYTES = bytes(range(256)) * 40
PICTURE = f"data:image/png;base64,{base64.b64encode(BYTES).decode()}"
NAME = hashlib.sha256(base64.b64encode(BYTES)).hexdigest()


def seen(url: str, text: str = "look") -> ContextMessage:
    return ContextMessage("user", (TextPart(text), ImagePart(MediaSource(url))))


def stored(session: Session) -> list[bytes]:
    return [data for _, data in session.store.read(session.id)]


def test_a_picture_is_stored_once_and_read_back_as_it_was(url: str) -> None:
    document = ContextMessage("user", (DocumentPart(url=PICTURE),))
    history = [seen(PICTURE), seen(PICTURE, "again"), document]
    with Session.open(url, id="one") as session:
        for message in history:
            session.append(message)
        session.append_loop_event(begin("s"))
        session.append_loop_event(called("s", "c"))
        session.append_loop_event(
            answered("c", [{"type": "image_url", "imageUrl": {"url": PICTURE}}])
        )
        session.append_loop_event(end("s"))
        before = session.messages()
        assert before[:3] == history
        assert all(len(record) < 500 for record in stored(session))
        assert [name for record in stored(session) for name in references(record)] == [NAME] * 4
        assert session.store.get_blob(NAME) == BYTES
        session.snapshot()
        found = session.store.load_snapshot("one")
        assert found is not None
        assert len(found[1]) < 2500
    with Session.open(url, id="one") as again:
        assert again.messages() == before
        assert [entry.message for entry in again.transcript()] == before


def test_small_media_odd_base64_and_links_stay_where_they_are(url: str) -> None:
    small = "data:image/png;base64," + "A" * (SMALLEST - 4)
    odd = PICTURE[:-2] + "\n" + PICTURE[-2:]
    links = [small, odd, "https://example.org/" + "x" * SMALLEST, "ms://" + "x" * SMALLEST]
    with Session.open(url, id="one") as session:
        for link in links:
            session.append(seen(link))
        assert not [name for record in stored(session) for name in references(record)]
    with Session.open(url, id="one") as again:
        assert again.messages() == [seen(link) for link in links]


def test_media_that_the_store_lost_is_said_and_the_rest_goes_on(tmp_path: Path) -> None:
    url = f"jsonl:{tmp_path}"
    with Session.open(url, id="one") as session:
        session.append(U("a"))
        session.append(seen(PICTURE))
    (tmp_path / "blobs" / NAME).unlink()
    with Session.open(url, id="one") as again:
        (damage,) = missing_media(again.store, "one")
        assert damage == Damage(
            2,
            f"its media is not in the store: there is no blob {NAME}",
            "this image, sound or document",
        )
        assert again.messages()[1].content[1] == ImagePart(MediaSource(f"blobref:image/png;{NAME}"))
        sent = json.dumps(again.request("openai-chat", settings={"model": "m"}))
        assert "blobref" not in sent
        assert "[media omitted: it is no longer in the session's store]" in sent
        assert "blobref" not in wiremend.to_json(again.project()).decode()
    verified = CliRunner().invoke(cli, ["session", "verify", url])
    assert verified.exit_code == 1
    assert "record 2: its media is not in the store" in verified.stdout


def test_an_export_holds_its_media_and_an_import_puts_it_away_again(url: str) -> None:
    with Session.open(url, id="one") as session:
        session.append(seen(PICTURE))
        before = session.messages()
    exported = CliRunner().invoke(cli, ["session", "export", url, "one"])
    assert PICTURE in exported.stdout
    done = CliRunner().invoke(cli, ["session", "import", url, "two"], input=exported.stdout)
    assert done.exit_code == 0
    with Session.open(url, id="two", create=False) as again:
        assert again.messages() == before
        assert list(references(stored(again)[0])) == [NAME]


@pytest.mark.parametrize("kept", [BYTES, base64.b64encode(BYTES)], ids=["bytes", "base64"])
def test_a_log_of_kimi_code_finds_the_media_beside_it(tmp_path: Path, kept: bytes) -> None:
    folder = tmp_path / "main"
    (folder / "blobs").mkdir(parents=True)
    (folder / "blobs" / NAME).write_bytes(kept)
    image = {"type": "image_url", "imageUrl": {"url": f"blobref:image/png;{NAME}"}}
    message = {"role": "user", "content": [image], "toolCalls": []}
    record = {"type": "context.append_message", "message": message, "time": 1}
    (folder / "wire.jsonl").write_text(json.dumps(record) + "\n")
    for place in (f"jsonl:{folder / 'wire.jsonl'}", f"jsonl:{tmp_path}"):
        with Session.open(place, id="main", create=False) as session:
            assert session.messages()[0].content == (ImagePart(MediaSource(PICTURE)),)
    with Session.open(f"jsonl:{folder / 'wire.jsonl'}", id="main") as session:
        session.append(seen(PICTURE))
    assert [path.name for path in (folder / "blobs").iterdir()] == [NAME]
    replayed = CliRunner().invoke(cli, ["replay", str(folder / "wire.jsonl")])
    assert replayed.stdout.count(PICTURE) == 2


def test_a_record_without_large_media_is_the_same_object() -> None:
    record = b'{"type":"x","text":"' + b"y" * SMALLEST + b'"}'
    assert offload(record, lambda _: "never") is record
    assert restored(record, lambda _: b"never") is record


def test_a_fork_shares_the_store_until_the_last_one_closes_it(url: str) -> None:
    parent = Session.open(url, id="parent")
    parent.append(U("a"))
    child = parent.fork("child")
    parent.close()
    child.append(U("b"))
    parent.close()
    assert shape(list(child.messages())) == ["U a", "U b"]
    child.close()
    store = open_store(url)
    assert [info.id for info in store.sessions()] == ["child", "parent"]
    store.close()


def test_a_session_that_cannot_be_loaded_lets_go_of_its_store(tmp_path: Path) -> None:
    log = tmp_path / "one" / "wire.jsonl"
    log.parent.mkdir()
    log.write_text('{"type":"context.append_message","message":{"role":"nobody"}}\n')
    with pytest.raises(wiremend.WiremendError, match="role"):
        Session.open(f"jsonl:{tmp_path}", id="one")


def test_a_request_of_a_session_is_what_the_library_makes_of_its_history(url: str) -> None:
    tools = [{"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}}]
    settings = {"model": "gpt-5", "prompt_cache_key": "mine"}
    seen_kinds: list[str] = []
    with Session.open(url, id="one") as session:
        for item in (U("a"), A("1", calls="c"), U("b")):
            session.append(item)
        body = session.request(
            "openai-chat",
            tools=tools,
            settings=settings,
            on_anomaly=lambda anomaly: seen_kinds.append(anomaly.kind),
        )
        made = wiremend.request(session.messages(), "openai-chat", {**settings, "tools": tools})
    assert body == made.body
    assert seen_kinds == [anomaly.kind for anomaly in made.anomalies] != []


def test_the_sessions_id_is_the_cache_key_in_each_providers_own_field(tmp_path: Path) -> None:
    with Session.open(f"{tmp_path}/a.db", id="one") as session:
        session.append(U("a"))
        assert session.request("kimi")["prompt_cache_key"] == "one"
        assert session.request("openai-responses")["prompt_cache_key"] == "one"
        marked = session.request(
            "anthropic", settings={"max_tokens": 9, "metadata": {"x": 1}}, cache=True
        )
        assert marked["metadata"] == {"user_id": "one", "x": 1}
        assert marked["max_tokens"] == 9
        assert marked["messages"][0]["content"][0]["cache_control"] == {"type": "ephemeral"}
        assert session.request("gemini").keys() == {"contents"}
