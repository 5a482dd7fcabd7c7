"""The wordings of refusals for the structure of the messages, and the rules they are about.

A row lists the rules of both families where the fault is the same in both; a provider that has
no rules of its own yet, and is not shaped like a chat, lists none.
"""

from __future__ import annotations

import re

from wiremend.recovery.bedrock_signs import BEDROCK
from wiremend.recovery.gemini_signs import GEMINI
from wiremend.recovery.server_signs import SERVERS
from wiremend.recovery.signs import DOCUMENTED, Row, Sign, plain, signs

_ANTHROPIC: tuple[Row, ...] = (
    (r"tool_use ids were found without tool_result", "WM201 WM101", "anthropics/claude-code#2697"),
    (r"unexpected tool_use_id found in tool_result", "WM202 WM102", "anthropics/claude-code#18947"),
    (r"did not find \d+ tool_result block", "WM205 WM201", "anthropics/claude-code#37"),
    (r"must begin with a matching number of tool_result", "WM205 WM201", "claude-code#37"),
    (
        r"each tool_use must have a single result",
        "WM203 WM103",
        "EdanStarfire/claudecode_webui#405",
    ),
    (r"multiple tool_result blocks with id", "WM203 WM103", "EdanStarfire/claudecode_webui#405"),
    (r"tool_use ids must be unique", "WM204 WM104", "anthropics/claude-code#20901"),
    (r"without a corresponding \w{1,60}_tool_result", "WM223", "AnswerDotAI/lisette#108"),
    (r"unexpected tool_use_id found in \w{1,60}_tool_result", "WM223", "the row above, reversed"),
    (r"server_tool_use\.id: string should match", "WM223", "ding113/claude-code-hub#470"),
    (r"tool_use\.id: string should match", "WM206", "BlockRunAI/ClawRouter#17"),
    (r"tool_result\.tool_use_id: string should match", "WM206", "BlockRunAI/ClawRouter#17"),
    (r"tool_use\.name: string should", "WM207", DOCUMENTED),
    (r"tools\.\d{1,9}\.(?:\w{1,20}\.)?name: string should", "WM207", DOCUMENTED),
    (r"tool_use\.input: (?:input should be|field required)", "WM208", "lijunzh/koda#501"),
    (
        r"text content blocks must (?:be non-empty|contain non-whitespace)",
        "WM209 WM520",
        "BerriAI/litellm#22979",
    ),
    (r"must have non-empty content", "WM210", "anthropics/claude-code#6458"),
    (r"cannot end with trailing whitespace", "WM211 WM524", "anomalyco/opencode#1295"),
    (r"first message must use the user role", "WM212 WM514", "posit-dev/py-shiny#1530"),
    (r"unexpected role \w{1,40}\. ", "WM213", "open-webui/open-webui"),
    (r"role system is not supported on this model|role system must", "WM213", DOCUMENTED),
    (r"invalid signature in thinking block", "WM214 WM523", "caozhiyuan/copilot-api#78"),
    (r"thinking\.signature: (?:field required|input should)", "WM214", "tombii/better-ccflare#52"),
    (
        r"expected thinking or redacted_thinking, but found",
        "WM215 WM534",
        "anomalyco/opencode#3077",
    ),
    (r"must start with a thinking block", "WM215", "anomalyco/opencode#3077"),
    (r"when thinking is disabled, an assistant message", "WM216", DOCUMENTED),
    (r"blocks in the latest assistant message cannot be modified", "", "claude-code#63361"),
    (r"first block must be thinking", "WM215", "anthropics/claude-code#20691"),
    (r"final block in an assistant message cannot be thinking", "", "tailcallhq/forgecode#3071"),
    (r"tool_result blocks must define", "WM217", DOCUMENTED),
    (r"maximum of \d+ blocks with cache_control", "WM220 WM526", "cline/cline"),
    (r"cache_control cannot be set for empty text", "WM221", "anthropics/claude-code#54013"),
    (r"thinking\.cache_control: extra inputs", "WM230", "Wei-Shaw/sub2api#225"),
    (r"cache_control[\w.]{0,60}: (?:extra inputs|input)", "WM222", DOCUMENTED),
    (r"not support assistant message prefill", "WM224 WM519", "vscode-unify-chat-provider#249"),
    (r"conversation must end with a user message", "WM224 WM519", "vscode-unify-chat-provider#249"),
    (r"does not match any of the expected tags", "WM225", DOCUMENTED),
    (r"blocks can only be in (?:user|assistant) messages", "WM229", DOCUMENTED),
    (r"all content must be type text if is_error", "WM231", "caozhiyuan/copilot-api#196"),
    (r"content cannot be empty if is_error", "WM226 WM511", DOCUMENTED),
    (r"at least one message is required", "WM228", DOCUMENTED),
    (r"multiple (?:assistant|user) roles in a row", "", "FlowiseAI/Flowise#2006"),
)

