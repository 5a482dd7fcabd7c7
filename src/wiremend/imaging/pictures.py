"""One image: what it is, and the same within other measures. All of Pillow is here."""

from __future__ import annotations

import base64
import io
import math
import warnings
from collections.abc import Iterator
from typing import NamedTuple

import msgspec
from PIL import Image, ImageOps

# What may be in a conversation. Others of Pillow's readers run programs (EPS), or read anything
# (TGA has no signature).
_READ = ("JPEG", "PNG", "GIF", "WEBP", "BMP", "DIB", "TIFF", "AVIF", "HEIF", "ICO", "JPEG2000")
_TYPES = {"MPO": "image/jpeg", "DIB": "image/bmp"}
_LOSSY = ("image/jpeg", "image/webp", "image/avif", "image/heif", "image/jp2")
_QUALITIES = (90, 80, 65)
_LEAST_EDGE = 32
"""Pixels of the longer edge: what would have to be smaller shows nothing any more."""


class Look(NamedTuple):
    """What the head of an image tells; ``is_bomb``: it has too many pixels to be read at all."""

    media_type: str
    width: int
    height: int
    is_animated: bool
    is_bomb: bool = False


class Measures(msgspec.Struct, frozen=True, kw_only=True):
    """What an image has to keep to; None: anything goes. ``data`` are base64 characters."""

    types: tuple[str, ...] | None = None
    data: int | None = None
    edge: int | None = None
    least_edge: int | None = None
    pixels: int | None = None


class Written(NamedTuple):
    """An image that was written anew, in base64."""

    media_type: str
    data: str
    width: int
    height: int


def look(raw: bytes) -> Look | None:
    """What kind of image the bytes are; None where they are none that can be read."""
    try:
        with _silence(), _opened(raw) as image:
            kind = _TYPES.get(image.format or "") or Image.MIME.get(image.format or "", "")
            animated = bool(getattr(image, "is_animated", False))
            return Look(kind, *image.size, animated, _is_bomb(image))
    except Image.DecompressionBombError:
        return Look("", 0, 0, is_animated=False, is_bomb=True)
    except Exception:  # noqa: BLE001 (the readers raise anything where a file is damaged)
        return None


def rewrite(raw: bytes, measures: Measures) -> Written | None:
    """The first frame of an image within the measures, upright, without metadata.

    None where it cannot be read, or cannot be made so small that something is left of it.
    """
    try:
        with _silence(), _opened(raw) as image:
            if _is_bomb(image):
                return None
            lossy = Image.MIME.get(image.format or "", "image/jpeg") in _LOSSY
            image.seek(0)
            plain = _plain(_upright(image))
            # Only what is seen is sent: no place, no camera, no colour profile.
            plain.info = {}
            return _within(plain, measures, lossy=lossy)
    except Exception:  # noqa: BLE001 (as above)
        return None


def _silence() -> warnings.catch_warnings[None]:
    """Without the warnings of readers: what they are about is either mended or refused here."""
    return warnings.catch_warnings(action="ignore")


def _opened(raw: bytes) -> Image.Image:
    Image.init()
    return Image.open(io.BytesIO(raw), formats=[name for name in _READ if name in Image.OPEN])


def _is_bomb(image: Image.Image) -> bool:
    most = Image.MAX_IMAGE_PIXELS
    return most is not None and image.width * image.height > most


def _upright(image: Image.Image) -> Image.Image:
    image.load()
    try:
        return ImageOps.exif_transpose(image)
    except Exception:  # noqa: BLE001 (damaged metadata is no reason to lose the image)
        return image


def _plain(image: Image.Image) -> Image.Image:
    """The image in one of the modes that PNG and JPEG have: L, RGB, or RGBA where it shows."""
    if image.has_transparency_data:
        clear = image.convert("RGBA")
        return clear if clear.getchannel("A").getextrema() != (255, 255) else clear.convert("RGB")
    if image.mode.startswith(("I", "F")):
        return _in_256_greys(image)
    if image.mode in ("1", "L"):
        return image.convert("L")
    return image.convert("RGB")


def _in_256_greys(image: Image.Image) -> Image.Image:
    """An image of more than 256 greys, whose range is not known, spread over all of them."""
    deep = image.convert("F")
    low, high = deep.getextrema()
    assert isinstance(low, float)
    assert isinstance(high, float)
    factor = 255 / (high - low) if high > low else 0.0
    return deep.point(lambda grey: grey * factor + (-low * factor)).convert("L")


def _within(image: Image.Image, measures: Measures, *, lossy: bool) -> Written | None:
    size = _first_size(*image.size, measures)
    while size is not None:
        scaled = image if size == image.size else image.resize(size, Image.Resampling.LANCZOS)
        smallest = None
        for kind, raw in _forms(scaled, measures.types, lossy=lossy):
            data = base64.b64encode(raw).decode("ascii")
            if measures.data is None or len(data) <= measures.data:
                return Written(kind, data, *size)
            smallest = len(data) if smallest is None else min(smallest, len(data))
        if smallest is None or measures.data is None:
            return None  # no form that is taken can be written
        size = _smaller(size, measures.data / smallest, measures.least_edge or 1)
    return None


def _first_size(width: int, height: int, measures: Measures) -> tuple[int, int] | None:
    """The largest size within the measures; None where a long strip has none."""
    long, short = max(width, height), min(width, height)
    scale = 1.0
    if measures.least_edge is not None:
        scale = max(scale, measures.least_edge / short)
    if measures.edge is not None:
        scale = min(scale, measures.edge / long)
    if measures.pixels is not None:
        scale = min(scale, math.sqrt(measures.pixels / (width * height)))
    if scale == 1.0:
        return width, height
    # A whole number is not missed for the last bit of a fraction.
    size = int(width * scale + 1e-6) or 1, int(height * scale + 1e-6) or 1
    return size if min(size) >= (measures.least_edge or 1) else None


def _smaller(size: tuple[int, int], ratio: float, least_edge: int) -> tuple[int, int] | None:
    """The next size to try, where the bytes have to become so many times fewer."""
    scale = min(0.9, 0.95 * math.sqrt(ratio))
    width, height = int(size[0] * scale) or 1, int(size[1] * scale) or 1
    if max(width, height) < _LEAST_EDGE or min(width, height) < least_edge:
        return None
    return width, height


def _forms(
    image: Image.Image, types: tuple[str, ...] | None, *, lossy: bool
) -> Iterator[tuple[str, bytes]]:
    """The image in the forms that are taken, the best one first, each when it is asked for."""
    clear = image.mode == "RGBA"
    jpeg = not clear and (types is None or "image/jpeg" in types)
    if (types is None or "image/png" in types) and not (lossy and jpeg):
        yield "image/png", _saved(image, "PNG")
    if jpeg:
        for quality in _QUALITIES:
            yield "image/jpeg", _saved(image, "JPEG", quality=quality)


def _saved(image: Image.Image, form: str, **options: int) -> bytes:
    out = io.BytesIO()
    image.save(out, form, **options)
    return out.getvalue()
