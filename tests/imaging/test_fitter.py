"""Images that break a limit come out within it, and what keeps to the limits stays as it is."""

from __future__ import annotations

import copy
import subprocess
import sys
from typing import Any

import pytest
from PIL import Image

import wiremend
from tests.imaging.pictures import (
    Block,
    animated,
    anthropic_image,
    anthropic_request,
    chat_image,
    chat_request,
    noise,
    opened,
    shown,
    url,
    written,
)
from tests.judges import sdk_objections
from wiremend.errors import WiremendError
from wiremend.imaging import fitter
from wiremend.limits import MB, Limits
from wiremend.model import ContextMessage, ImagePart, MediaSource, TextPart, user
from wiremend.projection.anomalies import ImageRefitted
from wiremend.projection.media import DEGRADED, STRIPPED
from wiremend.providers import simulated

MODEL = "claude-opus-4-6"
PNG = written(noise(20, 10), "PNG")
RED = Image.new("RGB", (60, 40), (200, 30, 30))


def fixed(body: Block, dialect: str = "anthropic", limits: Limits | None = None) -> wiremend.Fixed:
    """The body made to fit: everyone takes it, and a second time nothing is done to it."""
    before = copy.deepcopy(body)
    out = wiremend.fix(body, dialect, media=fitter(dialect, body["model"], limits=limits))
    assert body == before
    assert wiremend.check(out.body, dialect) == []
    assert simulated(dialect).post(out.body).error == ""
    assert sdk_objections(out.body, dialect) == []
    again = wiremend.fix(out.body, dialect, media=fitter(dialect, body["model"], limits=limits))
    assert again == wiremend.Fixed(out.body, ())
    return out


def first_image(out: wiremend.Fixed) -> Image.Image:
    image = shown(out.body)[0]
    assert isinstance(image, Image.Image)
    return image


def reasons(out: wiremend.Fixed) -> list[tuple[str, Any]]:
    return [(one.kind, getattr(one, "reason", None)) for one in out.anomalies]


def test_a_png_of_many_megabytes_becomes_a_jpeg_of_the_same_size() -> None:
    out = fixed(anthropic_request(anthropic_image(written(noise(2200, 1900), "PNG"), "image/png")))
    image = first_image(out)
    assert (image.format, image.size) == ("JPEG", (2200, 1900))
    assert len(out.body["messages"][0]["content"][0]["source"]["data"]) <= 10 * MB
    [refitted] = out.anomalies
    assert isinstance(refitted, ImageRefitted)
    assert (refitted.was_type, refitted.now_type) == ("image/png", "image/jpeg")
    assert refitted.was_bytes > 3 * refitted.now_bytes > 3_000_000
    assert refitted.describe().startswith("made an image fit (size): image/png of 2200x1900 in ")


def test_an_image_of_9000_pixels_is_scaled_and_keeps_its_shape() -> None:
    raw = written(Image.new("RGB", (9000, 450), "green"), "PNG")
    out = fixed(anthropic_request(anthropic_image(raw, "image/png")))
    assert first_image(out).size == (8000, 400)
    assert reasons(out) == [("image_refitted", "edge")]


def test_among_many_images_each_is_scaled_further() -> None:
    large = anthropic_image(written(Image.new("RGB", (2400, 1200), "blue"), "PNG"), "image/png")
    twenty = fixed(anthropic_request(*[large] * 20))
    assert twenty.anomalies == ()
    more = fixed(anthropic_request(*[large] * 20, anthropic_image(PNG, "image/png")))
    assert reasons(more) == [("image_refitted", "edge")] * 20
    assert first_image(more).size == (2000, 1000)


def test_a_cmyk_photo_comes_out_in_colours_that_all_can_read() -> None:
    raw = written(noise(9000, 90, "CMYK"), "JPEG", quality=95)
    image = first_image(fixed(anthropic_request(anthropic_image(raw, "image/jpeg"))))
    assert (image.mode, image.format, image.size) == ("RGB", "JPEG", (8000, 80))


def test_what_is_transparent_stays_so_and_becomes_smaller_instead() -> None:
    raw = written(noise(300, 200, "RGBA"), "PNG")
    limits = Limits(image_types=("image/png", "image/jpeg"), image_data=100_000)
    image = first_image(fixed(chat_request(chat_image(raw, "image/png")), "openai-chat", limits))
    assert (image.format, image.mode) == ("PNG", "RGBA")
    assert 100 < image.width < 300
    assert abs(image.width / image.height - 1.5) < 0.03


@pytest.mark.parametrize(
    ("form", "label"),
    [("BMP", "image/bmp"), ("TIFF", "image/tiff"), ("AVIF", "image/avif"), ("ICO", "image/x-icon")],
)
def test_types_that_are_not_taken_are_written_as_one_that_is(form: str, label: str) -> None:
    out = fixed(anthropic_request(anthropic_image(written(RED, form), label)))
    assert first_image(out).format in ("PNG", "JPEG")
    assert reasons(out) == [("image_refitted", "type")]


