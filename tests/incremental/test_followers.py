"""What follows one history: made once, kept up, and the oldest let go."""

from __future__ import annotations

import threading

from tests.incremental.test_requests import counted
from wiremend import ContextMessage, ProjectionPolicy, Session, ToolCall, project, request
from wiremend.incremental import Followers
from wiremend.incremental.followers import MOST
from wiremend.model import assistant, tool_result, user
from wiremend.service.bodies import Bodies

SETTINGS = {"model": "gpt-4o"}


def step(number: int) -> list[ContextMessage]:
    call = ToolCall(f"call_{number}", "run", "{}")
    return [assistant("", call), tool_result(call.id, "fine")]


def test_all_that_follows_a_history_sees_it_change() -> None:
    followers = Followers()
    policies = [ProjectionPolicy(), ProjectionPolicy(structure="strict")]
    history = [user("Go."), *step(1), *step(2)]
    followers.follow(history)
    for changed in (history, [*history, *step(3)], [*history[:3], user("Stop.")], []):
        followers.follow(changed)
        for policy in policies:
            assert followers.projection(policy).messages() == project(changed, None, policy)
        built = followers.builder("openai-chat", SETTINGS, strict=True).request()
        assert built == request(changed, "openai-chat", SETTINGS, strict=True)


def test_the_same_options_are_the_same_request_and_the_oldest_is_let_go() -> None:
    followers = Followers()
    first = followers.builder("anthropic", SETTINGS, cache=True)
    assert followers.builder("anthropic", {"model": "other"}, cache=True) is first
    assert first.settings == {"model": "other"}
    for dialect in ("openai-chat", "kimi", "deepseek", "qwen")[:MOST]:
        followers.builder(dialect, SETTINGS)
    assert followers.builder("anthropic", SETTINGS, cache=True) is not first


def test_media_is_refitted_by_whoever_was_asked() -> None:
    class Refit:
        __hash__ = None  # type: ignore[assignment]

        def __call__(self, history, report):  # type: ignore[no-untyped-def]
            return [*history, user("refitted")]

    followers = Followers()
    followers.follow([user("Go.")])
    sent = followers.builder("openai-chat", SETTINGS, media=Refit()).request().body
    assert sent["messages"][-1]["content"] == "refitted"


def test_a_session_writes_each_message_a_few_times_at_most(tmp_path) -> None:  # type: ignore[no-untyped-def]
    with Session.open(f"{tmp_path}/agent.db", id="one") as session, counted() as looked_at:
        session.append(user("Go."))
        for number in range(50):
            for message in step(number):
                session.append(message)
            body = session.request("openai-chat", settings=SETTINGS, tools=[])
        assert len(body["messages"]) == 101
    assert sum(looked_at) < 101 * 7


def test_histories_side_by_side_are_not_mixed_up() -> None:
    bodies = Bodies()
    wrong: list[int] = []

    def converse(number: int) -> None:
        history = [user(f"I am {number}.")]
        for n in range(20):
            history += step(n)
            made = bodies.made(history, "openai-chat", SETTINGS)
            if made != request(history, "openai-chat", SETTINGS):
                wrong.append(number)

    threads = [threading.Thread(target=converse, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
