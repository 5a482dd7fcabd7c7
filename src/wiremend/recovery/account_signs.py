"""The wordings about accounts and servers: what no other request would change."""

from __future__ import annotations

from wiremend.recovery.signs import WELL_KNOWN, plain

PACE = plain(
    "rate_limit",
    (r"(?:tokens|requests|images|quota).{0,200}per[ _-]?(?:min|second|hour)", WELL_KNOWN),
    (r"too many tokens(?: per day)?, please wait", "Bedrock throttling"),
    (r"allocated quota exceeded", "DashScope, per minute"),
    (r"max (?:rpm|tpm|organization concurrency)\b", "Kimi"),
)
"""Limits over time, whose words are much like those of an overflow or an empty account."""

QUOTA = plain(
    "quota",
    (r"insufficient[_ ](?:\w{1,40} )?(?:quota|balance|credits?|funds)", WELL_KNOWN),
    (r"credit balance is too low|purchase (?:more )?credits", WELL_KNOWN),
    (r"(?:requires|need) more credits|out of (?:credits|call volume)", "OpenRouter, Azure"),
    (
        r"exceeded (?:your|the) (?:\w{1,40} ){0,3}quota|quota (?:\w{1,40} ){0,2}exceeded",
        WELL_KNOWN,
    ),
    (r"service quota|(?:quota|free tier) (?:\w{1,40} ){0,4}exhausted", "AWS, DashScope"),
    (r"check quota|spend(?:ing)? limit|billing hard limit|payment required", WELL_KNOWN),
    (r"usage limits? (?:\w{1,40} ){0,3}(?:reached|exceeded)|in arrears|overdue", WELL_KNOWN),
    (r"(?:reached|exceeded|hit|over) (?:\w{1,40} ){0,3}usage limits?", "Anthropic, Kimi"),
    (r"extra usage is required", "Anthropic"),
    (r"enable billing|(?:check|update) (?:\w{1,40} ){0,4}billing", "Gemini, OpenAI, Kimi"),
    (r"account (?:\S{1,60} )?(?:is |has been )?suspended", "Fireworks, Kimi"),
    (r"余额不足|欠费|额度(?:不足|已用)", "Zhipu, DashScope, DeepSeek"),
)

AUTH = plain(
    "auth",
    (
        r"(?:invalid|incorrect|missing|wrong|no) (?:\w{1,40} )?(?:x-)?"
        r"(?:api|subscription|access)[ _-]?key",
        WELL_KNOWN,
    ),
    (r"api[ _-]?key (?:is )?(?:not (?:valid|found)|invalid|expired|required)", WELL_KNOWN),
    (r"api key: \S{1,80} is invalid", "DeepSeek"),
    (r"(?:didnt|did not|must|need to) provide (?:\w{1,20} ){0,2}api[ _-]?key", "OpenAI"),
    (r"authentication (?:fail|error|is required|required)|invalid authentication", WELL_KNOWN),
    (r"(?:no|missing|invalid) (?:auth\w{0,12} )?(?:credentials|authorization)", "OpenRouter"),
    (r"(?:invalid|expired) (?:bearer|access|auth\w*|oauth|security) token", WELL_KNOWN),
    (r"(?:token|credentials) (?:\w{1,40} ){0,4}expired|security token included in", "AWS"),
    (r"request signature we calculated", "AWS"),
    (r"unauthori[sz]ed|not authori[sz]ed|access ?denied|permission denied", WELL_KNOWN),
    (r"insufficient permissions?|(?:not|dont|doesnt) have (?:\w{1,20} ){0,3}permission", "OpenAI"),
    (r"(?:dont|do not) have access to the model with", "Bedrock"),
    (
        r"organization has been disabled|unregistered callers|account (?:\w{1,20} )?deactivated",
        WELL_KNOWN,
    ),
    (r"api has not been used in project|country, region, or territory not", "Google, OpenAI"),
)

BUSY = (
    *plain(
        "rate_limit",
        (r"service tier capacity exceeded|exceeded (?:\w{1,20} )?rate limit", "Mistral, Azure"),
    ),
    *plain(
        "overloaded",
        (
            r"overloaded|over capacity|at capacity|capacity exceeded|"
            r"service (?:\w{1,40} )?unavailable",
            WELL_KNOWN,
        ),
        (
            r"(?:server|system|engine|model|service) (?:is )?(?:\w{1,40} )?busy",
            "DeepSeek, Ollama",
        ),
        (r"(?:high|heavy|peak) (?:demand|load|traffic)", "Azure, OpenAI"),
        (r"loading model|model is (?:\w{1,20} )?(?:loading|not ready)", "llama.cpp, Bedrock"),
        (r"(?:maximum|too many) pending requests", "Ollama"),
    ),
    *plain("rate_limit", (r"rate[ _-]?limit|too many requests|throttl", WELL_KNOWN)),
    *plain(
        "server",
        (r"internal (?:server )?error|bad gateway|gateway time-?out", WELL_KNOWN),
        (
            # What follows a colon is another error, which speaks for itself.
            r"upstream (?:\w{1,40} )?(?:timeout|error(?!:)|failure|connect)|"
            r"timed out|timeout occurred",
            WELL_KNOWN,
        ),
        (r"unexpected error (?:during|while|occur)|error while processing your", "AWS, OpenAI"),
        (r"runner process (?:has terminated|no longer running)", "Ollama"),
    ),
    *plain(
        "network",
        (
            r"connection (?:error|reset|refused|aborted|closed)|socket hang up|fetch failed",
            WELL_KNOWN,
        ),
        (r"\b(?:econn(?:reset|refused|aborted)|enotfound|etimedout|eai_again)\b", "Node's SDKs"),
        (r"name or service not known|getaddrinfo|temporary failure in name", "resolvers"),
        (r"peer closed connection|server disconnected|incomplete chunked read", "httpx, aiohttp"),
    ),
    *plain(
        "aborted",
        (r"request (?:was )?(?:aborted|cancell?ed)|(?:operation|call) was (?:aborted|cance)", ""),
        (r"client (?:has )?(?:disconnected|closed (?:the )?(?:request|connection))", "vLLM, nginx"),
    ),
    *plain(
        "other",
        (r"try pulling it first|does not support tools", "Ollama"),
    ),
)
