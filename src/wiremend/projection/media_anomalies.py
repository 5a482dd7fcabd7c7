"""Anomalies of images that were written anew to fit a provider."""

from __future__ import annotations

from wiremend.projection.anomalies import Anomaly


class ImageRefitted(Anomaly, frozen=True, tag="image_refitted"):
    """An image broke a limit and was written anew; sizes are pixels, and bytes before base64.

    ``reason`` has one or more of type, animation, edge, pixels, size and request.
    """

    said = (
        "made an image fit ({reason}): {was_type} of {was_width}x{was_height} in {was_bytes} bytes "
        "is now {now_type} of {now_width}x{now_height} in {now_bytes}"
    )
    reason: str
    was_type: str
    was_width: int
    was_height: int
    was_bytes: int
    now_type: str
    now_width: int
    now_height: int
    now_bytes: int
