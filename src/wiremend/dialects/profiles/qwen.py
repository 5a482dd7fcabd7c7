"""Qwen in the compatible mode of DashScope (Alibaba Cloud Model Studio).

Sources: help.aliyun.com, "OpenAI compatible" (parts, partial mode, deep thinking);
agentscope-ai/agentscope-java#613 (a user), DayuanJiang/next-ai-draw-io#304 (roles).
"""

from __future__ import annotations

from wiremend.dialects.base import Json, extras, extras_of, rest
from wiremend.dialects.data_urls import parse_data_url
from wiremend.dialects.openai_chat import Profile, make_dialect
from wiremend.dialects.openai_chat.profile import ANY_ID, EVERY_ROLE, LENIENT, USUAL_NAMES
from wiremend.dialects.openai_chat.settings import SettingWords
from wiremend.dialects.profiles.order import some_user
from wiremend.model import AudioPart, MediaSource, OpaquePart, Part

NAME = "qwen"
_ADDRESSES = ("http:", "https:", "data:")


def _read_part(block: Json, role: str) -> Part | None:
    if block.get("type") == "video" and role == "user" and isinstance(block.get("video"), list):
        return OpaquePart(NAME, block)  # a film as a list of pictures
    source = block.get("input_audio")
    if block.get("type") != "input_audio" or not isinstance(source, dict):
        return None
    data = source.get("data")
    if not isinstance(data, str) or not data.startswith(_ADDRESSES):
        return None
    media = MediaSource(data, extras=extras(NAME, rest(source, "data")))
    return AudioPart(media, extras={NAME: {"type": "input_audio", **rest(block, "input_audio")}})


def _write_part(part: Part) -> Json | None:
    """Audio, whose data is an address here where others have the bare data."""
    if type(part) is not AudioPart:
        return None
    kept, source = extras_of(part, NAME), part.audio_url
    if kept and kept.get("type") != "input_audio":
        return None
    audio: Json = {"data": source.url}
    if not kept:
        audio["format"] = _format(source.url)
    return {"type": "input_audio", "input_audio": {**audio, **extras_of(source, NAME)}, **kept}


def _format(url: str) -> str:
    """The format of a recording: as it is labelled, or by the end of its address."""
    parsed = parse_data_url(url)
    if parsed is not None:
        return parsed.media_type.removeprefix("audio/")
    name = url.partition("?")[0].rpartition("/")[2]
    ending = name.rpartition(".")[2] if "." in name else ""
    return ending.lower() if ending.isalnum() else "wav"


QWEN_PROFILE = Profile(
    name=NAME,
    takes=LENIENT,
    ids=ANY_ID,
    names=USUAL_NAMES,
    roles=EVERY_ROLE - {"developer"},
    media=frozenset({"image", "audio", "video"}),
    # BMP, TIFF and HEIC are taken too, and the label is not looked at.
    labelled_images=False,
    remote_audio=True,
    any_thinking=True,
    marks=("partial",),
    read_part=_read_part,
    write_part=_write_part,
    settings=SettingWords(max_tokens="max_tokens", top_k=True, cache_key=None, thinking="enable"),
    steps_look_around=False,
    steps=(some_user,),
)
QWEN = make_dialect(QWEN_PROFILE)
"""Chat Completions of DashScope: wants a user somewhere, and knows no developer."""
