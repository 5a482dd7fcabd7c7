"""A session, its turns and the service together, as an agent's loop uses them."""

from __future__ import annotations

from pathlib import Path

from tests.service.asking import BAD_IMAGE, chatting, pictures

import wiremend as wm
from wiremend.model import tool_result, user
from wiremend.simulator import Call, says


def test_an_agents_loop_over_a_session(tmp_path: Path) -> None:
    steps = (BAD_IMAGE, says(Call("look", {}, id="call_a")), says(Call("look", {}, id="call_a")))
    with wm.Session.open(f"{tmp_path}/agent.db", id="greenhouse") as session:
        with chatting(*steps, says("dry"), session_id=session.id) as (service, running):
            session.append(user("Is it dry?", "https://pictures.example/soil.png"))
            turn = service.turn()
            for _ in range(5):
                answer = turn.send(session)
                session.append(answer.message)
                for call in answer.message.tool_calls:
                    session.append(tool_result(call.id, "12 %"))
                if not answer.message.tool_calls:
                    break
        ids = [call.id for message in session.messages() for call in message.tool_calls]
    assert ids == ["call_a", "call_a__2"]
    assert [received.status for received in running.requests] == [400, 200, 200, 200]
    assert [pictures(received.json) for received in running.requests] == [["soil"], [], [], []]
    assert {received.json["prompt_cache_key"] for received in running.requests} == {"greenhouse"}
