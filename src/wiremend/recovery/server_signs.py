"""What servers that speak Chat Completions say about the structure of messages.

Each has rules, or a chat template, of its own. Rows as in ``signs``.
"""

from __future__ import annotations

from wiremend.recovery.signs import Row

_EXTRA = r"(?:extra_forbidden|extra (?:inputs|fields) (?:are )?not permitted)"

SERVERS: tuple[Row, ...] = (
    (r"role assistant must not be empty", "WM601", "MoonshotAI/kimi-code#1985"),
    (r"role \w{1,20} must not be empty", "WM601", "MoonshotAI/kimi-code#1985"),
    (
        r"reasoning_content is missing in assistant|missing reasoning_content field",
        "WM602 WM621",
        "cloudwego/eino-ext#700",
    ),
    (
        r"reasoning_content.{0,60}must be passed back",
        "WM621 WM602",
        "JohnnyZ93/oai-compatible-copilot#215",
    ),
    (r"reasoning_content.{0,40}not allowed", "WM622", "DeepSeek R1"),
    (r"contains an invalid part type", "WM603 WM605", "MoonshotAI/kimi-cli#788"),
    (r"function name is invalid, must start with", "WM604", "MoonshotAI/kimi-cli#1773"),
    (r"tool messages need a resolvable tool name", "WM101 WM102", "nicobailon/pi-subagents#1956"),
    (r"invalid type: sequence, expected a string", "WM623", "Gitlawb/openclaude#774"),
    (r"role: unknown variant|role_unspecified", "WM661", "earendil-works/pi#1048"),
    (r"developer is not one of", "WM661", "DayuanJiang/next-ai-draw-io#304"),
    (r"unknown variant (?!image|input_audio|video)\w{1,40}, expected text", "WM624", "DeepSeek"),
    (
        # That a picture cannot be taken is a class of its own.
        r"failed to deserialize the json body into(?!.{0,200}variant (?:image|input_audio|video))",
        "WM003",
        "Gitlawb/openclaude#774",
    ),
    (r"tool call id was .{0,200}must be", "WM641", "anomalyco/opencode#1680"),
    (r"tool call id has to be defined", "WM106", "mistral_common"),
    (r"unexpected role \w{1,40} after role", "WM642", "NousResearch/hermes-agent#20154"),
    (r"conversation must start with a user message or system", "WM642", "mistral_common"),
    (r"expected last role", "WM643", "NEKOparapa/AiNiee#641"),
    (r"assistant message with prefix true must be last", "WM644", "mistral_common"),
    (r"messages ?参数非法|messages parameter is illegal", "", "MetaGLM/zhipuai-sdk-python-v4#14"),
    (r"missing messages\.content", "WM110", "AstrBotDevs/AstrBot#6852"),
    (r"must have either content or tool_calls", "WM645 WM110", "zed-industries/zed#47579"),
    (r"unexpected content chunk types in", "WM647", "mistral_common"),
    (r"unexpected tool call id .{1,60} in tool results", "WM102", "mistral_common"),
    (r"duplicate tool call id .{1,60} in tool results", "WM103", "mistral_common"),
    (
        rf"\bmessages\b.{{0,200}}{_EXTRA}|{_EXTRA}.{{0,200}}\bmessages\b",
        "WM646",
        "BerriAI/litellm#30835",
    ),
    (r"unexpected role roleenum", "WM642", "mistralai/mistral-inference#135"),
    (r"roles must alternate", "WM664", "vllm-project/vllm#6862"),
    (r"system message must be at the beginning", "WM663", "ollama/ollama#17774"),
    (
        r"do not contain elements with the role of user|no user query found in messages",
        "WM662",
        "agentscope-ai/agentscope-java#613",
    ),
    (r"only user(?: and|,) assistant", "WM663 WM664", "chat templates"),
    (r"message content must not be empty", "WM665", "SGLang, LM Studio"),
    (r"an empty message was provided|at least one content element", "WM665", "langchain#34140"),
    (r"\.name: field required|field required: .{1,80}\.name", "WM666", "vllm-project/vllm"),
    (r"thinking in the thinking mode must be passed back", "", "leookun/cursor-byok#276"),
    (r"last message of \S{1,40} must be a user message", "", "DeepSeek"),
    (r"not support successive user or assistant messages", "WM664", "DeepSeek"),
    (r"content field is a required field", "WM110", "DashScope"),
    (r"content must contain at least one part", "WM665", "farion1231/cc-switch#464"),
    (r"system role (?:is )?not supported", "WM663", "chat templates"),
    (r"cannot have 2 or more assistant messages", "WM664", "llama.cpp"),
    (r"prefill is incompatible with", "", "llama.cpp"),
    (r"non-assistant messages must contain content", "WM110", "llama.cpp"),
    (r"failed to parse tool call arguments", "WM109", "llama.cpp"),
    (r"both content and thinking in an assistant message", "", "lmstudio-bug-tracker#842"),
    (r"invalid message content type", "WM110", "Ollama"),
    (r"unmarshal \w{1,20} into go struct field \w{0,40}\.messages", "WM003", "Ollama"),
    (r"messages\.\d{1,9} ?: (?:for role|discriminator property role)", "WM003", "Groq"),
    (r"validation errors? for validatoriterator", "WM003", "vLLM"),
    (r"body, ?messages, ?\d{1,9}, ?.{0,120}(?:field required|input should)", "WM003", "vLLM"),
)
