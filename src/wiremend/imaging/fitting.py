"""A history within the limits of a provider: each image, their number, and the request as a whole.

Nothing that keeps to the limits is touched, and what would not be a repair is not done: an image
that cannot be read and breaks no known limit stays as it is.
"""

from __future__ import annotations

import base64
import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeAlias

import msgspec

from wiremend.dialects.data_urls import data_url, parse_data_url, sniff
from wiremend.imaging.pictures import Look, Measures, look, rewrite
from wiremend.imaging.request_size import share, written_size
from wiremend.limits import Limits
from wiremend.model import ImagePart, Message, Part, TextPart
from wiremend.projection import Anomaly, OnAnomaly
from wiremend.projection.anomalies import ImageRefitted, MediaRelabelled, MediaReplaced
from wiremend.projection.media import DEGRADED, STRIPPED


class _Fitted(NamedTuple):
    """What becomes of an image, and why (None: it stays)."""

    part: Part
    anomaly: Anomaly | None = None

    @property
    def size(self) -> int:
        return len(self.part.image_url.url) if type(self.part) is ImagePart else 0


class _Image(NamedTuple):
    """An image of the history, as it came."""

    message: int
    place: int
    part: ImagePart


_Known: TypeAlias = dict[bytes, _Fitted | None]
"""What became of images; None: they fit. By a hash of the image and its measures."""


