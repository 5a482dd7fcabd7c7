"""Gemini: calls and the responses to them, which are counted turn by turn."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from wiremend.rules.base import GEMINI, Body, Finding, Rule, is_id, once, rule, shown
from wiremend.rules.gemini import (
    answer,
    call,
    contents,
    field,
    key,
    listed,
    model,
    request,
    speaker,
    text,
    user,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wiremend.errors import Path

_COUNT = (
    "Please ensure that the number of function response parts is equal to the number of function "
    "call parts of the function call turn."
)
_CALL_TURN = (
    "Please ensure that function call turn comes immediately after a user turn or after a "
    "function response turn."
)


class Turn(NamedTuple):
    """One content: who speaks, its calls and its responses, with their paths."""

    path: Path
    speaker: str
    calls: list[tuple[Path, Body]]
    responses: list[tuple[Path, Body]]


def _found(content: Body, path: Path, kind: str) -> list[tuple[Path, Body]]:
    return [
        ((*place, key(part, kind)), value)
        for place, part in listed(content, path)
        if isinstance(value := field(part, kind), dict)
    ]


@once
def turns(body: Body) -> Iterator[Turn]:
    """Each content with the calls and responses that count in it."""
    for path, content in contents(body):
        who = speaker(content)
        calls = _found(content, path, "functionCall") if who == "model" else []
        responses = _found(content, path, "functionResponse") if who == "user" else []
        yield Turn(path, who, calls, responses)


@once
def exchanges(body: Body) -> Iterator[tuple[Turn | None, Turn | None]]:
    """Each turn that calls with the one behind it, and each that answers with the one before."""
    before: Turn | None = None
    for turn in turns(body):
        if before is not None and before.calls:
            yield before, turn
        elif turn.responses:
            yield None, turn
        before = turn
    if before is not None and before.calls:
        yield before, None


@rule(
    code="WM401",
    name="missing-tool-result",
    dialects=GEMINI,
    summary="The content behind function calls has fewer responses than there are calls.",
    doc="""
    The content directly behind one with function calls holds as many function responses as there
    are calls. A cancelled tool, a crash, or responses that were written one content each leave
    too few of them. wiremend gathers the responses of a step in one content, and writes one that
    says that the result is missing where there is none.
    """,
    before=request(user(), model(call(), call("news")), user(answer())),
    after=request(
        user(), model(call(), call("news")), user(answer(), answer("news", {"result": "None."}))
    ),
    provider_error=_COUNT,
    source="google-gemini/gemini-cli#4217, google-gemini/gemini-cli#16543 (cases 055 and 065)",
)
def missing_tool_result(body: Body) -> Iterator[Finding]:
    """Turns with more calls than the content behind them answers."""
    for calling, answering in exchanges(body):
        if calling is None:
            continue
        count = len(answering.responses) if answering is not None else 0
        if count < len(calling.calls):
            said = f"{len(calling.calls)} calls are made here and {count} are answered next."
            yield Finding(calling.path, said)


@rule(
    code="WM402",
    name="orphan-tool-result",
    dialects=GEMINI,
    summary="A function response does not stand directly behind a turn with function calls.",
    doc="""
    Function responses are taken only in the content directly behind the model's calls. Histories
    that were cut in front lose the call and keep the response, and a content that was put between
    the two separates them. wiremend moves the response behind its call, and drops it where there
    is no such call.
    """,
    before=request(user(), model(text("Hello.")), user(answer()), user(text("Go on."))),
    after=request(user(), model(text("Hello.")), user(text("Go on."))),
    provider_error=(
        "Please ensure that function response turn comes immediately after a function call turn."
    ),
    source="microsoft/vscode#299295 (case 059)",
)
def orphan_tool_result(body: Body) -> Iterator[Finding]:
    """Contents with responses where no call stands before."""
    for calling, answering in exchanges(body):
        if calling is None and answering is not None:
            yield Finding(answering.path, "No call stands in the content before these responses.")


@rule(
    code="WM403",
    name="surplus-tool-result",
    dialects=GEMINI,
    summary="The content behind function calls has more responses than there are calls.",
    doc="""
    The number of function responses is that of the calls. Retries, and logs that are replayed
    twice, add a response again, and a compaction that drops one of several calls leaves its
    response. wiremend keeps one response for each call, by id where there is one, else by name
    and place, and drops the others.
    """,
    before=request(user(), model(call()), user(answer(), answer(response={"result": "sun"}))),
    after=request(user(), model(call()), user(answer())),
    provider_error=_COUNT,
    source="google-gemini/gemini-cli#16543: the count is compared both ways",
)
def surplus_tool_result(body: Body) -> Iterator[Finding]:
    """Turns with fewer calls than the content behind them answers."""
    for calling, answering in exchanges(body):
        if calling is not None and answering is not None:
            count, most = len(answering.responses), len(calling.calls)
            if count > most:
                yield Finding(answering.path, f"{count} responses stand here for {most} calls.")


@rule(
    code="WM404",
    name="tool-result-id",
    dialects=GEMINI,
    summary="The id of a function response is that of none of the calls.",
    doc="""
    Calls and responses may have ids. Where every call of a turn has one, a response that has one
    too names one of them, each once. Ids that a gateway made anew on one side only break this.
    wiremend drops the response and says so, since what it answers cannot be told.
    """,
    before=request(user(), model(call(id="a")), user(answer(id="b"))),
    after=request(user(), model(call(id="a")), user(answer(id="a", response={"result": "None."}))),
    provider_error="functionResponse.id does not match functionCall.id",
    source="router-for-me/CLIProxyAPI#5199; google-genai types: FunctionResponse.id",
)
def tool_result_id(body: Body) -> Iterator[Finding]:
    """Responses with an id that no unanswered call has."""
    for calling, answering in exchanges(body):
        if calling is None or answering is None:
            continue
        left = Counter(made.get("id") for _, made in calling.calls if is_id(made.get("id")))
        if left.total() < len(calling.calls):
            continue
        for path, response in answering.responses:
            response_id = response.get("id")
            if not is_id(response_id):
                continue
            left[response_id] -= 1
            if left[response_id] < 0:
                yield Finding((*path, "id"), f"No call is left for the id {shown(response_id)}.")


@rule(
    code="WM405",
    name="call-turn-order",
    dialects=GEMINI,
    summary="A content with function calls follows one of the model's.",
    doc="""
    A turn with function calls comes directly after a user's turn or after function responses.
    Logs that keep a line for each block give the model's words and its calls a content each.
    wiremend makes one content of them.
    """,
    before=request(user(), model(text("Let me look.")), model(call()), user(answer())),
    after=request(user(), model(text("Let me look."), call()), user(answer())),
    provider_error=_CALL_TURN,
    source="google-gemini/gemini-cli#11814 (case 056)",
)
def call_turn_order(body: Body) -> Iterator[Finding]:
    """Turns that call behind another turn of the model."""
    before: Turn | None = None
    for turn in turns(body):
        if turn.calls and before is not None and before.speaker == "model":
            yield Finding(turn.path, "This turn makes calls and follows another of the model's.")
        before = turn


@rule(
    code="WM406",
    name="first-turn-not-user",
    dialects=GEMINI,
    summary="The conversation starts with the model.",
    doc="""
    The first content is the user's. A history that was cut at a fixed length, or a greeting that
    the application put first, starts with the model instead. wiremend puts a content first that
    says that the beginning is missing; with `--strict` it drops what comes before the user.
    """,
    before=request(model(text("Good morning.")), user()),
    after=request(user(text("(The beginning is missing.)")), model(text("Good morning.")), user()),
    provider_error="Please ensure that multiturn requests alternate between user and model.",
    source="google-gemini/gemini-cli#11814 (case 066), microsoft/semantic-kernel#13288",
)
def first_turn_not_user(body: Body) -> Iterator[Finding]:
    """A first content of the model."""
    every = list(turns(body))
    if every and every[0].speaker == "model":
        alone = "Please ensure that single turn requests end with a user role."
        said = _CALL_TURN if every[0].calls else alone if len(every) == 1 else ""
        yield Finding(every[0].path, "The first content is the model's.", said=said)


@rule(
    code="WM407",
    name="misplaced-part",
    dialects=GEMINI,
    summary="A function call stands in a user's content, or a response in the model's.",
    doc="""
    The model calls and the user answers: a call belongs into a content of the role model, a
    response into one of the role user. Converters that guess roles mix them up. wiremend moves
    the part into a content of the right role.
    """,
    before=request(user(), model(call()), user(answer(), call("news"))),
    after=request(
        user(),
        model(call()),
        user(answer()),
        model(call("news")),
        user(answer("news", {"result": "None."})),
    ),
    provider_error=_CALL_TURN,
    source="google-genai types: Content.role; ai.google.dev, Function calling",
)
def misplaced_part(body: Body) -> Iterator[Finding]:
    """Calls and responses in contents of the other side."""
    for path, content in contents(body):
        wrong = {"user": "functionCall", "model": "functionResponse"}.get(speaker(content))
        for place, _ in _found(content, path, wrong) if wrong else ():
            said = f"A {wrong} does not belong into a content of the {speaker(content)}."
            yield Finding(place, said)


RULES: tuple[Rule, ...] = (
    missing_tool_result,
    orphan_tool_result,
    surplus_tool_result,
    tool_result_id,
    call_turn_order,
    first_turn_not_user,
    misplaced_part,
)
