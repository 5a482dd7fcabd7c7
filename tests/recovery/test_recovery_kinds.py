"""Wordings that are in no table, in the manner of those that are: told by their kind."""

from __future__ import annotations

import pytest

from wiremend.recovery import classify


@pytest.mark.parametrize(
    ("status", "error_class", "text"),
    [
        (400, "structure", "tool_call_id 'call_9' does not match any previous tool call"),
        (400, "structure", "Each message with role 'tool' needs a matching assistant tool call"),
        (
            400,
            "structure",
            "Invalid message sequence: assistant message cannot follow assistant message",
        ),
        (400, "structure", "Expected a user message at position 2 but got assistant"),
        (
            400,
            "structure",
            "messages[4]: tool message must follow an assistant message with tool calls",
        ),
        (400, "structure", "Invalid parameter: messages with role 'function' must have a 'name'"),
        (400, "structure", "'content' is a required property - 'messages.1'"),
        (400, "structure", "None is not of type 'string' - 'messages.2.content'"),
        (400, "structure", "[] is too short - 'messages.1.tool_calls'"),
        (400, "structure", "messages.2.content.0.text.text: Field required"),
        (400, "structure", "messages: Input should be a valid list"),
        (
            400,
            "structure",
            "messages.4.content.1: `tool_use` blocks can only be in `assistant` messages",
        ),
        (
            400,
            "structure",
            "messages.1.content.2.tool_use.name: String should have at most 200 characters",
        ),
        (400, "structure", "tool_result.tool_use_id: no matching tool_use in preceding message"),
        (400, "structure", "final assistant content cannot end with trailing whitespace"),
        (
            400,
            "structure",
            "Please ensure that multiturn requests alternate between user and model.",
        ),
        (400, "structure", "Invalid content role: expected user or model, got assistant"),
        (400, "structure", "Function response parts count mismatch with function call parts"),
        (400, "structure", "Invalid request: function name is invalid, must start with a letter"),
        (400, "structure", "Invalid request: tool_calls message without matching tool messages"),
        (400, "structure", "Input should be a valid string: input.messages.2.content"),
        (400, "structure", "No tool output found for custom tool call call_1."),
        (400, "structure", "Missing required parameter: 'input[3].summary'."),
        (400, "structure", "function_call_output without matching function_call: call_7"),
        (400, "structure", "Message content is empty"),
        (400, "structure", "Unsupported role: function"),
        (None, "network", "TypeError: fetch failed"),
        (400, "structure", "message content must be a non-empty string"),
        (400, "context_overflow", "Prompt length (9000) exceeds max_model_len (8192)"),
        (400, "context_overflow", "input length of 40000 exceeds maximum input length 32768"),
        (400, "context_overflow", "Input is longer than the model's context length"),
        (400, "context_overflow", "the prompt exceeds the context window"),
        (
            400,
            "context_overflow",
            "Your request contains too many tokens for this model (limit 8192)",
        ),
        (400, "context_overflow", "input tokens + max_tokens exceeds the model's context window"),
        (
            400,
            "context_overflow",
            "Request contains too many tokens; tool result messages must be shorter",
        ),
        (
            400,
            "context_overflow",
            "Requested 140000 tokens, which exceeds the model's limit of 128000 tokens",
        ),
        (
            400,
            "context_overflow",
            "ValidationException: The model returned the following errors: Input is too long",
        ),
        (
            400,
            "request_too_large",
            "Invalid request: total message size 4194305 exceeds limit 2097152",
        ),
        (
            400,
            "context_overflow",
            "Total tokens of prompt exceed the limit; tool message without reply",
        ),
        (400, "context_overflow", "conversation is too long, please start a new chat"),
        (400, "context_overflow", "Number of tokens in messages[12] exceeds the limit"),
        (400, "context_overflow", "messages: total tokens 300000 exceed limit 200000"),
        (400, "context_overflow", "total length of messages exceeds 131072"),
        (400, "context_overflow", "sequence length 40000 is longer than the maximum 32768"),
        (400, "context_overflow", "Conversation history too large for the model"),
        (400, "context_overflow", "token limit exceeded"),
        (400, "context_overflow", "上下文长度超出模型限制"),
        (400, "other", "max output tokens exceed what this model allows"),
        (400, "other", "Upstream error: 400"),
        (429, "rate_limit", "Too many images per minute"),
        (429, "rate_limit", "Request too large"),
        (503, "overloaded", "Failed to process image: try again later"),
        (429, "quota", "Extra usage is required for long context requests."),
        (402, "quota", "Your wallet is empty"),
        (429, "quota", "You have run out of credits. Please top up"),
        (403, "auth", "Forbidden"),
        (429, "rate_limit", "slow down"),
        (500, "server", "oops"),
        (400, "other", "Unrecognized request argument supplied: foo"),
        (400, "other", "Invalid 'tools[0].function.parameters': schema must be an object"),
        (400, "other", "thinking.budget_tokens: Input should be greater than or equal to 1024"),
        (400, "other", "tool_choice: Input should be a valid dictionary"),
        (400, "other", "Function calling is not enabled for this model"),
        (400, "other", "model `x` requires terms acceptance"),
        (404, "other", "404 page not found"),
        (400, "media_format", "image_url is only supported by certain models"),
        (400, "media_format", "this model does not accept image input"),
        (
            400,
            "media_format",
            "Failed to process image: broken data stream when reading image file",
        ),
        (400, "media_format", "Only base64 encoded images are supported, got a URL"),
        (400, "media_too_large", "image resolution 9000x9000 exceeds maximum of 8000 pixels"),
        (413, "request_too_large", "Payload Too Large"),
        (400, "request_too_large", "Total request size of 60MB is over the limit of 50MB"),
        (503, "overloaded", "no healthy upstream"),
        (429, "overloaded", "The engine is currently overloaded, please try again later"),
        (502, "server", "Bad Gateway"),
    ],
)
def test_a_wording_that_nobody_has_seen_is_told_by_its_kind(
    status: int | None, error_class: str, text: str
) -> None:
    assert classify(status, text).error_class == error_class


def test_a_place_in_the_messages_is_enough_where_the_request_is_blamed() -> None:
    text = "messages.3.content.0: no such thing"
    assert classify(400, text).next_policy == {"structure": "strict"}
    assert classify(400, text).pointer == "/messages/3/content/0"
    assert classify(500, text).error_class == "server"
    assert classify(400, "tools.3.name: no such thing").error_class == "other"
    picture = "messages.3.content.0.image.source: no such thing"
    assert classify(400, picture).next_policy == {"media": "strip"}