_CHAT: tuple[Row, ...] = (
    (r"tool_call_?ids did not have response messages", "WM101 WM201", "HKUDS/OpenHarness#240"),
    (r"tool_calls must be followed by tool messages", "WM101 WM201", "HKUDS/OpenHarness#240"),
    (r"insufficient tool messages following", "WM101", "DeepSeek"),
    (r"role tool must be a response to a prece", "WM102 WM202", "langchain-ai/langchain#38352"),
    (r"message has tool role, but there was no", "WM102", "CopilotKit/CopilotKit#7277"),
    (r"not the same number of function calls and responses", "WM101 WM102", "client-ts#106"),
    (
        r"duplicate value for tool_call_id",  # of a second result, or of twin calls
        "WM103 WM104",
        "earendil-works/pi#6796",
    ),
    (r"already answered tool_call_id", "WM103", "cases/reports/025"),
    (r"duplicate (?:value for id|tool[_ ]calls? ?ids?)", "WM104", "cases/reports/026"),
    (r"tool_calls: empty array|empty tool_calls", "WM105", "openai/openai-node#1341"),
    (r"(?:tool_calls\[\d{1,9}\]\.id|tool_call_id): empty string", "WM106", DOCUMENTED),
    (r"tool[_ ]call[_ ]id is invalid", "WM106", "Kilo-Org/kilocode#3967"),
    (r"tool_call_id is not found", "WM106 WM102", "Gentleman-Programming/gentle-pi#1052"),
    (r"tool_call_id \S{1,200} is not found", "WM102", "MoonshotAI"),
    (r"(?:\]\.id|tool_call_id): string too long", "WM107", "anomalyco/opencode#12653"),
    (r"(?:function|custom|function_call)\.name: string", "WM108", DOCUMENTED),
    (r"invalid function arguments json", "WM109", "NousResearch/hermes-agent#11788"),
    (
        r"invalid (?:json (?:format )?in )?(?:tool|function)[_ ]call arguments",
        "WM109",
        "duolahypercho/codex-router#161",
    ),
    (r"arguments\b.{0,40}(?:not|must be|invalid)\b.{0,20}json", "WM109", "strict servers"),
    (r"unterminated string starting at|expecting .{1,40}: line \d", "WM109", "vllm-project/vllm"),
    (r"can only get item pairs from a mapping", "WM109", "chat templates"),
    (r"expected a string, (?:but )?got null", "WM110", "run-llama/llama_index#17555"),
    (r"content: expected .{1,60}, but got null", "WM110", DOCUMENTED),
    (r"missing required parameter: messages\[\d{1,9}\]\.content", "WM110", DOCUMENTED),
    (r"content: empty array", "WM111", DOCUMENTED),
    (r"image urls are only allowed for messages with role", "WM112", "OpenHands/OpenHands#7700"),
    (r"supported values are: text\b", "WM113", DOCUMENTED),
    (r"invalid messages: empty array", "WM115", DOCUMENTED),
)

