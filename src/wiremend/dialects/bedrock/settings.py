"""Amazon Bedrock Converse: the fields beside the messages, in no provider's words and back.

Sources: botocore's ``ConverseRequest``; the model parameters of Claude and of OpenAI's models on
Bedrock, which go into ``additionalModelRequestFields``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from wiremend.dialects.anthropic.models import model_version
from wiremend.dialects.base import Json, rest
from wiremend.dialects.bedrock.models import family
from wiremend.dialects.bedrock.tool_settings import read_tools, write_tools
from wiremend.dialects.setting_fields import said
from wiremend.dialects.settings import OutputSchema, Settings, Thinking, Written

_INFERENCE = {"max_output_tokens": "maxTokens", "temperature": "temperature", "top_p": "topP"}
_EFFORTS = ("low", "medium", "high", "xhigh", "max")
_ADAPTIVE_SINCE = (4, 6)
_NATIVE, _OUTPUT = "additionalModelRequestFields", "outputConfig"


def read_settings(envelope: Mapping[str, Any]) -> Settings:
    """The fields of a Converse request but its messages and system prompt.

    Whatever is not understood stays in ``rest``, within the field that it stood in.
    """
    left: Json = rest(dict(envelope), "messages", "system")
    found: Json = {}
    if isinstance(left.get("modelId"), str):
        found["model"] = left.pop("modelId")
    found.update(read_tools(left))
    _read_inference(left, found)
    native, output = _inner(left, _NATIVE), _inner(left, _OUTPUT)
    if _takes_claude_fields(found.get("model")) and _is_int(native.get("top_k")):
        found["top_k"] = native.pop("top_k")
    thinking = _read_thinking(found.get("model"), native, output)
    if thinking is not None:
        found["thinking"] = thinking
    schema = _read_schema(output.get("textFormat"))
    if schema is not None:
        found["output"] = schema
        del output["textFormat"]
    put_back(left, _NATIVE, native)
    put_back(left, _OUTPUT, output)
    return Settings(rest=left, **found)


def write_settings(settings: Settings) -> Written:
    """The fields of a Converse request, and what it cannot be told.

    ``lost`` names fields of ``Settings``, or of a tool (``tools.deferred``) or the output.
    """
    fields: Json = {}
    lost: list[str] = []
    if settings.model is not None:
        fields["modelId"] = settings.model
    _write_inference(settings, fields, lost)
    write_tools(settings, fields, lost)
    native, output = _inner(settings.rest, _NATIVE), _inner(settings.rest, _OUTPUT)
    if settings.top_k is not None:
        if _takes_claude_fields(settings.model):
            native["top_k"] = settings.top_k
        else:
            lost.append("top_k")
    if settings.thinking and not _write_thinking(settings, settings.thinking, native, output):
        lost.append("thinking")
    _write_schema(settings.output, output, lost)
    lost += [
        name
        for name in ("parallel_calls", "cache_key", "stream")
        if getattr(settings, name) is not None
    ]
    put_back(fields, _NATIVE, native)
    put_back(fields, _OUTPUT, output)
    for name, value in settings.rest.items():
        fields.setdefault(name, value)
    return Written(fields, tuple(lost))


def put_back(fields: Json, name: str, inner: Json) -> None:
    """Set a field to what is left of an object in it; without the field where nothing is."""
    if inner:
        fields[name] = inner
    elif isinstance(fields.get(name), dict):
        del fields[name]


def _inner(fields: Mapping[str, Any], name: str) -> Json:
    """A copy of the object in a field; an empty one where the field holds something else."""
    value = fields.get(name)
    return dict(value) if isinstance(value, dict) else {}


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: Any) -> bool:
    return isinstance(value, float) or _is_int(value)


def _takes_claude_fields(model: Any) -> bool:
    return isinstance(model, str) and "claude" in model


def _read_inference(left: Json, found: Json) -> None:
    config = _inner(left, "inferenceConfig")
    for name, field in _INFERENCE.items():
        value = config.get(field)
        if _is_int(value) if field == "maxTokens" else _is_number(value):
            found[name] = config.pop(field)
    stops = config.get("stopSequences")
    if isinstance(stops, list) and stops and all(isinstance(stop, str) for stop in stops):
        found["stop"] = tuple(config.pop("stopSequences"))
    put_back(left, "inferenceConfig", config)


def _write_inference(settings: Settings, fields: Json, lost: list[str]) -> None:
    config = _inner(settings.rest, "inferenceConfig")
    for name, field in _INFERENCE.items():
        value = getattr(settings, name)
        if value is None:
            continue
        if value >= 1 if name == "max_output_tokens" else 0 <= value <= 1:
            config[field] = value
        else:
            lost.append(name)
    if settings.stop and "" not in settings.stop:
        config["stopSequences"] = list(settings.stop)
    elif settings.stop:
        lost.append("stop")
    put_back(fields, "inferenceConfig", config)


def _read_thinking(model: Any, native: Json, output: Json) -> Thinking | None:
    if family(model) == "openai":
        effort = native.get("reasoning_effort")
        if effort in ("minimal", *_EFFORTS):
            del native["reasoning_effort"]
            return Thinking(effort=effort)
        return None
    asked = native.get("thinking") if _takes_claude_fields(model) else None
    if asked == {"type": "disabled"}:
        del native["thinking"]
        return Thinking(effort="none")
    effort = output.get("effort")
    effort = effort if effort in _EFFORTS else None
    budget = asked.get("budget_tokens") if isinstance(asked, dict) else None
    if _is_int(budget) and asked == {"type": "enabled", "budget_tokens": budget}:
        del native["thinking"]
    elif asked == {"type": "adaptive"} and effort is None:
        del native["thinking"]
        return Thinking()
    else:
        budget = None
    if effort is not None:
        del output["effort"]
    return None if effort is None and budget is None else Thinking(effort=effort, budget=budget)


def _write_thinking(settings: Settings, wanted: Thinking, native: Json, output: Json) -> bool:
    """Write how much to think; False where all or a part of it cannot be told."""
    model, effort, budget = settings.model, wanted.effort, wanted.budget
    if family(model) == "openai":
        if effort in ("minimal", *_EFFORTS):
            native["reasoning_effort"] = effort
            return budget is None
        return False
    claude = _takes_claude_fields(model)
    if effort == "none":
        if claude:
            native["thinking"] = {"type": "disabled"}
        return claude and budget is None
    told = effort is None or effort in _EFFORTS
    if effort in _EFFORTS:
        output["effort"] = effort
    if budget is not None and claude:
        native["thinking"] = {"type": "enabled", "budget_tokens": budget}
    elif effort is None and budget is None and _adapts(model):
        native["thinking"] = {"type": "adaptive"}
    elif effort is None or budget is not None:
        return False
    return told


def _adapts(model: Any) -> bool:
    """Whether the model decides by itself how much to think (Claude since 4.6)."""
    version = model_version(model)
    return _takes_claude_fields(model) and (version is None or version >= _ADAPTIVE_SINCE)


def _read_schema(value: Any) -> OutputSchema | None:
    if not isinstance(value, dict) or value.keys() != {"type", "structure"}:
        return None
    structure = value["structure"]
    inner = structure.get("jsonSchema") if isinstance(structure, dict) else None
    if not isinstance(inner, dict) or not inner.keys() <= {"schema", "name", "description"}:
        return None
    text, name, described = inner.get("schema"), inner.get("name"), inner.get("description")
    try:
        schema = json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        return None
    if not isinstance(schema, dict) or not isinstance(name, str | None):
        return None
    if not isinstance(described, str | None):
        return None
    return OutputSchema(schema, name, description=described)


def _write_schema(wanted: OutputSchema | None, output: Json, lost: list[str]) -> None:
    if wanted is None:
        return
    if wanted.schema is None:
        lost.append("output")
        return
    more = said(name=wanted.name, description=wanted.description)
    inner = {"schema": json.dumps(wanted.schema, ensure_ascii=False), **more}
    output["textFormat"] = {"type": "json_schema", "structure": {"jsonSchema": inner}}
    lost.extend(wanted.told("strict"))
