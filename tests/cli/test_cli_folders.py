"""Many conversations into a folder: the same on every engine, after every interruption."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import boto3
import fsspec
import msgspec
import pyarrow as pa
import pytest
from moto.server import ThreadedMotoServer
from pyarrow import fs
from pyarrow import parquet as pq

from tests.cli.running import ANTHROPIC_BLANK, HELLO, OPEN_CALL, run, write
from tests.cli.test_cli_bulk import BAD, lines
from wiremend.bulk.partitions import added_up
from wiremend.bulk.planning import plan_of
from wiremend.cli import folders
from wiremend.cli.tally import Tally

COMMANDS = [
    ("check",),
    ("fix", "--as-text"),
    ("fix", "--output", "json"),
    ("convert", "--to", "anthropic", "--model", "claude-sonnet-4-5"),
]
SHAREGPT = {"conversations": [{"from": "human", "value": "hi"}, {"from": "gpt", "value": ""}]}


@pytest.fixture(autouse=True)
def _small_partitions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folders, "_MB", 128)


def write_rows(path: Path, column: str, values: list[Any], group: int = 100) -> Path:
    table = pa.table({"id": list(range(len(values))), column: values})
    pq.write_table(table, path, row_group_size=group)
    return path


def mixed_folder(folder: Path) -> Path:
    """Lines, requests, a data set, Parquet of text and nested, what is none, and what is broken."""
    (folder / "sub").mkdir(parents=True)
    (folder / "a.jsonl").write_bytes(b"".join(lines(900)))
    (folder / "sub" / "b.jsonl").write_bytes(b"".join(lines(30)).rstrip(b"\n"))
    write(folder / "one.json", OPEN_CALL, indent=2)
    write(folder / "other.json", {"name": "x", "version": 1})
    write(folder / "share.jsonl", *[SHAREGPT] * 300)
    texts = [*map(json.dumps, [HELLO, OPEN_CALL, ANTHROPIC_BLANK] * 100), "{nope", None]
    write_rows(folder / "rows.parquet", "request", texts)
    nested = [value["messages"] for value in (HELLO, OPEN_CALL)] * 100
    write_rows(folder / "sub" / "nested.parquet", "messages", nested)
    (folder / "torn.parquet").write_bytes(b"PAR1 no more")
    return folder


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    return mixed_folder(tmp_path / "in")


def content(folder: Path) -> dict[str, bytes]:
    """Every file of a folder, with its bytes."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def rows_of(folder: Path, ending: str = "jsonl") -> list[Any]:
    """What the partitions hold, in order."""
    parts = sorted(folder.glob(f"part-*.{ending}"))
    if ending == "parquet":
        return [row for part in parts for row in pq.read_table(part).to_pylist()]
    return [json.loads(line) for part in parts for line in part.read_bytes().splitlines()]


def refused_in(folder: Path) -> list[Any]:
    parts = sorted((folder / "_refused").glob("*.jsonl"))
    return [json.loads(line) for part in parts for line in part.read_bytes().splitlines()]


