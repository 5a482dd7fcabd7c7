"""A request of each format with everything that it has: what a conversion is judged by.

Whatever somebody could miss is marked: ``W-`` and a word, each of which stands in one place.
"""

from __future__ import annotations

import json
import re
from typing import Any

Body = dict[str, Any]

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNgAAAAAgAB5Sfe/AAAAABJRU5ErkJggg=="
PDF = "JVBERi0xLjQKJcOkw7zDtsOfCjEgMCBvYmoKPDw+PgplbmRvYmoKdHJhaWxlcgo8PD4+Cg=="
WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA="
FILM = "AAAAGGZ0eXBtcDQy"
PICTURE = "data:image/png;base64," + PNG
PAPER = "data:application/pdf;base64," + PDF
SEALED = "V1JFREFDVEVE"
TAKES_QUERY = {
    "type": "object",
    "properties": {"q": {"type": "string", "description": "W-schema"}},
    "required": ["q"],
}
ANSWER = {
    "type": "object",
    "properties": {"a": {"type": "string"}},
    "required": ["a"],
    "additionalProperties": False,
}


def marks(body: Body) -> set[str]:
    """The marked words of a body."""
    return set(re.findall(r"W-[A-Za-z0-9]+", json.dumps(body)))


def _function(name: str, arguments: str) -> Body:
    return {"name": name, "arguments": json.dumps({"q": arguments})}


CHAT: Body = {
    "model": "gpt-5",
    "messages": [
        {"role": "developer", "content": "W-dev"},
        {
            "role": "user",
            "name": "W-Ada",
            "content": [
                {"type": "text", "text": "W-ask"},
                {"type": "image_url", "image_url": {"url": PICTURE, "detail": "high"}},
                {"type": "file", "file": {"filename": "W-paper.pdf", "file_data": PAPER}},
                {"type": "file", "file": {"file_id": "file-W-kept"}},
                {"type": "input_audio", "input_audio": {"data": WAV, "format": "wav"}},
                {"type": "image_url", "image_url": {"url": "https://example.org/W-link.png"}},
            ],
        },
        {
            "role": "assistant",
            "content": "W-say",
            "tool_calls": [
                {"id": "call.1|a", "type": "function", "function": _function("find", "W-arg1")},
                {"id": "call.1_a", "type": "function", "function": _function("find", "W-arg2")},
                {"id": "c3", "type": "custom", "custom": {"name": "run", "input": "W-free"}},
            ],
        },
        {
            "role": "tool",
            "tool_call_id": "call.1|a",
            "content": [{"type": "text", "text": "W-res1"}, {"type": "text", "text": "W-res1b"}],
        },
        {"role": "tool", "tool_call_id": "call.1_a", "content": "W-res2"},
        {"role": "tool", "tool_call_id": "c3", "content": "W-res3"},
        {"role": "assistant", "content": None, "refusal": "W-refused"},
        {"role": "user", "content": "W-more"},
        {
            "role": "assistant",
            "content": [{"type": "text", "text": "W-part"}, {"type": "refusal", "refusal": "W-no"}],
        },
        {"role": "system", "content": "W-middle"},
        {"role": "user", "content": "W-go"},
        {"role": "assistant", "audio": {"id": "audio_W-spoken"}, "content": None},
        {"role": "user", "content": "W-end"},
    ],
    "tools": [
        {
            "type": "function",
            "function": {
                "name": "find",
                "description": "W-desc",
                "parameters": TAKES_QUERY,
                "strict": False,
            },
        },
        {
            "type": "custom",
            "custom": {
                "name": "run",
                "description": "W-freedesc",
                "format": {
                    "type": "grammar",
                    "grammar": {"syntax": "regex", "definition": "W-grammar"},
                },
            },
        },
    ],
    "tool_choice": {"type": "function", "function": {"name": "find"}},
    "parallel_tool_calls": False,
    "max_completion_tokens": 777,
    "temperature": 0.3,
    "top_p": 0.8,
    "stop": ["W-stop"],
    "seed": 7,
    "logprobs": True,
    "top_logprobs": 3,
    "frequency_penalty": 0.1,
    "presence_penalty": 0.2,
    "logit_bias": {"5": 1},
    "n": 2,
    "user": "W-user",
    "metadata": {"k": "W-meta"},
    "service_tier": "flex",
    "store": True,
    "response_format": {
        "type": "json_schema",
        "json_schema": {"name": "shape", "schema": ANSWER, "strict": True},
    },
    "reasoning_effort": "high",
    "prompt_cache_key": "W-key",
    "verbosity": "low",
    "modalities": ["text"],
    "prediction": {"type": "content", "content": "W-predicted"},
}

