"""The wordings in which Bedrock's Converse refuses the structure of a request.

Claude behind Bedrock answers in Anthropic's words, after "The model returned the following errors".
"""

from __future__ import annotations

from wiremend.recovery.signs import DOCUMENTED, Sign, signs

_MODEL = r"model returned the following errors: .{0,80}"

BEDROCK: tuple[Sign, ...] = signs(
    "structure",
    "bedrock",
    (
        (r"expected toolresult blocks at", "WM501", "mlflow/mlflow#24296"),
        (r"number of toolresult blocks at", "WM502", "OpenHands/OpenHands#4912"),
        (r"toolresult blocks at \S{1,80} contain duplicate ids", "WM503", "BerriAI/litellm#20047"),
        (r"tooluse blocks at \S{1,80} contain duplicate ids", "WM504", "BerriAI/litellm#20049"),
        (r"tool (?:use|result) blocks cannot be provided in the same turn", "WM505", "sdk#1223"),
        (r"tooluseid failed to satisfy constraint", "WM506", "earendil-works/pi#781"),
        (
            r"(?:tooluse|toolspec|tool)\.name failed to satisfy constraint",
            "WM507",
            "pydantic/pydantic-ai#4585",
        ),
        (r"tooluse\.input is invalid", "WM508", "the row below"),
        (r"\.json is invalid\. provide a json object", "WM513", "aws/aws-sdk-js-v3#7330"),
        (r"toolconfig field must be defined", "WM509", "aws-samples/bedrock-access-gateway#239"),
        (r"toolconfig\.tools failed to satisfy constraint", "WM510", DOCUMENTED),
        (_MODEL + r"content cannot be empty if is_error", "WM511", DOCUMENTED),
        (r"toolresult\.content failed to satisfy constraint", "WM512", DOCUMENTED),
        (r"conversation must start with a user message", "WM514 WM517", "langgenius/dify#12340"),
        (r"must alternate between user and assistant roles", "WM515", "langchain-aws#130"),
        (r"member\.role failed to satisfy constraint", "WM516", DOCUMENTED),
        (r"messages cannot contain (?:reasoning content|tool use)", "WM518", "vercel/ai#7034"),
        (_MODEL + r"not support assistant message prefill", "WM519", "TunnelVision#5"),
        (
            r"field in the \w{0,20}contentblock object at \S{1,80} is blank",
            "WM520",
            "continue#9767",
        ),
        (
            r"content field in the message object at \S{1,80} is empty",
            "WM521",
            "theopenco/llmgateway#3127",
        ),
        (r"member\.content failed to satisfy constraint", "WM521", "maximhq/bifrost#6732"),
        (r"unknown parameter in (?:messages|system)\.", "WM522 WM518", "botocore"),
        (_MODEL + r"invalid signature in thinking block", "WM523", "vercel/ai#7034"),
        (_MODEL + r"cannot end with trailing whitespace", "WM524", "anomalyco/opencode#1295"),
        (_MODEL + r"expected thinking or redacted_thinking", "WM534", "langchain-aws#844"),
        (r"reasoningtext\.text failed to satisfy constraint", "WM535", "LibreChat#13888"),
        (_MODEL + r"\.type: field required", "WM536", "strands-agents/harness-sdk#1966"),
        (r"cache point cannot be inserted after reasoning", "WM525", "anomalyco/opencode#36517"),
        (_MODEL + r"maximum of \d+ blocks with cache_control", "WM526", "twentyhq/twenty#26217"),
        (r"\bformat failed to satisfy constraint", "WM527", "harness-sdk#3019"),
        (r"support the (?:image|document) field for assistant", "WM529", DOCUMENTED),
        (r"document file name can only contain", "WM530", "vercel/ai#20365"),
        (r"contain duplicate document names", "WM531", "maximhq/bifrost#7003"),
        (r"text block must be included when using documents", "WM532", "archestra#4220"),
        (r"inferenceconfig\.\w{1,40} failed to satisfy constraint", "WM533", DOCUMENTED),
        (r"toolspec\.description failed to satisfy constraint", "WM539", DOCUMENTED),
        (r"serializationexception.{0,200}base64", "WM538", "botocore: blobs"),
        (r"member must have exactly one member", "WM537", "botocore: unions"),
        (r"member must (?:satisfy|have|not be|be)\b", "", "pydantic/pydantic-ai#4585"),
    ),
)