def summary_of(folder: Path) -> Any:
    return json.loads((folder / "_summary.json").read_bytes())


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_the_number_of_processes_changes_no_byte(
    command: tuple[str, ...], mixed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = run(*command, mixed, "-o", tmp_path / "alone", "-j", "1")
    monkeypatch.setattr("wiremend.bulk.pool.ALONE", 0.0)
    together = run(*command, mixed, "-o", tmp_path / "together", "-j", "2")
    assert alone.exit_code == together.exit_code == 2
    assert alone.stderr.replace("alone", "together") == together.stderr
    written = content(tmp_path / "alone")
    assert written == content(tmp_path / "together")
    assert len([name for name in written if name.startswith("part-")]) > 12
    assert "_SUCCESS" in written


def test_a_file_in_pieces_is_mended_as_the_whole_is(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"".join(lines(900)))
    whole = run("fix", path).stdout_bytes.splitlines(keepends=True)
    run("fix", path, "--engine", "local", "-o", tmp_path / "out")
    parts = sorted((tmp_path / "out").glob("part-*.jsonl"))
    assert len(parts) > 5
    together = b"".join(part.read_bytes() for part in parts).splitlines(keepends=True)
    assert together == [line for line in whole if line.strip() and line not in (BAD, b"[]\n")]


def test_what_check_finds_is_where_it_says(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"".join(lines(900)))
    listed = json.loads(run("check", "--output", "json", path).stdout)["files"]
    result = run("check", path, "-o", tmp_path / "out")
    rows = rows_of(tmp_path / "out")
    broken = [entry for entry in listed if entry["violations"]]
    assert [row["violations"] for row in rows] == [entry["violations"] for entry in broken]
    data = path.read_bytes()
    for row, entry in zip(rows, broken, strict=True):
        line = data.split(b"\n")[entry["line"] - 1]
        if "line" in row:
            assert row["line"] == entry["line"]
        else:
            assert data[row["offset"] :].startswith(line + b"\n")
    assert {("line" in row) for row in rows} == {True, False}
    tally = summary_of(tmp_path / "out")
    assert tally["rules"] == {
        "WM101 missing-tool-result": {"violations": 180, "conversations": 180}
    }
    assert f"{tally['conversations']} conversations, 180 with 180 violations" in result.stderr
    assert result.exit_code == 2


def test_the_same_counts_as_without_a_folder(mixed: Path, tmp_path: Path) -> None:
    (mixed / "torn.parquet").unlink()
    plain = run("check", mixed).stderr.splitlines()
    foldered = run("check", mixed, "-o", tmp_path / "out").stderr.splitlines()
    counts = next(line for line in plain if "conversations, " in line)
    assert counts.removeprefix("wiremend: ") == foldered[0].split(": ", 2)[2]
    assert plain[-4:] == foldered[1:5]


def test_what_cannot_be_used_is_kept_aside_with_the_reason(mixed: Path, tmp_path: Path) -> None:
    result = run("fix", mixed, "-o", tmp_path / "out")
    refused = refused_in(tmp_path / "out")
    assert summary_of(tmp_path / "out")["refused"] == len(refused)
    said = {(Path(one["path"]).name, one["reason"].split(":")[0]): one for one in refused}
    assert said["a.jsonl", "truncated JSON"]["data"] == BAD.decode()
    assert said["rows.parquet", "not JSON"]["row"] == 301
    assert said["rows.parquet", "empty"]["row"] == 302
    assert any(name == "torn.parquet" and "as Parquet" in why for name, why in said)
    assert said["share.jsonl", "is a data set in the form of ShareGPT"]
    assert "kept aside in _refused; the first is" in result.stderr
    assert not any(name == "other.json" for name, _ in said)
    assert summary_of(tmp_path / "out")["passed"] == 1


def test_bytes_that_are_no_text_are_kept_aside_too(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(json.dumps(HELLO).encode() + b"\n\xff\xfe{}\n")
    run("fix", tmp_path / "a.jsonl", "--engine", "local", "-o", tmp_path / "out")
    (one,) = refused_in(tmp_path / "out")
    assert one["line"] == 2
    assert one["base64"] == "//57fQo="


def test_one_bad_line_is_enough_where_input_is_strict(mixed: Path, tmp_path: Path) -> None:
    result = run("check", mixed, "-o", tmp_path / "out", "--strict-input", "-j", "1")
    assert result.exit_code == 2
    assert "as --strict-input says" in result.stderr
    assert not (tmp_path / "out" / "_SUCCESS").exists()


# --- Parquet ---


def test_other_columns_and_sound_rows_stay_as_they_are(tmp_path: Path) -> None:
    texts = [json.dumps(value) for value in (HELLO, OPEN_CALL, HELLO)]
    path = write_rows(tmp_path / "a.parquet", "request", [texts[0], "{", *texts[1:]])
    run("fix", path, "-o", tmp_path / "out")
    rows = rows_of(tmp_path / "out", "parquet")
    assert [row["id"] for row in rows] == [0, 2, 3]
    assert [rows[0]["request"], rows[2]["request"]] == [texts[0], texts[2]]
    mended = run("fix", "-", stdin=texts[1]).stdout
    assert rows[1]["request"] == mended.strip()
    (part,) = (tmp_path / "out").glob("part-*.parquet")
    assert pq.read_schema(part) == pq.read_schema(path)


def test_a_nested_column_stays_nested_where_there_is_room(tmp_path: Path) -> None:
    result_of = [*OPEN_CALL["messages"], {"role": "tool", "tool_call_id": "call_1", "content": "x"}]
    values = [HELLO["messages"], OPEN_CALL["messages"], result_of]
    path = write_rows(tmp_path / "a.parquet", "messages", values)
    run("fix", path, "-o", tmp_path / "out")
    rows = rows_of(tmp_path / "out", "parquet")
    (part,) = (tmp_path / "out").glob("part-*.parquet")
    assert pq.read_schema(part) == pq.read_schema(path)
    assert [m["role"] for m in rows[1]["messages"]] == ["user", "assistant", "tool", "user"]
    assert rows[0] == pq.read_table(path).to_pylist()[0]


def test_what_a_nested_column_has_no_room_for_is_kept_aside_or_written_as_text(
    tmp_path: Path,
) -> None:
    values = [HELLO["messages"], OPEN_CALL["messages"]]
    path = write_rows(tmp_path / "a.parquet", "messages", values)
    run("fix", path, "-o", tmp_path / "nested")
    (one,) = refused_in(tmp_path / "nested")
    assert (one["row"], "--as-text" in one["reason"]) == (2, True)
    assert [row["id"] for row in rows_of(tmp_path / "nested", "parquet")] == [0]
    assert summary_of(tmp_path / "nested")["conversations"] == 1
    assert summary_of(tmp_path / "nested")["repairs"] == {}
    assert run("fix", path, "--as-text", "-o", tmp_path / "text").exit_code == 0
    rows = rows_of(tmp_path / "text", "parquet")
    assert json.loads(rows[0]["messages"]) == HELLO["messages"]
    assert [m["role"] for m in json.loads(rows[1]["messages"])] == [
        *("user", "assistant", "tool", "user"),
    ]


def test_the_column_can_be_named(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "a.parquet", "prompts", [json.dumps(OPEN_CALL)])
    result = run("check", path)
    assert (result.exit_code, "--column can name prompts" in result.stderr) == (2, True)
    result = run("check", path, "--column", "id")
    assert "the column id holds int64" in result.stderr
    assert run("check", path, "--column", "prompts").exit_code == 1
    run("fix", path, "--column", "prompts", "-o", tmp_path / "out")
    assert summary_of(tmp_path / "out")["repairs"] == {"tool_result_synthesized": 1}


def test_a_data_set_in_parquet_is_judged_and_converted(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "a.parquet", "conversations", [SHAREGPT["conversations"]] * 3)
    result = run("check", path)
    assert "a.parquet:3:" in result.stdout
    run("convert", path, "--to", "anthropic", "-o", tmp_path / "out")
    rows = rows_of(tmp_path / "out", "parquet")
    assert [json.loads(row["conversations"])["messages"][0]["role"] for row in rows] == ["user"] * 3


_ASKED, _SAID = {"role": "user", "content": "hi"}, {"role": "assistant", "content": "ho"}
_CALL = '[{"name": "look", "arguments": {}}]'
TOGETHER: dict[str, dict[str, Any]] = {
    "whole answers": {"prompt": "hi", "chosen": [_ASKED, _SAID], "rejected": [_ASKED, _SAID]},
    "answers alone": {"prompt": [_ASKED], "chosen": [_SAID], "rejected": [_SAID]},
    "a completion": {"prompt": [_ASKED], "completion": [_SAID]},
    "a query": {"query": "hi", "answers": _CALL, "tools": "[]"},
}


@pytest.mark.parametrize("row", TOGETHER.values(), ids=list(TOGETHER))
def test_columns_that_are_a_conversation_together_are_read_as_one(
    tmp_path: Path, row: dict[str, Any]
) -> None:
    table = pa.Table.from_pylist([{"id": 1, **row, "score": 0.5}, {"id": 2, **row, "score": None}])
    pq.write_table(table, tmp_path / "a.parquet", row_group_size=1)
    assert run("check", tmp_path / "a.parquet").exit_code == 0
    path = tmp_path / "a.parquet"
    assert run("convert", path, "--to", "anthropic", "-o", tmp_path / "out").exit_code == 0
    rows = rows_of(tmp_path / "out", "parquet")
    assert {one["id"] for one in rows} == {1, 2}
    for one in rows:
        assert json.loads(one["request"])["messages"][0]["role"] == "user"
        assert {name: one[name] for name in row} == row


def test_a_column_of_chatml_is_judged_and_converted(tmp_path: Path) -> None:
    text = "<|im_start|>user\nhi<|im_end|>\n<|im_start|>assistant\n \t<|im_end|>\n"
    path = write_rows(tmp_path / "a.parquet", "text", [text] * 3)
    assert "a.parquet:3:" in run("check", path).stdout
    run("convert", path, "--to", "anthropic", "-o", tmp_path / "out")
    rows = rows_of(tmp_path / "out", "parquet")
    assert [json.loads(row["text"])["messages"][0]["role"] for row in rows] == ["user"] * 3


# --- going on ---

SLOW = """
import sys, time
from wiremend.bulk import pool, splitting
from wiremend.bulk.partitions import added_up
from wiremend.bulk.planning import plan_of
from wiremend.cli import folders, main
folders._MB = 128
pool.ALONE = 60.0
work = splitting.SplitTask.__call__
def slowly(self, split):
    time.sleep(0.1)
    return work(self, split)
splitting.SplitTask.__call__ = slowly
sys.argv[0] = "wiremend"
main()
"""


def killed_under_way(arguments: list[str], out: Path) -> None:
    process = subprocess.Popen([sys.executable, "-c", SLOW, *arguments], stderr=subprocess.PIPE)
    deadline = time.monotonic() + 60
    while process.poll() is None and time.monotonic() < deadline:
        if len(list(out.glob("_done/*.json"))) > 2:
            process.send_signal(signal.SIGKILL)
            break
        time.sleep(0.02)
    process.communicate(timeout=60)
    assert process.returncode == -signal.SIGKILL


def test_a_run_that_was_killed_goes_on_behind_what_is_done(mixed: Path, tmp_path: Path) -> None:
    whole = run("fix", mixed, "-o", tmp_path / "whole")
    out = tmp_path / "out"
    killed_under_way(["fix", str(mixed), "-o", str(out)], out)
    done = {name: (out / name).stat().st_mtime_ns for name in content(out) if "_done" in name}
    assert not (out / "_SUCCESS").exists()
    result = run("fix", mixed, "-o", out)
    assert f"goes on behind {len(done)} partitions" in result.stderr
    assert {name: (out / name).stat().st_mtime_ns for name in done} == done
    assert content(out) == content(tmp_path / "whole")
    assert result.exit_code == whole.exit_code


def test_another_run_does_not_go_on_there(mixed: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run("fix", mixed, "-o", out)
    before = content(out)
    result = run("fix", "--strict", mixed, "-o", out)
    assert "is about another run: other files or options were given" in result.stderr
    write(mixed / "new.json", HELLO)
    result = run("fix", mixed, "-o", out)
    assert "is about another run: files came, went or changed since" in result.stderr
    assert (result.exit_code, content(out)) == (2, before)


def test_a_file_that_grows_meanwhile_is_said(
    mixed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def grow(*arguments: Any) -> Any:
        plan = plan_of(*arguments)
        with (mixed / "a.jsonl").open("ab") as file:
            file.write(b"{}\n")
        return plan

    monkeypatch.setattr(folders, "plan_of", grow)
    result = run("fix", mixed, "-o", tmp_path / "out", "-j", "1")
    assert "a.jsonl was changed since this run began; what is done is kept" in result.stderr
    assert result.exit_code == 2


def test_what_was_written_can_be_read_again(mixed: Path, tmp_path: Path) -> None:
    run("fix", mixed, "--as-text", "-o", tmp_path / "once")
    result = run("fix", tmp_path / "once", "-o", tmp_path / "twice")
    assert result.exit_code == 0
    assert summary_of(tmp_path / "twice")["repairs"] == {}
    for ending in ("jsonl", "parquet"):
        once, twice = (rows_of(tmp_path / name, ending) for name in ("once", "twice"))
        assert once == twice
        assert once


# --- usage ---


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["fix", "{in}"], "-o has to name a folder"),
        (["fix", "{in}/a.jsonl", "--engine", "local"], "-o has to name a folder"),
        (["check", "-", "-o", "{out}"], "standard input has no parts"),
        (["check", "{in}", "-o", "{out}", "--resume", "x"], "--resume is for one file"),
        (["check", "{in}", "-o", "{out}", "--output", "sarif"], "--output sarif does not go"),
        (["fix", "{in}", "-o", "{in}/out"], "are in one another"),
        (["fix", "{in}", "-o", "{in}"], "are in one another"),
        (["check", "{in}", "-o", "{in}/one.json"], "are in one another"),
        (["check", "{in}/sub", "-o", "{in}"], "are in one another"),
        (["check", "{in}/sub", "-o", "{in}/one.json"], "one.json is a file; name a folder"),
        (["check", "{in}/sub", "-o", "{in}/../full"], "is not empty, and no run was begun there"),
        (["check", "{in}/none", "-o", "{out}"], "none cannot be read: No such file or directory"),
        (["check", "nowhere://x/y", "-o", "{out}"], "nowhere://x/y: "),
        (["check", "s3://x/y"], "-o has to name a folder"),
    ],
)
def test_what_does_not_go_together_is_said(
    arguments: list[str], said: str, mixed: Path, tmp_path: Path
) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "letter.txt").write_text("dear")
    names = {"in": str(mixed), "out": str(tmp_path / "out")}
    before = content(mixed)
    result = run(*[argument.format(**names) for argument in arguments])
    assert said in result.stderr
    assert result.exit_code == 2
    assert content(mixed) == before


