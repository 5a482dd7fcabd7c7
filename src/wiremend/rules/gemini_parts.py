"""Gemini: contents and the parts in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wiremend.rules.base import GEMINI, Body, Finding, Rule, rule, shown
from wiremend.rules.gemini import (
    contents,
    data_of,
    field,
    full,
    is_foreign,
    key,
    model,
    named,
    parts_of,
    request,
    speaker,
    text,
    user,
)

if TYPE_CHECKING:
    from collections.abc import Iterator


@rule(
    code="WM408",
    name="empty-text",
    dialects=GEMINI,
    summary="A text is empty.",
    doc="""
    Text of no characters is refused, in any content. Streams that end without a word, and
    libraries that write a text beside every call, leave such parts. White space is text; and a
    part with an empty text that carries a thought signature goes back as it came. wiremend drops
    the part, and the content where nothing is left of it.
    """,
    before=request(user(), model(text(""), text("It rains."))),
    after=request(user(), model(text("It rains."))),
    provider_error=(
        "Unable to submit request because it has an empty text parameter. Add a value to the "
        "parameter and try again."
    ),
    source="google/adk-python#338 (cases 069 and 070); ai.google.dev, Thought signatures",
)
def empty_text(body: Body) -> Iterator[Finding]:
    """Empty texts without a signature."""
    for path, _, part in parts_of(body):
        empty = part.get("text") == "" and data_of(part) == ["text"]
        if empty and not field(part, "thoughtSignature"):
            yield Finding((*path, "text"), "This text is empty.")


@rule(
    code="WM409",
    name="no-parts",
    dialects=GEMINI,
    summary="A content has no parts.",
    doc="""
    Every content has at least one part. A content of which all parts were filtered out, or whose
    text was never written as one, has none. wiremend drops it.
    """,
    before=request(user(), model(), user()),
    after=request(user(), user()),
    provider_error="* {place}: contents.parts must not be empty.",
    source="vercel/ai#3775, egoist/chatwise-releases#250",
)
def no_parts(body: Body) -> Iterator[Finding]:
    """Contents whose list of parts is empty or missing."""
    for path, content in contents(body):
        if content.get("parts") in (None, []) and not is_foreign(content):
            place = (*path, "parts")
            at = place if "parts" in content else path
            yield Finding(at, "This content has no parts.", {"place": full(place)})


@rule(
    code="WM410",
    name="part-without-data",
    dialects=GEMINI,
    summary="A part holds no data.",
    doc="""
    A part is a text, media, a call, a response or another kind of data. A part that holds none
    of them is refused, even where it carries a signature: an empty object that a converter left
    for what it did not know. wiremend drops it.
    """,
    before=request(user(text("Hello"), {})),
    after=request(user(text("Hello"))),
    provider_error="* {place}.data: required oneof field 'data' must have one initialized field",
    source="genkit-ai/genkit#3816, 54xzh/FLIT#69; google-genai types: Part",
)
def part_without_data(body: Body) -> Iterator[Finding]:
    """Parts with none of the fields that say what they are."""
    for path, _, part in parts_of(body):
        if not data_of(part) and not isinstance(part.get("type"), str):
            yield Finding(path, "This part holds no data.", {"place": full(path)})


@rule(
    code="WM411",
    name="several-data",
    dialects=GEMINI,
    summary="A part holds several kinds of data.",
    doc="""
    The kinds of data are a oneof: a part is one of them. Text and call of one step are two parts.
    wiremend makes one part of each; a thought signature stays with the call.
    """,
    before=request(user(text("Hello"), {"text": "This:", "fileData": {"fileUri": "files/a"}})),
    after=request(user(text("Hello"), text("This:"), {"fileData": {"fileUri": "files/a"}})),
    provider_error=(
        "Invalid value at '{place}' (oneof), oneof field 'data' is already set. Cannot set "
        "'{second}'"
    ),
    source="google-genai types: Part, of which exactly one field is set",
)
def several_data(body: Body) -> Iterator[Finding]:
    """Parts with more than one of the fields that say what they are."""
    for path, _, part in parts_of(body):
        kinds = data_of(part)
        if len(kinds) > 1:
            said = f"This part holds {' and '.join(kinds)}."
            second = key(part, kinds[1])
            yield Finding(path, said, {"place": named(path), "second": second})


@rule(
    code="WM412",
    name="unknown-role",
    dialects=GEMINI,
    summary="The role of a content is neither user nor model.",
    doc="""
    Contents are the user's or the model's; one without a role is the user's. The roles assistant,
    system and tool are those of other APIs. wiremend writes model for assistant, moves what the
    system says to the system instruction, and refuses what it does not know.
    """,
    before=request(user(), {"role": "assistant", "parts": [text("Rain.")]}),
    after=request(user(), model(text("Rain."))),
    provider_error="Please use a valid role: user, model.",
    source="langbot-app/LangBot#1486, router-for-me/CLIProxyAPI#17; google-genai types: Content",
)
def unknown_role(body: Body) -> Iterator[Finding]:
    """Roles that there are not."""
    for path, content in contents(body):
        role = content.get("role")
        if isinstance(role, str) and not speaker(content) and not is_foreign(content):
            yield Finding((*path, "role"), f"There is no role {shown(role)}.")


@rule(
    code="WM413",
    name="foreign-shape",
    dialects=GEMINI,
    summary="A content or a part has the shape of another API.",
    doc="""
    A content has `parts`, no `content`, and a part says what it is by the name of its field, not
    by a `type`. Histories that were converted halfway hold messages and blocks of other APIs,
    and unknown names are refused. wiremend rewrites what they plainly mean.
    """,
    before=request({"role": "user", "content": "Hello"}),
    after=request(user(text("Hello"))),
    provider_error=(
        "Invalid JSON payload received. Unknown name \"{name}\" at '{place}': Cannot find field."
    ),
    source="gera2ld/ai.nvim#13: unknown names; openai and anthropic types: messages and blocks",
)
def foreign_shape(body: Body) -> Iterator[Finding]:
    """Messages instead of contents, and blocks with a type instead of parts."""
    for path, content in contents(body):
        if is_foreign(content):
            name = "content" if "content" in content else "tool_calls"
            said = "This is a message of another API."
            yield Finding(path, said, {"name": name, "place": named(path)})
    for path, _, part in parts_of(body):
        if isinstance(part.get("type"), str):
            said = "This part has the shape of another API."
            yield Finding((*path, "type"), said, {"name": "type", "place": named(path)})


@rule(
    code="WM420",
    name="no-contents",
    dialects=GEMINI,
    summary="There is no content.",
    doc="""
    A request needs at least one content. wiremend does not invent what the user could have said,
    so this is left to you.
    """,
    before=request(),
    after=request(user()),
    provider_error="* GenerateContentRequest.contents: contents is not specified",
    source="google-genai types: GenerateContentParameters.contents",
    fixable=False,
)
def no_contents(body: Body) -> Iterator[Finding]:
    """An empty list of contents."""
    if body.get("contents") == []:
        yield Finding(("contents",), "The list of contents is empty.")


RULES: tuple[Rule, ...] = (
    empty_text,
    no_parts,
    part_without_data,
    several_data,
    unknown_role,
    foreign_shape,
    no_contents,
)