_DONE = {"status": "completed"}

RESPONSES: Body = {
    "model": "gpt-5",
    "instructions": "W-instructions",
    "input": [
        {"role": "developer", "content": "W-dev"},
        {
            "role": "user",
            "content": [
                {"type": "input_text", "text": "W-ask"},
                {"type": "input_image", "image_url": PICTURE, "detail": "low"},
                {"type": "input_image", "file_id": "file-W-keptimage", "detail": "auto"},
                {"type": "input_file", "file_id": "file-W-kept"},
                {"type": "input_file", "filename": "W-paper.pdf", "file_data": PAPER},
                {"type": "input_file", "file_url": "https://example.org/W-link.pdf"},
            ],
        },
        {
            "type": "reasoning",
            "id": "rs_1",
            "summary": [{"type": "summary_text", "text": "W-thought"}],
            "encrypted_content": "W-sealed",
        },
        {
            "type": "message",
            "id": "msg_1",
            "role": "assistant",
            **_DONE,
            "content": [
                {
                    "type": "output_text",
                    "text": "W-say",
                    "annotations": [
                        {
                            "type": "url_citation",
                            "url": "https://example.org/W-cited",
                            "title": "t",
                            "start_index": 0,
                            "end_index": 2,
                        }
                    ],
                },
                {"type": "refusal", "refusal": "W-no"},
            ],
        },
        {"type": "function_call", "id": "fc_1", "call_id": "c|1", **_function("find", "W-arg1")},
        {
            "type": "custom_tool_call",
            "id": "ctc_1",
            "call_id": "c2",
            "name": "run",
            "input": "W-free",
        },
        {"type": "shell_call", "call_id": "c3", "action": {"commands": ["W-command"]}, **_DONE},
        {
            "type": "apply_patch_call",
            "call_id": "c4",
            **_DONE,
            "operation": {"type": "delete_file", "path": "W-path"},
        },
        {
            "type": "computer_call",
            "id": "cu_1",
            "call_id": "c5",
            "action": {"type": "screenshot"},
            "pending_safety_checks": [],
            **_DONE,
        },
        {
            "type": "function_call_output",
            "call_id": "c|1",
            "output": [
                {"type": "input_text", "text": "W-res1"},
                {"type": "input_image", "image_url": PICTURE, "detail": "auto"},
            ],
        },
        {"type": "custom_tool_call_output", "call_id": "c2", "output": "W-res2"},
        {
            "type": "shell_call_output",
            "call_id": "c3",
            "output": [
                {
                    "stdout": "W-stdout",
                    "stderr": "",
                    "outcome": {"type": "exit", "exit_code": 0},
                }
            ],
        },
        {
            "type": "apply_patch_call_output",
            "call_id": "c4",
            "status": "failed",
            "output": "W-patch",
        },
        {
            "type": "computer_call_output",
            "call_id": "c5",
            "output": {"type": "computer_screenshot", "image_url": PICTURE},
        },
        {
            "type": "web_search_call",
            "id": "ws_1",
            **_DONE,
            "action": {"type": "search", "query": "W-query"},
        },
        {
            "type": "message",
            "id": "msg_2",
            "role": "assistant",
            **_DONE,
            "content": [{"type": "output_text", "text": "W-found", "annotations": []}],
        },
        {
            "type": "mcp_call",
            "id": "mcp_1",
            "server_label": "s",
            "name": "n",
            "arguments": "{}",
            "output": "W-served",
        },
        {"type": "compaction", "id": "cmp_1", "encrypted_content": "W-compacted"},
        {
            "type": "additional_tools",
            "role": "developer",
            "tools": [
                {
                    "type": "function",
                    "name": "late",
                    "description": "W-late",
                    "parameters": TAKES_QUERY,
                    "strict": False,
                }
            ],
        },
        {"role": "user", "content": "W-end"},
    ],
    "tools": [
        {
            "type": "function",
            "name": "find",
            "description": "W-desc",
            "parameters": TAKES_QUERY,
            "strict": False,
            "allowed_callers": ["direct"],
        },
        {"type": "custom", "name": "run", "description": "W-freedesc"},
        {"type": "web_search"},
    ],
    "tool_choice": "required",
    "parallel_tool_calls": True,
    "max_output_tokens": 777,
    "temperature": 0.3,
    "top_p": 0.8,
    "top_logprobs": 2,
    "metadata": {"k": "W-meta"},
    "service_tier": "flex",
    "store": False,
    "text": {
        "format": {"type": "json_schema", "name": "shape", "schema": ANSWER, "strict": True},
        "verbosity": "low",
    },
    "reasoning": {"effort": "high", "summary": "auto"},
    "prompt_cache_key": "W-key",
    "truncation": "auto",
    "include": ["reasoning.encrypted_content"],
    "max_tool_calls": 3,
    "safety_identifier": "W-user",
}