def test_without_the_extras_they_are_named(mixed: Path, tmp_path: Path) -> None:
    code = """
import sys
for name in ("pyarrow", "ray", "ray.data"):
    sys.modules[name] = None
from wiremend.cli import main
main()
"""

    def said(*arguments: str) -> str:
        command = [sys.executable, "-c", code, *arguments]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 2
        return done.stderr

    out = str(tmp_path / "out")
    assert "pip install 'wiremend[cli,parquet]'" in said("check", str(mixed))
    assert "pip install 'wiremend[cli,parquet]'" in said("fix", str(mixed), "-o", out)
    assert "pip install 'wiremend[cli,parquet]'" in said("fix", "s3://x/y", "-o", out)
    lines_only = str(mixed / "a.jsonl")
    assert "pip install 'wiremend[cli,ray]'" in said(
        "fix", lines_only, "-o", out, "--engine", "ray"
    )


# --- object stores ---


def test_a_url_of_this_machine_is_the_same_place(mixed: Path, tmp_path: Path) -> None:
    run("fix", mixed, "-o", tmp_path / "path")
    url = f"file://{mixed}"
    result = run("fix", url, "-o", f"file://{tmp_path}/url")
    assert result.exit_code == 2
    there, here = content(tmp_path / "url"), content(tmp_path / "path")
    data = {name for name in here if name.startswith("part-")}
    assert {name: there[name] for name in data} == {name: here[name] for name in data}
    assert there["_summary.json"] == here["_summary.json"]
    assert {one["path"] for one in refused_in(tmp_path / "url")} == {
        one["path"].replace(str(mixed), url) for one in refused_in(tmp_path / "path")
    }
    assert "goes on behind" in run("fix", url, "-o", f"file://{tmp_path}/url").stderr


