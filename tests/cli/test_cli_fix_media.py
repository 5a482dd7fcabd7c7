"""``wiremend fix --media fit``."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from PIL import Image

import wiremend
from tests.cli.running import run, write
from tests.imaging.pictures import (
    anthropic_image,
    anthropic_request,
    chat_image,
    chat_request,
    noise,
    shown,
    written,
)


def test_a_picture_that_is_too_large_is_made_to_fit_the_model_of_the_request(
    tmp_path: Path,
) -> None:
    picture = anthropic_image(written(noise(1500, 1200), "PNG"), "image/png")
    direct = write(tmp_path / "direct.json", anthropic_request(picture))
    cloud = write(tmp_path / "cloud.json", anthropic_request(picture, model="claude-opus-4-6@2026"))
    assert run("fix", direct, "--media", "fit").stdout == direct.read_text(encoding="utf-8")
    result = run("fix", cloud, "--media", "fit")
    assert result.exit_code == 0
    assert "cloud.json: made an image fit (size): image/png of 1500x1200" in result.stderr
    body = json.loads(result.stdout)
    assert wiremend.check(body, "anthropic") == []
    image = shown(body)[0]
    assert isinstance(image, Image.Image)
    assert image.size == (1500, 1200)


def test_the_report_has_the_figures(tmp_path: Path) -> None:
    picture = chat_image(written(Image.new("RGB", (30, 20)), "BMP"), "image/bmp")
    path = write(tmp_path / "a.json", chat_request(picture))
    report = json.loads(run("fix", path, "--media", "fit", "--output", "json").stdout)
    [anomaly] = report["anomalies"]
    assert {name: anomaly[name] for name in ("kind", "reason", "wasType", "nowType")} == {
        "kind": "image_refitted",
        "reason": "type",
        "wasType": "image/bmp",
        "nowType": "image/png",
    }
    assert (anomaly["wasWidth"], anomaly["nowHeight"]) == (30, 20)
    assert report["remaining"] == []


def test_without_pillow_it_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in sys.modules if name.startswith("wiremend.imaging.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "PIL", None)
    path = write(tmp_path / "a.json", chat_request())
    result = run("fix", path, "--media", "fit")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "needs Pillow: pip install 'wiremend[media]'" in result.stderr