_MARK = {"cache_control": {"type": "ephemeral"}}


def _source(kind: str, **fields: Any) -> Body:
    return {"source": {"type": kind, **fields}}


_FOUND = {
    "type": "search_result",
    "source": "https://example.org/W-place",
    "title": "W-title",
    "content": [{"type": "text", "text": "W-snippet"}],
}
_PNG_BLOCK = {"type": "image", **_source("base64", media_type="image/png", data=PNG)}
_PDF_SOURCE = _source("base64", media_type="application/pdf", data=PDF)

ANTHROPIC: Body = {
    "model": "claude-sonnet-4-5",
    "max_tokens": 4096,
    "system": [{"type": "text", "text": "W-system", **_MARK}],
    "messages": [
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "W-ask", **_MARK},
                _PNG_BLOCK,
                {"type": "image", **_source("url", url="https://example.org/W-link.png")},
                {"type": "image", **_source("file", file_id="file_W-keptimage")},
                {"type": "document", **_PDF_SOURCE, "title": "W-paper", "context": "W-context"},
                {
                    "type": "document",
                    **_source("text", media_type="text/plain", data="W-doctext"),
                },
                {"type": "document", **_source("file", file_id="file_W-kept")},
                {
                    "type": "document",
                    **_source("content", content=[{"type": "text", "text": "W-content"}]),
                },
                {"type": "document", **_source("url", url="https://example.org/W-link.pdf")},
                _FOUND,
            ],
        },
        {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "W-thought", "signature": "c2ln"},
                {"type": "redacted_thinking", "data": SEALED},
                {"type": "text", "text": "W-say"},
                {
                    "type": "server_tool_use",
                    "id": "srvtoolu_1",
                    "name": "web_search",
                    "input": {"query": "W-query"},
                },
                {
                    "type": "web_search_tool_result",
                    "tool_use_id": "srvtoolu_1",
                    "content": [
                        {
                            "type": "web_search_result",
                            "url": "https://example.org",
                            "title": "W-served",
                            "encrypted_content": "e",
                        }
                    ],
                },
                {"type": "text", "text": "W-found"},
                {"type": "tool_use", "id": "toolu_1", "name": "find", "input": {"q": "W-arg1"}},
                {"type": "tool_use", "id": "toolu_2", "name": "find", "input": {"q": "W-arg2"}},
            ],
        },
        {
            "role": "user",
            "content": [
                {
                    "type": "tool_result",
                    "tool_use_id": "toolu_1",
                    "content": [
                        {"type": "text", "text": "W-res1"},
                        _PNG_BLOCK,
                        {**_FOUND, "content": [{"type": "text", "text": "W-snippet2"}]},
                        {"type": "document", **_PDF_SOURCE, "title": "W-paper2"},
                    ],
                },
                {
                    "type": "tool_result",
                    "tool_use_id": "toolu_2",
                    "content": "W-failed",
                    "is_error": True,
                },
                {"type": "text", "text": "W-after"},
            ],
        },
        {"role": "assistant", "content": "W-done"},
        {"role": "user", "content": "W-end"},
    ],
    "tools": [
        {"name": "find", "description": "W-desc", "input_schema": TAKES_QUERY, **_MARK},
        {"type": "web_search_20250305", "name": "web_search", "max_uses": 2},
    ],
    "tool_choice": {"type": "auto", "disable_parallel_tool_use": True},
    "temperature": 1,
    "stop_sequences": ["W-stop"],
    "metadata": {"user_id": "W-key"},
    "service_tier": "auto",
    "thinking": {"type": "enabled", "budget_tokens": 2048},
}