class Fitter:
    """Makes histories fit, and remembers the images of the last one that it had to write anew."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._known: _Known = {}

    def __call__(self, history: Sequence[Message], report: OnAnomaly) -> Sequence[Message]:
        """The history within the limits; the same objects where nothing had to change."""
        images = list(_images(history))
        if not images:
            return history
        surplus = self._surplus(images)
        kept = [image for n, image in enumerate(images) if n not in surplus]
        known: _Known = {}
        measures = self._measures(len(kept))
        fitted = [self._fitted(image, measures, known) for image in kept]
        if self._limits.request_bytes is not None:
            data = sum(len(image.part.image_url.url) for image in images if _is_data(image))
            rest = written_size(history) - data
            fitted = self._in_one_request(rest, kept, fitted, measures, known)
        self._known = known
        changed = {id(image): one for image, one in zip(kept, fitted, strict=True)}
        everything = [changed.get(id(image), _OLD) for image in images]
        return _with_images(history, images, everything, report)

    def _surplus(self, images: Sequence[_Image]) -> set[int]:
        """Which images are too many: the oldest of a message, and then of the request."""
        in_message: Counter[int] = Counter()
        kept = 0
        surplus: set[int] = set()
        for n in reversed(range(len(images))):
            message = images[n].message
            if _is_full(in_message[message], self._limits.images_in_message) or _is_full(
                kept, self._limits.images
            ):
                surplus.add(n)
            else:
                in_message[message] += 1
                kept += 1
        return surplus

    def _measures(self, count: int) -> Measures:
        limits = self._limits
        edges = [limits.image_edge]
        if limits.many_images is not None and count > limits.many_images:
            edges.append(limits.many_images_edge)
        return Measures(
            types=limits.image_types,
            data=limits.image_data,
            edge=min((edge for edge in edges if edge is not None), default=None),
            least_edge=limits.image_least_edge,
            pixels=limits.image_pixels,
        )

    def _in_one_request(
        self,
        rest: int,
        images: Sequence[_Image],
        fitted: list[_Fitted],
        measures: Measures,
        known: _Known,
    ) -> list[_Fitted]:
        """The images of a request that is too large, smaller, and the oldest of them gone.

        ``rest`` are the bytes of the history without any image.
        """
        most = self._limits.request_bytes or 0
        here = [n for n, image in enumerate(images) if _is_data(image)]
        sizes = [fitted[n].size for n in here]
        found = share(rest, sizes, most)
        if found is None:
            return fitted
        smaller = msgspec.structs.replace(measures, data=min(found.data, measures.data or most))
        out = list(fitted)
        for age, n in enumerate(here):
            if age < found.dropped:
                out[n] = _OLD
            elif fitted[n].size > found.data:
                out[n] = self._fitted(images[n], smaller, known)
        return out

    def _fitted(self, image: _Image, measures: Measures, known: _Known) -> _Fitted:
        if not _is_data(image):
            return _Fitted(image.part)
        said = f"{measures}\0{image.part.image_url.url}"
        key = hashlib.sha256(said.encode("utf-8", "surrogatepass")).digest()
        if key in self._known:
            known[key] = self._known[key]
        elif key not in known:
            fitted = self._tried(image.part, measures)
            known[key] = None if fitted.anomaly is None else fitted
        found = known[key]
        if found is None:
            return _Fitted(image.part)
        return _Fitted(_like(image.part, found.part), found.anomaly)

    def _tried(self, part: ImagePart, measures: Measures) -> _Fitted:
        parsed = parse_data_url(part.image_url.url)
        raw = _decoded(parsed.data) if parsed is not None else None
        if parsed is None or raw is None:
            return _Fitted(part)
        seen = look(raw)
        kind = (seen.media_type if seen else "") or sniff(parsed.data) or parsed.media_type
        faults = list(self._faults(kind, seen, len(parsed.data), measures))
        if not faults:
            return _relabelled(part, parsed.media_type, kind, parsed.data)
        written = rewrite(raw, measures) if seen is not None else None
        if seen is None or written is None:
            return _Fitted(_GONE, MediaReplaced("image", _why_replaced(faults, seen)))
        anomaly = ImageRefitted(
            ", ".join(faults),
            *(kind, seen.width, seen.height, len(raw)),
            *(written.media_type, written.width, written.height, len(written.data) // 4 * 3),
        )
        return _Fitted(_with_url(part, data_url(written.media_type, written.data)), anomaly)

    def _faults(self, kind: str, seen: Look | None, size: int, measures: Measures) -> Iterator[str]:
        if measures.types is not None and kind not in measures.types:
            yield "type"
        if seen is not None:
            if kind == "image/gif" and seen.is_animated and self._limits.animated_gifs is False:
                yield "animation"
            if _has_wrong_edge(seen, measures):
                yield "edge"
            if measures.pixels is not None and seen.width * seen.height > measures.pixels:
                yield "pixels"
        if self._limits.image_data is not None and size > self._limits.image_data:
            yield "size"
        elif measures.data is not None and size > measures.data:
            yield "request"


_GONE = TextPart(STRIPPED["image"])
_OLD = _Fitted(TextPart(DEGRADED["image"]), MediaReplaced("image", "degraded"))


def _is_full(count: int, most: int | None) -> bool:
    return most is not None and count >= most


def _is_data(image: _Image) -> bool:
    return image.part.image_url.url.startswith("data:")


def _images(history: Sequence[Message]) -> Iterator[_Image]:
    for index, message in enumerate(history):
        for place, part in enumerate(message.content):
            if type(part) is ImagePart:
                yield _Image(index, place, part)


def _with_images(
    history: Sequence[Message],
    images: Sequence[_Image],
    fitted: Sequence[_Fitted],
    report: OnAnomaly,
) -> Sequence[Message]:
    """The history with what became of its images, reported in their order."""
    contents: dict[int, list[Part]] = {}
    for image, one in zip(images, fitted, strict=True):
        if one.anomaly is not None:
            report(one.anomaly)
            parts = contents.setdefault(image.message, list(history[image.message].content))
            parts[image.place] = one.part
    out = list(history)
    for index, parts in contents.items():
        out[index] = msgspec.structs.replace(out[index], content=tuple(parts))
    return out if contents else history


def _decoded(data: str) -> bytes | None:
    try:
        return base64.b64decode(data)
    except ValueError:
        return None


def _has_wrong_edge(seen: Look, measures: Measures) -> bool:
    if seen.is_bomb:
        return measures.edge is not None
    too_long = measures.edge is not None and max(seen.width, seen.height) > measures.edge
    least = measures.least_edge
    return too_long or (least is not None and min(seen.width, seen.height) < least)


def _relabelled(part: ImagePart, label: str, kind: str, data: str) -> _Fitted:
    if label.partition(";")[0].strip().lower() == kind or not kind.startswith("image/"):
        return _Fitted(part)
    return _Fitted(_with_url(part, data_url(kind, data)), MediaRelabelled(label, kind))


def _why_replaced(faults: Sequence[str], seen: Look | None) -> str:
    if "type" in faults:
        return "type"
    return "size" if seen is None or seen.is_bomb else "content"


def _with_url(part: ImagePart, url: str) -> ImagePart:
    source = msgspec.structs.replace(part.image_url, url=url)
    return msgspec.structs.replace(part, image_url=source)


def _like(part: ImagePart, fitted: Part) -> Part:
    """What an equal image was made into, with what was kept beside this one."""
    return _with_url(part, fitted.image_url.url) if type(fitted) is ImagePart else fitted