def test_a_type_that_only_the_bytes_tell_is_seen_under_any_label() -> None:
    out = fixed(anthropic_request(anthropic_image(written(RED, "TIFF"), "image/png")))
    pixel = first_image(out).convert("RGB").getpixel((1, 1))
    assert pixel == (200, 30, 30)


def test_a_wrong_label_is_corrected_and_nothing_else() -> None:
    out = fixed(anthropic_request(anthropic_image(PNG, "image/jpeg")))
    assert reasons(out) == [("media_relabelled", None)]
    assert out.body == anthropic_request(anthropic_image(PNG, "image/png"))


def test_an_animation_becomes_its_first_frame_only_where_none_is_taken() -> None:
    taken = fixed(anthropic_request(anthropic_image(animated(), "image/gif")))
    assert taken.anomalies == ()
    out = fixed(chat_request(chat_image(animated(), "image/gif")), "openai-chat")
    assert reasons(out) == [("image_refitted", "animation")]
    image = first_image(out)
    assert getattr(image, "n_frames", 1) == 1
    assert image.convert("RGB").getpixel((5, 5)) == (0, 20, 20)
    still = chat_request(chat_image(animated(frames=1), "image/gif"))
    assert fixed(still, "openai-chat").anomalies == ()


def test_the_turn_that_only_the_metadata_tells_is_made() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    raw = written(Image.new("RGB", (9000, 300), "red"), "JPEG", exif=exif)
    image = first_image(fixed(anthropic_request(anthropic_image(raw, "image/jpeg"))))
    assert (image.width < image.height, image.height) == (True, 8000)
    assert dict(image.getexif()) == {}


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "I;16", "I", "F"])
def test_every_kind_of_pixel_can_be_made_to_fit(mode: str) -> None:
    grey = Image.linear_gradient("L").resize((300, 200))
    image = grey.convert("I").convert(mode) if mode == "I;16" else grey.convert(mode)
    raw = written(image, "TIFF")
    out = first_image(fixed(anthropic_request(anthropic_image(raw, "image/tiff"))))
    plain = out.convert("L")
    top, bottom = plain.getpixel((150, 0)), plain.getpixel((150, 199))
    assert isinstance(top, int)
    assert isinstance(bottom, int)
    assert (out.size, top < 40, bottom > 200) == ((300, 200), True, True)


def test_a_palette_with_a_hole_keeps_it() -> None:
    image = RED.copy()
    image.paste((0, 0, 90), (30, 0, 60, 40))
    palette = image.quantize(2)
    raw = written(palette, "PNG", transparency=palette.getpixel((50, 20)))
    out = fixed(chat_request(chat_image(raw, "image/png")), "openai-chat", Limits(image_edge=30))
    clear = first_image(out)
    assert (clear.mode, clear.size) == ("RGBA", (30, 20))
    assert clear.getpixel((3, 10)) == (200, 30, 30, 255)
    assert clear.getchannel("A").getpixel((27, 10)) == 0


def test_a_file_that_is_cut_off_and_too_large_becomes_a_line_of_text() -> None:
    raw = written(noise(2200, 1900), "PNG")[:9_000_000]
    out = fixed(anthropic_request(anthropic_image(raw, "image/png")))
    assert shown(out.body)[0] == STRIPPED["image"]
    assert reasons(out) == [("media_replaced", "content")]


def test_a_file_that_is_cut_off_and_breaks_no_limit_is_left_to_the_provider() -> None:
    body = anthropic_request(anthropic_image(PNG[:-40], "image/png"))
    assert wiremend.fix(body, "anthropic", media=fitter("anthropic")) == wiremend.Fixed(body, ())


@pytest.mark.parametrize("edge", [10_000, 14_000])
def test_a_bomb_is_not_read_but_replaced(edge: int) -> None:
    raw = written(Image.new("1", (edge, edge)), "PNG")
    assert len(raw) < 100_000
    out = fixed(anthropic_request(anthropic_image(raw, "image/png")))
    assert shown(out.body)[0] == STRIPPED["image"]
    assert reasons(out) == [("media_replaced", "size")]


def test_what_is_no_picture_of_points_becomes_a_line_of_text() -> None:
    body = chat_request(chat_image(b"<svg xmlns='http://www.w3.org/2000/svg'/>", "image/svg+xml"))
    out = fixed(body, "openai-chat")
    assert (shown(out.body)[0], reasons(out)) == (STRIPPED["image"], [("media_replaced", "type")])