_FILES = "https://generativelanguage.googleapis.com/v1beta/files/"


def _inline(label: str, data: str, **more: Any) -> Body:
    return {"inlineData": {"mimeType": label, "data": data, **more}}


def _stored(label: str, place: str) -> Body:
    return {"fileData": {"mimeType": label, "fileUri": place}}


def _answered(response: Body, **more: Any) -> Body:
    return {"functionResponse": {"name": "find:it", "response": response, **more}}


GEMINI: Body = {
    "model": "gemini-3-pro-preview",
    "systemInstruction": {"parts": [{"text": "W-system"}]},
    "contents": [
        {
            "role": "user",
            "parts": [
                {"text": "W-ask"},
                _inline("image/png", PNG),
                _inline("application/pdf", PDF),
                _inline("audio/wav", WAV),
                {**_inline("video/mp4", FILM), "videoMetadata": {"fps": 2}},
                _stored("application/pdf", _FILES + "W-kept"),
                _stored("image/png", "gs://bucket/W-keptimage.png"),
            ],
        },
        {
            "role": "model",
            "parts": [
                {"text": "W-thought", "thought": True},
                {"text": "W-say", "thoughtSignature": "c2ln"},
                {
                    "functionCall": {"name": "find:it", "args": {"q": "W-arg1"}},
                    "thoughtSignature": "c2ln",
                },
                {"functionCall": {"name": "find:it", "args": {"q": "W-arg2"}}},
            ],
        },
        {
            "role": "user",
            "parts": [
                _answered({"output": "W-res1"}, parts=[_inline("image/png", PNG)]),
                _answered({"error": "W-failed"}),
                {"text": "W-after"},
            ],
        },
        {
            "role": "model",
            "parts": [
                {"executableCode": {"language": "PYTHON", "code": "W-code"}},
                {"codeExecutionResult": {"outcome": "OUTCOME_OK", "output": "W-served"}},
                {"text": "W-done"},
            ],
        },
        {"role": "user", "parts": [{"text": "W-end"}]},
    ],
    "tools": [
        {
            "functionDeclarations": [
                {
                    "name": "find:it",
                    "description": "W-desc",
                    "parameters": {
                        "type": "OBJECT",
                        "properties": {"q": {"type": "STRING", "description": "W-schema"}},
                    },
                    "behavior": "NON_BLOCKING",
                }
            ]
        },
        {"googleSearch": {}},
    ],
    "toolConfig": {"functionCallingConfig": {"mode": "AUTO"}},
    "generationConfig": {
        "temperature": 0.3,
        "topP": 0.8,
        "topK": 5,
        "maxOutputTokens": 777,
        "stopSequences": ["W-stop"],
        "seed": 7,
        "responseLogprobs": True,
        "logprobs": 2,
        "candidateCount": 1,
        "presencePenalty": 0.1,
        "frequencyPenalty": 0.2,
        "responseMimeType": "application/json",
        "responseJsonSchema": ANSWER,
        "thinkingConfig": {"thinkingLevel": "HIGH"},
    },
    "cachedContent": "cachedContents/W-cache",
}

_POINT = {"cachePoint": {"type": "default"}}


def _document(name: str, ending: str = "pdf", **source: Any) -> Body:
    return {"document": {"format": ending, "name": name, "source": source}}


def _place(name: str) -> Body:
    return {"s3Location": {"uri": f"s3://bucket/{name}"}}