_RESPONSES: tuple[Row, ...] = (
    (r"no tool output found for", "WM301", "livekit/agents#5092"),
    (r"no tool call found for", "WM302", "n8n-io/n8n#33431"),
    (r"duplicate function_call_output for", "WM303", "NousResearch/hermes-agent#102629"),
    (r"duplicate call_id", "WM304", "earendil-works/pi#9057"),
    (r"input\[\d{1,9}\]\.call_id: empty string", "WM305", DOCUMENTED),
    (r"parameter: input\[\d{1,9}\]\.call_id", "WM305", DOCUMENTED),
    (r"input\[\d{1,9}\]\.call_id: string too long", "WM306", DOCUMENTED),
    (r"input\[\d{1,9}\]\.(?:tools\[\d{1,9}\]\.)?name: string", "WM307", DOCUMENTED),
    (r"tools\[\d{1,9}\]\.name: string", "WM307", DOCUMENTED),
    (r"input\[\d{1,9}\]\.arguments\b", "WM308", DOCUMENTED),
    (r"input\[\d{1,9}\]\.output: expected", "WM309", DOCUMENTED),
    (r"parameter: input\[\d{1,9}\]\.output", "WM309", DOCUMENTED),
    (r"without its required following item", "WM310", "continuedev/continue#8933"),
    # Which reasoning an item came with, its request does not tell: no rule can.
    (r"without its required (?:reasoning|preceding) item", "", "0xPlaygrounds/rig#751"),
    (r"items are not persisted when store is set to false", "WM311", "vercel/ai#7543"),
    (r"parameter: input\[\d{1,9}\]\.id", "WM311", DOCUMENTED),
    (r"input\[\d{1,9}\]\.summary", "WM312", "AAswordman/Operit#797"),
    (r"duplicate item found with id", "WM313", "vercel/ai#7883"),
    (r"expected an id that (?:begins|contains)", "WM314", "openai/openai-agents-python#2293"),
    (r"input\[\d{1,9}\]\.id: string too long", "WM314", DOCUMENTED),
    (r"supported values are: assistant, system, developer", "WM315", "Chevey339/kelivo#281"),
    (r"unknown parameter: input\[\d{1,9}\]\.tool_calls", "WM315", "Chevey339/kelivo#281"),
    (r"supported values are: message\b", "WM315", DOCUMENTED),
    (r"supported values are: (?:output|input)_text", "WM316", "NousResearch/hermes-agent#15687"),
    (r"input\[\d{1,9}\]\.content: expected one of", "WM317", DOCUMENTED),
    (r"parameter: input\[\d{1,9}\]\.content", "WM317", DOCUMENTED),
    (r"item with id \S{1,80} not found", "WM311", "vercel/ai#7543"),
    (r"encrypted content .{0,400}(?:could not be verified|could not be decrypted)", "", DOCUMENTED),
    (r"one of input or previous_response_id", "WM319", DOCUMENTED),
    (r"parameter: tools\[\d{1,9}\]\.name", "WM320", DOCUMENTED),
)

_BOTH: tuple[Row, ...] = (
    (
        r"(?:low|lone|unpaired|leading|trailing) surrogate|surrogates? not",
        "WM001",
        "anthropics/claude-code#3277",
    ),
    (r"not json compliant|\b(?:nan|infinity)\b.{0,30}(?:json|not allowed)", "WM002", DOCUMENTED),
    (r"json.{0,60}\b(?:nan|infinity)\b", "WM002", DOCUMENTED),
    (r"body is not valid json|could not parse the json body", "WM003", DOCUMENTED),
)

# No rules yet, or the limits of a server's chat template.
_OTHERS: tuple[Row, ...] = (
    (r"supported values are: (?:assistant|system)", "", "kelivo#281"),
    (r"conversation must (?:start with|alternate)", "", DOCUMENTED),
)

# Claude says the same behind Bedrock and Vertex.
_BOUND_THINKING = Sign(
    re.compile(r"block is bound to a different conversation|prefix_mismatch_behavior to drop"),
    "structure",
    "anthropic",
    ("WM214", "WM523"),
    DOCUMENTED,
    ("thinking", "drop_block"),
)

STRUCTURE: tuple[Sign, ...] = (
    *signs("structure", "", _BOTH),
    _BOUND_THINKING,
    *BEDROCK,
    *signs("structure", "anthropic", _ANTHROPIC),
    *signs("structure", "responses", _RESPONSES),
    *signs("structure", "chat", SERVERS),
    *signs("structure", "chat", _CHAT),
    *signs("structure", "gemini", GEMINI),
    *signs("structure", "", _OTHERS),
)