def test_what_fsspec_knows_is_a_place_too(mixed: Path) -> None:
    memory = fsspec.filesystem("memory")
    memory.put(str(mixed / "a.jsonl"), "/in/a.jsonl")
    try:
        assert run("fix", "memory://in", "-o", "memory://out", "-j", "1").exit_code == 2
        assert "/out/_SUCCESS" in memory.find("/out")
        assert len([name for name in memory.find("/out") if "/part-" in name]) > 5
    finally:
        memory.store.clear()


@pytest.fixture(scope="module")
def bucket() -> Iterator[str]:
    """A bucket of an S3 server that runs here: the query that reaches it."""
    server = ThreadedMotoServer(port=0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AWS_ACCESS_KEY_ID", "anyone")
        patch.setenv("AWS_SECRET_ACCESS_KEY", "anything")
        patch.setenv("AWS_EC2_METADATA_DISABLED", "true")
        server.start()
        host, port = server.get_host_and_port()
        client = boto3.client("s3", endpoint_url=f"http://{host}:{port}", region_name="us-east-1")
        client.create_bucket(Bucket="logs")
        yield f"region=us-east-1&scheme=http&endpoint_override={host}:{port}"
        client.close()
        server.stop()


def test_an_object_store_is_a_place_too(mixed: Path, tmp_path: Path, bucket: str) -> None:
    store, _ = fs.FileSystem.from_uri(f"s3://logs/in?{bucket}")
    fs.copy_files(f"file://{mixed}", f"s3://logs/in?{bucket}")
    url, out = f"s3://logs/in?{bucket}", f"s3://logs/out?{bucket}"
    result = run("fix", url, "-o", out)
    assert result.exit_code == 2
    assert "endpoint" not in result.stderr
    run("fix", mixed, "-o", tmp_path / "here")
    fs.copy_files("logs/out", f"file://{tmp_path}/there", source_filesystem=store)
    here, there = content(tmp_path / "here"), content(tmp_path / "there")
    data = {name for name in here if name.startswith("part-")}
    assert {name: there[name] for name in data} == {name: here[name] for name in data}
    assert there["_summary.json"] == here["_summary.json"]
    assert {one["path"].split("/in/")[0] for one in refused_in(tmp_path / "there")} == {"s3://logs"}
    assert "goes on behind" in run("fix", url, "-o", out).stderr


def test_counts_of_partitions_are_added_up() -> None:
    violation: Any = type("V", (), {"code": "WM1", "rule": "r", "fixable": True})
    tallies = []
    for number in (1, 2):
        tally = Tally()
        tally.add(10 * number, 1, [violation] * number)
        tallies.append(json.loads(msgspec.json.encode(tally)))
    total = added_up(tallies)
    assert total["conversations"] == 30
    assert total["rules"] == {"WM1 r": [3, 2]}