BEDROCK: Body = {
    "modelId": "anthropic.claude-sonnet-4-5-20250929-v1:0",
    "system": [{"text": "W-system"}, _POINT],
    "messages": [
        {
            "role": "user",
            "content": [
                {"text": "W-ask"},
                {"image": {"format": "png", "source": {"bytes": PNG}}},
                {"image": {"format": "png", "source": _place("W-keptimage.png")}},
                _document("W-paper", bytes=PDF),
                _document("W-words", "txt", text="W-doctext"),
                _document("W-keptname", **_place("W-kept.pdf")),
                {"guardContent": {"text": {"text": "W-guarded", "qualifiers": ["query"]}}},
                {
                    "searchResult": {
                        "source": "https://example.org/W-place",
                        "title": "W-title",
                        "content": [{"text": "W-snippet"}],
                        "citations": {"enabled": True},
                    }
                },
                _POINT,
            ],
        },
        {
            "role": "assistant",
            "content": [
                {"reasoningContent": {"reasoningText": {"text": "W-thought", "signature": "c2ln"}}},
                {"reasoningContent": {"redactedContent": SEALED}},
                {"text": "W-say"},
                {
                    "citationsContent": {
                        "content": [{"text": "W-found"}],
                        "citations": [{"title": "W-cited"}],
                    }
                },
                {"toolUse": {"toolUseId": "t.1:a", "name": "find", "input": {"q": "W-arg1"}}},
                {"toolUse": {"toolUseId": "t.1_a", "name": "find", "input": {"q": "W-arg2"}}},
            ],
        },
        {
            "role": "user",
            "content": [
                {
                    "toolResult": {
                        "toolUseId": "t.1:a",
                        "content": [
                            {"text": "W-res1"},
                            {"json": {"k": "W-json"}},
                            {"image": {"format": "png", "source": {"bytes": PNG}}},
                            _document("W-paper2", bytes=PDF),
                        ],
                    }
                },
                {
                    "toolResult": {
                        "toolUseId": "t.1_a",
                        "content": [{"text": "W-failed"}],
                        "status": "error",
                    }
                },
                {"text": "W-after"},
            ],
        },
        {"role": "assistant", "content": [{"text": "W-done"}]},
        {"role": "user", "content": [{"text": "W-end"}]},
    ],
    "toolConfig": {
        "tools": [
            {
                "toolSpec": {
                    "name": "find",
                    "description": "W-desc",
                    "inputSchema": {"json": TAKES_QUERY},
                }
            },
            _POINT,
        ],
        "toolChoice": {"auto": {}},
    },
    "inferenceConfig": {"maxTokens": 4096, "temperature": 1, "stopSequences": ["W-stop"]},
    "additionalModelRequestFields": {"thinking": {"type": "enabled", "budget_tokens": 2048}},
    "requestMetadata": {"a": "W-meta"},
    "serviceTier": {"type": "flex"},
}

KIMI: Body = {
    "model": "kimi-k2.5",
    "messages": [
        {"role": "system", "content": "W-system"},
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "W-ask"},
                {"type": "image_url", "image_url": {"url": "ms://W-keptimage"}},
                {"type": "video_url", "video_url": {"url": f"data:video/mp4;base64,{FILM}"}},
            ],
            "shown": "W-own",
        },
        {
            "role": "assistant",
            "content": "W-say",
            "reasoning_content": "W-thought",
            "tool_calls": [
                {"id": "find:0", "type": "function", "function": _function("find", "W-arg1")},
            ],
        },
        {"role": "tool", "tool_call_id": "find:0", "content": "W-res1"},
        {
            "role": "system",
            "tools": [
                {
                    "type": "function",
                    "function": {
                        "name": "late",
                        "description": "W-late",
                        "parameters": TAKES_QUERY,
                    },
                }
            ],
        },
        {
            "role": "assistant",
            "content": "W-found",
            "reasoning_content": "W-thought2",
            "tool_calls": [
                {"id": "late:1", "type": "function", "function": _function("late", "W-arg2")},
            ],
        },
        {"role": "tool", "tool_call_id": "late:1", "content": "W-res2"},
        {"role": "user", "content": "W-end"},
    ],
    "tools": [
        {
            "type": "function",
            "function": {"name": "find", "description": "W-desc", "parameters": TAKES_QUERY},
        },
        {"type": "builtin_function", "function": {"name": "$web_search"}},
    ],
    "tool_choice": "auto",
    "max_tokens": 500,
    "thinking": {"type": "enabled"},
    "prompt_cache_key": "W-key",
    "response_format": {"type": "json_object"},
    "stop": "W-stop",
}

RICH: dict[str, Body] = {
    "openai-chat": CHAT,
    "openai-responses": RESPONSES,
    "anthropic": ANTHROPIC,
    "gemini": GEMINI,
    "bedrock": BEDROCK,
    "kimi": KIMI,
}