def test_images_in_tool_results_are_made_to_fit_as_well() -> None:
    use = {"type": "tool_use", "id": "toolu_1", "name": "shot", "input": {}}
    result = {
        "type": "tool_result",
        "tool_use_id": "toolu_1",
        "content": [anthropic_image(written(RED, "BMP"), "image/bmp")],
    }
    body = anthropic_request(anthropic_image(PNG, "image/png"))
    body["tools"] = [{"name": "shot", "input_schema": {"type": "object"}}]
    body["messages"] += [
        {"role": "assistant", "content": [use]},
        {"role": "user", "content": [result]},
    ]
    out = fixed(body)
    assert reasons(out) == [("image_refitted", "type")]
    kinds = [one if isinstance(one, str) else one.format for one in shown(out.body)]
    assert kinds == ["PNG", "What is it?", "PNG"]


def test_the_oldest_of_too_many_images_become_lines_of_text() -> None:
    limits = Limits(images=2)
    out = fixed(chat_request(*[chat_image(PNG, "image/png")] * 5), "openai-chat", limits)
    kinds = [one if isinstance(one, str) else one.format for one in shown(out.body)]
    assert kinds == [DEGRADED["image"]] * 3 + ["PNG", "PNG", "What is it?"]
    assert reasons(out) == [("media_replaced", "degraded")] * 3


def test_a_limit_of_one_message_counts_in_each() -> None:
    history = [user("a", *[url(PNG, "image/png")] * 3), user("b", url(PNG, "image/png"))]
    seen: list[Any] = []
    out = fitter("generic", limits=Limits(images_in_message=2))(history, seen.append)
    assert [type(part) for part in out[0].content] == [TextPart, TextPart, ImagePart, ImagePart]
    assert out[1] is history[1]
    assert len(seen) == 1


def test_what_has_no_data_is_left_alone() -> None:
    urls = ("https://example.test/a.bmp", "ms://file-1", "data:image/bmp,plain")
    history = [user("look", *urls)]
    for dialect in ("anthropic", "openai-chat", "gemini", "generic"):
        assert fitter(dialect)(history, _unexpected) is history


def test_images_of_a_model_for_text_become_lines_of_text() -> None:
    history = [user("look", url(PNG, "image/png"))]
    seen: list[Any] = []
    out = fitter("deepseek", "deepseek-chat")(history, seen.append)
    assert out[0].content[1] == TextPart(STRIPPED["image"])
    assert [one.reason for one in seen] == ["type"]


def test_what_is_too_small_is_scaled_up() -> None:
    history = [user("look", url(written(noise(4, 8), "PNG"), "image/png"))]
    [message] = fitter("qwen", "qwen3-vl-plus")(history, lambda _: None)
    part = message.content[1]
    assert isinstance(part, ImagePart)
    assert opened(part.image_url.url).size == (11, 22)


def test_the_same_input_gives_the_same_bytes_and_a_fitter_remembers() -> None:
    body = anthropic_request(anthropic_image(written(noise(9000, 60), "PNG"), "image/png"))
    fit = fitter("anthropic", MODEL)
    outs = [wiremend.fix(body, "anthropic", media=fit) for _ in range(2)]
    assert outs[0] == outs[1] == wiremend.fix(body, "anthropic", media=fitter("anthropic", MODEL))


def test_what_was_kept_beside_an_image_stays_beside_it() -> None:
    image = {
        **anthropic_image(written(RED, "BMP"), "image/bmp"),
        "cache_control": {"type": "ephemeral"},
    }
    out = fixed(anthropic_request(image))
    assert out.body["messages"][0]["content"][0]["cache_control"] == {"type": "ephemeral"}
    detailed = chat_image(written(RED, "BMP"), "image/bmp")
    detailed["image_url"]["detail"] = "low"
    out = fixed(chat_request(detailed), "openai-chat")
    assert out.body["messages"][0]["content"][0]["image_url"]["detail"] == "low"


def test_a_history_is_made_to_fit_before_it_becomes_a_request() -> None:
    history = [
        ContextMessage("user", (ImagePart(MediaSource(url(written(RED, "BMP"), "image/bmp"))),))
    ]
    sent = wiremend.request(
        history, "anthropic", {"model": MODEL, "max_tokens": 8}, media=fitter("anthropic", MODEL)
    )
    assert [one.kind for one in sent.anomalies] == ["image_refitted"]
    assert wiremend.check(sent.body, "anthropic") == []


def test_an_unknown_dialect_is_an_error() -> None:
    with pytest.raises(WiremendError, match="no limits for"):
        fitter("abacus")


def test_without_pillow_the_error_names_the_extra() -> None:
    code = (
        "import sys; sys.modules['PIL'] = None\n"
        "from wiremend.imaging import fitter\n"
        "try: fitter('anthropic')\n"
        "except Exception as error: print(type(error).__name__, error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == (
        "WiremendError (root): making images fit needs Pillow: pip install 'wiremend[media]'"
    )


def _unexpected(anomaly: object) -> None:
    raise AssertionError(anomaly)
