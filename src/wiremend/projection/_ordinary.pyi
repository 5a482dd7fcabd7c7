from collections.abc import Sequence

from wiremend.model import Message

class Ordinary:
    def __new__(
        cls,
        message: type[object],
        context: type[object],
        text: type[object],
        call: type[object],
        user_origin: type[object],
        blanks: str,
        empty_output: str,
        /,
    ) -> Ordinary: ...
    def __call__(
        self,
        history: Sequence[Message],
        start: int,
        stop: int,
        places: list[Message | None],
        open_calls: dict[str, int],
        seen: set[str],
        arrivals: list[int] | None,
        merges: bool,
        /,
    ) -> int: ...
