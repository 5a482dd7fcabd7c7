"""OpenRouter, which passes requests on to many providers.

Sources: openrouter.ai/docs, "Reasoning Tokens" (``reasoning_details`` go back unchanged, in
order), "Images & PDFs", "Prompt Caching" (``cache_control`` on parts).
"""

from __future__ import annotations

from wiremend.dialects.openai_chat import Profile, make_dialect
from wiremend.dialects.openai_chat.profile import ANY_ID, LENIENT, USUAL_NAMES
from wiremend.dialects.openai_chat.settings import SettingWords

OPENROUTER_PROFILE = Profile(
    name="openrouter",
    takes=LENIENT,
    ids=ANY_ID,
    names=USUAL_NAMES,
    media=frozenset({"image", "audio", "video", "document"}),
    remote_documents=True,
    reasoning=("reasoning", "reasoning_content"),
    said_in_fields=("refusal", "audio", "function_call", "reasoning_details"),
    settings=SettingWords(
        max_tokens="max_tokens", top_k=True, cache_key=None, thinking="reasoning"
    ),
)
OPENROUTER = make_dialect(OPENROUTER_PROFILE)
"""Chat Completions of OpenRouter: reasoning details and cache marks go through unchanged."""
