"""The ways in which servers of Chat Completions are told how much to think."""

from __future__ import annotations

from typing import Literal, TypeAlias

from wiremend.dialects.base import Json
from wiremend.dialects.setting_fields import Fields, effort_of, nearest, said
from wiremend.dialects.settings import Effort, Thinking

Way: TypeAlias = Literal["effort", "switch", "enable", "reasoning"]
"""``effort``: ``reasoning_effort`` (OpenAI, Mistral). ``switch``: ``thinking.type`` beside it
(Kimi, DeepSeek). ``enable``: ``enable_thinking`` and ``thinking_budget`` (Qwen). ``reasoning``: an
object of that name (OpenRouter)."""

_EFFORT = "reasoning_effort"


def read_thinking(fields: Fields, way: Way) -> Thinking | None:
    """What the request says of thinking; what is not understood stays in ``fields``."""
    if way == "switch":
        return _read_switch(fields)
    if way == "enable":
        return _read_enable(fields)
    if way == "reasoning":
        found = _read_reasoning(fields)
        if found is not None:
            return found
    effort = fields.effort(_EFFORT)
    return None if effort is None else Thinking(effort=effort)


def write_thinking(
    thinking: Thinking | None, way: Way, efforts: tuple[Effort, ...], lost: list[str]
) -> Json:
    """The fields that say it; ``lost`` gets its name where they do not say it quite."""
    if thinking is None:
        return {}
    if way == "enable":
        return _enable(thinking, lost)
    if way == "reasoning":
        return {"reasoning": _reasoning(thinking, efforts)}
    off = thinking.effort == "none"
    effort = _in_words(thinking, efforts)
    if way == "switch":
        told = Thinking() if effort is None else Thinking(effort="none" if off else effort)
        fields: Json = {"thinking": {"type": "disabled" if off else "enabled"}}
        fields.update({} if off or effort is None else {_EFFORT: effort})
    else:
        told = Thinking(effort=effort)
        fields = said(**{_EFFORT: effort})
        if effort is None:
            lost.append("thinking")
            return fields
    if told != thinking:
        lost.append("thinking")
    return fields


def _in_words(thinking: Thinking, efforts: tuple[Effort, ...]) -> Effort | None:
    effort = thinking.effort
    if effort is None and thinking.budget is not None:
        effort = effort_of(thinking.budget)
    return None if effort is None else nearest(effort, efforts)


def _read_switch(fields: Fields) -> Thinking | None:
    inner = fields.inner("thinking")
    said_so = inner.rest.get("type")
    if said_so not in ("enabled", "disabled"):
        effort = fields.effort(_EFFORT)
        return None if effort is None else Thinking(effort=effort)
    del inner.rest["type"]
    fields.put_back("thinking", inner)
    if said_so == "disabled":
        return Thinking(effort="none")
    return Thinking(effort=fields.effort(_EFFORT))


def _read_enable(fields: Fields) -> Thinking | None:
    enabled = fields.flag("enable_thinking")
    if enabled is False:
        return Thinking(effort="none")
    budget = fields.whole("thinking_budget")
    return Thinking(budget=budget) if enabled or budget is not None else None


def _enable(thinking: Thinking, lost: list[str]) -> Json:
    if thinking.effort == "none":
        if thinking.budget is not None:
            lost.append("thinking")
        return {"enable_thinking": False}
    if thinking.effort is not None:
        lost.append("thinking")
    return {"enable_thinking": True, **said(thinking_budget=thinking.budget)}


def _read_reasoning(fields: Fields) -> Thinking | None:
    inner = fields.inner("reasoning")
    effort, budget = inner.effort("effort"), inner.whole("max_tokens")
    enabled = inner.flag("enabled")
    if effort is None and budget is None and enabled is None:
        return None
    fields.put_back("reasoning", inner)
    return Thinking(effort="none") if enabled is False else Thinking(effort=effort, budget=budget)


def _reasoning(thinking: Thinking, efforts: tuple[Effort, ...]) -> Json:
    if thinking == Thinking():
        return {"enabled": True}
    effort = None if thinking.effort is None else nearest(thinking.effort, efforts)
    return said(effort=effort, max_tokens=thinking.budget)
