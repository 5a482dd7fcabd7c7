"""Random requests of every dialect, sound and damaged."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.properties.conversations import Body, anthropic_bodies, damaged, openai_bodies
from tests.properties.converse_conversations import bedrock_bodies, damaged_converse
from tests.properties.gemini_conversations import damaged_gemini, gemini_bodies
from tests.properties.responses import damaged_responses, responses_bodies
from tests.properties.servers import SERVERS, server_bodies

BODIES: dict[str, st.SearchStrategy[Body]] = {
    "openai-chat": openai_bodies(),
    "anthropic": anthropic_bodies(),
    **{server: server_bodies(server) for server in SERVERS},
    "bedrock": bedrock_bodies(),
    "openai-responses": responses_bodies(),
    "gemini": gemini_bodies(),
}
DAMAGED: dict[str, st.SearchStrategy[Body]] = {
    **{name: damaged(bodies) for name, bodies in BODIES.items()},
    "bedrock": damaged_converse(BODIES["bedrock"]),
    "openai-responses": damaged_responses(),
    "gemini": damaged_gemini(BODIES["gemini"]),
}
MODELS = {
    "openai-chat": "gpt-4o",
    "anthropic": "claude-sonnet-4-5",
    "kimi": "kimi-k2.5",
    "deepseek": "deepseek-v4-pro",
    "mistral": "mistral-large-latest",
    "qwen": "qwen-plus",
    "openrouter": "openai/gpt-4o",
    "generic": "llama-3",
    "bedrock": "anthropic.claude-sonnet-4-5-20250929-v1:0",
    "openai-responses": "gpt-5",
    "gemini": "gemini-3-pro-preview",
}
"""A model of each provider, for what is sent to it."""
