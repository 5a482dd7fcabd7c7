"""The Gemini API, simulated: whose turn it is, and how many responses are owed."""

from __future__ import annotations

import re

from wiremend.providers.gemini_parts import Content, Part
from wiremend.providers.reply import RefusalError

_COUNT = (
    "Please ensure that the number of function response parts is equal to the number of function "
    "call parts of the function call turn."
)
_CALL = (
    "Please ensure that function call turn comes immediately after a user turn or after a "
    "function response turn."
)
_RESPONSE = (
    "Please ensure that function response turn comes immediately after a function call turn."
)
_ALTERNATE = "Please ensure that multiturn requests alternate between user and model."
_SINGLE = "Please ensure that single turn requests end with a user role."
_UNSIGNED = (
    "Function call is missing a thought_signature in functionCall parts. This is required for "
    "tools to work correctly, and missing thought_signature may lead to degraded model "
    "performance. Additional data, function call `default_api:{}` , position {}. Please refer to "
    "https://ai.google.dev/gemini-api/docs/thought-signatures for more details."
)
_MODEL = re.compile(r"gemini-(\d+)(?:[.-](\d)(?!\d))?")


class Conversation:
    """Where the conversation stands: what was called and is not answered yet."""

    def __init__(self, model: str) -> None:
        self._model = model
        self._owed: list[Part] = []
        self._last = ""
        self._unsigned: tuple[str, int] | None = None

    def through(self, contents: list[Content]) -> None:
        """Walk the contents; raises ``RefusalError`` where one does not fit."""
        for position, content in enumerate(contents, 1):
            if content.role not in ("", "user", "model", "function"):
                raise RefusalError("Please use a valid role: user, model.")
            if content.role == "model":
                self._of_model(content, position, single=len(contents) == 1)
            else:
                self._of_user(content)
        if self._owed:
            raise RefusalError(_COUNT)
        if self._unsigned is not None and self._generation() >= (3, 0) and not self._draws():
            raise RefusalError(_UNSIGNED.format(*self._unsigned))
        if self._last == "model" and self._generation() >= (3, 7):
            raise RefusalError("Requests ending with a model turn are not supported.")

    def _of_model(self, content: Content, position: int, *, single: bool) -> None:
        calls = [part for part in content.parts if part.kind == "function_call"]
        if any(part.kind == "function_response" for part in content.parts):
            raise RefusalError(_RESPONSE)
        if self._owed:
            raise RefusalError(_COUNT)
        if not self._last:
            raise RefusalError(_CALL if calls else _SINGLE if single else _ALTERNATE)
        if calls and self._last == "model":
            raise RefusalError(_CALL)
        if calls and not calls[0].signed and self._unsigned is None:
            self._unsigned = (str(calls[0].value.get("name")), position)
        self._owed, self._last = calls, "model"

    def _of_user(self, content: Content) -> None:
        if any(part.kind == "function_call" for part in content.parts):
            raise RefusalError(_CALL)
        answers = [part for part in content.parts if part.kind == "function_response"]
        if answers and not self._owed:
            raise RefusalError(_RESPONSE)
        if len(answers) != len(self._owed):
            raise RefusalError(_COUNT)
        self._compare(answers)
        if len(answers) < len(content.parts):
            # The user speaks: what the model did before is not looked at any more.
            self._unsigned = None
        self._owed, self._last = [], "user"

    def _compare(self, answers: list[Part]) -> None:
        names = [call.value.get("id") for call in self._owed]
        if not all(isinstance(name, str) and name for name in names):
            return
        for answer in answers:
            name = answer.value.get("id")
            if not isinstance(name, str) or not name:
                continue
            if name not in names:
                raise RefusalError("functionResponse.id does not match functionCall.id")
            names.remove(name)

    def _generation(self) -> tuple[int, int]:
        found = _MODEL.search(self._model)
        return (int(found[1]), int(found[2] or 0)) if found else (0, 0)

    def _draws(self) -> bool:
        return "image" in self._model
