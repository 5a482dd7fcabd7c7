"""What the Gemini API says about the structure of contents, and the rules that it is about."""

from __future__ import annotations

from wiremend.recovery.signs import Row

GEMINI: tuple[Row, ...] = (
    (r"number of function response parts", "WM401 WM403", "google-gemini/gemini-cli#4217"),
    (r"function response turn comes immediately", "WM402", "microsoft/vscode#299295"),
    (r"function call turn comes immediately", "WM405 WM406", "google-gemini/gemini-cli#11814"),
    (r"functionresponse\.id does not match", "WM404", "router-for-me/CLIProxyAPI#5199"),
    (
        r"empty text parameter|must have a text parameter|model input cannot be empty",
        "WM408",
        "google/adk-python#338",
    ),
    (r"parts must not be empty|at least one parts field", "WM409", "vercel/ai#3775"),
    (r"oneof field data must have one initialized", "WM410", "genkit-ai/genkit#3816"),
    (r"oneof field \w{1,40} is already set", "WM411", "protobuf's JSON parser"),
    (r"use a valid role: user, model", "WM412", "langbot-app/LangBot#1486"),
    (
        r"unknown name (?:content|tool_calls?|tool_call_id|type) at contents",
        "WM413",
        "gera2ld/ai.nvim#13",
    ),
    (r"missing a thought_signature", "WM414", "dirge-code/dirge#833"),
    (r"thought_signature \(type_bytes\), base64", "WM415", "crmne/ruby_llm#521"),
    (r"thought signature is not valid|corrupted thought signature", "", "earendil-works/pi#471"),
    (r"\.args \(type\.googleapis\.com", "WM416", "protobuf's JSON parser"),
    (r"\.response \(type\.googleapis\.com", "WM417", "protobuf's JSON parser"),
    (
        r"invalid function name|function_\w{1,20}(?:\[\d{1,9}\])?\.name: name cannot be empty",
        "WM418",
        "google-gemini/gemini-cli#2966",
    ),
    (r"contents (?:is|are) (?:not|required)", "WM420", "the API's validator"),
    (r"requests ending with a model turn", "WM421", "envoyproxy/ai-gateway#2686"),
    (r"multiturn requests ends with a user role", "WM421", "songquanpeng/one-api#836"),
    (r"multiturn requests alternate|single turn requests end", "WM406", "semantic-kernel#13288"),
)

GEMINI_MEDIA: tuple[Row, ...] = (
    (r"inline_data\.data \(type_bytes\), base64", "WM415", "protobuf's JSON parser"),
    (r"unsupported mime ?type", "WM419", "Mai-with-u/MaiBot#1435"),
    (r"function_response\.parts is not supported", "", "google-gemini/gemini-cli#19436"),
    (r"unable to process input image", "WM419", "well-known text of the provider"),
)
