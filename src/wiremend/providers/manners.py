"""What differs between simulated servers of one API, as far as it is plain data."""

from __future__ import annotations

from typing import Literal

import msgspec


class Manners(msgspec.Struct, frozen=True, kw_only=True):
    """The roles, parts, ids and names that a server takes, and how it says that it does not.

    ``parts`` are the types by role; ``shapeless`` those whose value may be anything.
    ``bare_addresses``: an image may be just its address. ``arguments`` of a call are any text, the
    text of a JSON object, or that object too.
    """

    roles: tuple[str, ...]
    parts: dict[str, tuple[str, ...]]
    longest_id: int | None = None
    name: str = "[a-zA-Z0-9_-]+"
    longest_name: int = 64
    bad_name: str = (
        "Invalid '{place}': string does not match pattern. "
        "Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'."
    )
    twin_calls: str = "Duplicate value for 'id' of '{id}' in messages[{index}].tool_calls."
    bad_part: str = "Invalid value: '{kind}'. Supported values are: {known}."
    looks_at_pictures: bool = True
    bare_addresses: bool = False
    shapeless: tuple[str, ...] = ()
    tools_in_messages: bool = False
    builtin_functions: bool = False
    arguments: Literal["text", "json", "json or object"] = "json"


OPENAI = Manners(
    roles=("system", "assistant", "user", "function", "tool", "developer"),
    parts={
        "system": ("text",),
        "developer": ("text",),
        "user": ("text", "image_url", "input_audio", "file"),
        "assistant": ("text", "refusal"),
        "tool": ("text",),
        "function": (),
    },
    longest_id=40,
    arguments="text",
)