_TOOL_WORDS = (
    r"(?:\b(?:tool|function)[_ ]?(?:calls?|use|results?|messages?|responses?|outputs?)"
    r"(?:[_ ]?(?:ids?|outputs?|blocks?|messages?))?\b|\brole:? (?:tool|function)\b)"
)
_PAIRED = (
    r"must (?:be|have|follow|come)|missing|without|not found|no (?:matching|corresponding)|"
    r"unexpected|duplicated?|mismatch\w*|match(?:es|ing)?|preced\w+|followed|correspond\w*|"
    r"unmatched|unanswered|orphan\w*|belongs?|needs?"
)

# The right place, but no fault that is known: only where nothing more exact was said, and where
# the status says that it was the request's.
UNNAMED: tuple[Sign, ...] = (
    *signs(
        "structure",
        "anthropic",
        (
            (
                r"messages[\w.]{0,80}: (?:field required|input should be a valid)",
                "WM003",
                DOCUMENTED,
            ),
        ),
    ),
    *signs(
        "structure",
        "chat",
        ((r"(?:type for|parameter:|invalid) messages\[\d{1,9}\]", "WM003", DOCUMENTED),),
    ),
    *signs(
        "structure",
        "responses",
        ((r"(?:invalid|parameter:|type for) input\[\d{1,9}\]", "WM003", DOCUMENTED),),
    ),
    *plain(
        "structure",
        (rf"{_TOOL_WORDS}.{{0,120}}\b(?:{_PAIRED})\b", "pairing, in any words"),
        (
            r"\b(?:missing|unexpected|orphan\w*|duplicated?|unmatched|dangling|unanswered|"
            rf"mismatch\w*|no (?:matching|corresponding)) (?:\w{{1,20}} ){{0,4}}{_TOOL_WORDS}",
            "pairing, in any words",
        ),
        (
            rf"{_TOOL_WORDS}[\w.]{{0,40}} is of type\b|\bboth\b.{{0,40}}\band {_TOOL_WORDS}",
            "the form of calls and results, in any words",
        ),
        (
            r"\broles?\b.{0,60}\b(?:alternat\w+|consecutive|successive|in a row|must be)\b|"
            r"\b(?:consecutive|successive) (?:\w{1,20} ){0,3}(?:messages|turns|roles)\b",
            "turns, in any words",
        ),
        (
            r"\b(?:first|last|final) (?:\w{1,20} ){0,2}(?:message|turn)\b.{0,40}\bmust\b|"
            r"\bmessage (?:sequence|order)\b|"
            r"\b(?:message|turn)s?\b.{0,60}\b(?:cannot|must|should) (?:follow|come|start|end)\b",
            "turns, in any words",
        ),
        (
            r"\b(?:unsupported|unknown|unexpected) (?:message )?role\b|"
            r"\b(?:expected|role:?) (?:\w{1,20} ){0,2}(?:user|assistant|model|tool)\b"
            r".{0,60}\bgot\b",
            "turns, in any words",
        ),
        (
            r"\b(?:messages?|content|parts?|text)\b.{0,40}\b(?:must not|cannot|can not|may not|"
            r"should not) be (?:empty|null|blank|none)\b|"
            r"\b(?:empty|blank|null) (?:message|content|text|part)s?\b.{0,30}"
            r"\b(?:not (?:allowed|permitted|supported)|invalid)\b|"
            r"\b(?:message|content) (?:\w{1,20} )?(?:is|are|was|must be) (?:a )?"
            r"(?:empty|blank|null|non-?empty|(?:a )?required)\b",
            "empty messages, in any words",
        ),
        (
            r"\b(?:messages?|history|contents?)\b.{0,30}\b(?:must|needs?|should|has to|have to)\b "
            r"(?:have |contain |include )?(?:at least one|an?|some|non-?empty)\b",
            "empty messages, in any words",
        ),
    ),
)

# Not a wording at all: the provider blames a place in the messages.
POINTED = Sign(re.compile(""), "structure")
