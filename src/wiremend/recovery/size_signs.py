"""The wordings about too much: more tokens than a context holds, more bytes than a server reads."""

from __future__ import annotations

from wiremend.recovery.signs import WELL_KNOWN, plain

OVERFLOW = plain(
    "context_overflow",
    (r"(?:prompt|input) is too (?:long|large to process)", WELL_KNOWN),
    (r"too many input tokens|tokens in the prompt (?:cannot|can not|must not) exceed", "AWS"),
    (r"maximum (?:context|prompt|model|sequence|input) length", WELL_KNOWN),
    (r"context[_ ](?:length|size|window)[_ ](?:\w{1,20}[_ ]){0,3}exceed", WELL_KNOWN),
    (r"exceed\w{0,3} (?:\w{1,40} ){0,4}context[ _](?:limit|window|length|size)", WELL_KNOWN),
    (r"(?:longer|larger|greater) than (?:\w{1,40} ){0,4}context[ _]", "llama.cpp, Ollama"),
    (r"context[ _](?:length|window|size) (?:is|of) (?:only )?\d", "vLLM, LM Studio"),
    (r"context overflow|context the overflows", "LM Studio"),
    (r"token count.{0,40}(?:exceeds|but (?:the )?model)|exceeded model token limit", WELL_KNOWN),
    (r"exceeds? the (?:maximum|max) (?:number of |allowed )?(?:input )?tokens?", "Gemini"),
    (r"input tokens? (?:\w{1,20} ){0,3}exceeds?", "OpenAI"),
    (r"reduce the length of the (?:messages|prompt|input)", WELL_KNOWN),
    (r"reduce the length of either one", "OpenRouter"),
    (r"range of input length should be", "DashScope"),
    (
        r"requested \d{1,9} tokens, max(?:imum)? \d|model max(?:imum)? length exceeded",
        "OpenAI, Kimi",
    ),
    (r"prompt exceeds n_ctx", "llama-cpp-python"),
    (r"must be at least 1, got -\d", "vLLM: nothing is left for an answer"),
    (r"inputs tokens \+ max_new_tokens must be|inputs must have less than \d", "TGI, Together"),
    (r"prompt (?:\w{1,20} ){0,2}exceeds? (?:the )?max(?:imum)? (?:length|token)", "Zhipu"),
    (
        r"prompt ?超长|(?:超过|超出).{0,12}(?:上下文|最大长度|最大输入|token)|"
        r"(?:上下文|输入|token).{0,12}(?:超过|超出|超限|过长)",
        "Zhipu, Baidu",
    ),
    (
        r"too many (?:\w{1,20} )?tokens|tokens? (?:of|in) (?:\w{1,20} )?prompt exceed",
        "in any words",
    ),
    (
        r"\b(?:prompt|input|conversation|messages?|request|context|history)\b[^.]{0,60}"
        r"\b(?:exceed\w{0,3}|longer|larger|greater|too long)\b[^.]{0,60}"
        r"\b(?:tokens?|context|max_model_len|model_max_length|max_length|window)\b",
        "in any words",
    ),
    (r"\b\d{1,9} tokens\b[^.]{0,60}\bexceed", "in any words"),
    (
        # Tokens to come are a setting's.
        r"(?<!max )(?<!maximum )(?<!output )(?<!completion )\btokens?\b[^.]{0,60}\bexceed|"
        r"\btoken limit (?:was |has been )?(?:exceeded|reached)",
        "in any words",
    ),
    (
        r"\b(?:prompt|conversation|history|context|input|messages)\b[^.]{0,30}"
        r"\btoo (?:large|long|big) for\b",
        "in any words",
    ),
    (
        r"\b(?:total|sequence|combined) length\b[^.]{0,60}"
        r"\b(?:exceed|longer|larger|greater|too long)",
        "in any words",
    ),
    (r"(?:conversation|chat|history|context) (?:is|has become|grew) too long", "in any words"),
    (r"\b(?:content|text)(?:\[\d{1,9}\]\.text)?: string too long", "openai"),
)

TOTAL = plain(
    "request_too_large",
    (r"total .{0,40}(?:bytes|size) (?:is |are )?too large", "Gemini"),
)
"""All media together, whose words are much like those about one of them."""

BODY = plain(
    "request_too_large",
    (r"request (?:\w{1,40} )?exceeds the maximum (?:allowed )?(?:size|number of bytes)", "Claude"),
    (r"(?:request|payload|content|entity|body) (?:entity |body )?too large", "nginx"),
    (r"(?:payload|body|request) size (?:\S{1,40} ){0,4}(?:exceeds?|over|above)", "Gemini"),
    (r"total message size \d{1,12} exceeds", "Kimi"),
    (r"request_too_large|maximum (?:request|payload|body) size", WELL_KNOWN),
    (r"(?:body|payload|request) (?:\w{1,20} ){0,3}(?:larger|bigger) than", "Express, Bedrock"),
)
