// Two agents on the official Node SDKs: a turn with a tool, one that is cancelled, and another
// prompt. Usage: node agents.mjs openai|anthropic BASE_URL whole|streamed; prints JSON.

import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";

const PICTURE =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNgAAAAAgAB5Sfe/AAAAABJRU5ErkJggg==";
const SCHEMA = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };

class ChatAgent {
  constructor(url) {
    this.sdk = new OpenAI({ baseURL: `${url}/v1`, apiKey: "sk-any", maxRetries: 0 });
    this.history = [];
  }

  hears(text, picture = false) {
    const url = `data:image/png;base64,${PICTURE}`;
    const pictures = picture ? [{ type: "image_url", image_url: { url } }] : [];
    this.history.push({ role: "user", content: [{ type: "text", text }, ...pictures] });
  }

  async steps(streamed) {
    const asked = {
      model: "gpt-5",
      messages: this.history,
      tools: [{ type: "function", function: { name: "look", parameters: SCHEMA } }],
    };
    const answer = streamed
      ? await this.sdk.chat.completions.stream(asked).finalChatCompletion()
      : await this.sdk.chat.completions.create(asked);
    const { role, content, tool_calls } = answer.choices[0].message;
    const calls = tool_calls?.map((call) => ({
      id: call.id,
      type: call.type,
      function: { name: call.function.name, arguments: call.function.arguments },
    }));
    this.history.push({ role, content, ...(calls?.length ? { tool_calls: calls } : {}) });
    return content ?? "";
  }

  looks(found) {
    const [call] = this.history.at(-1).tool_calls;
    this.history.push({ role: "tool", tool_call_id: call.id, content: found });
  }
}

class AnthropicAgent {
  constructor(url) {
    this.sdk = new Anthropic({ baseURL: url, apiKey: "sk-any", maxRetries: 0 });
    this.history = [];
  }

  hears(text, picture = false) {
    const source = { type: "base64", media_type: "image/png", data: PICTURE };
    const pictures = picture ? [{ type: "image", source }] : [];
    this.history.push({ role: "user", content: [{ type: "text", text }, ...pictures] });
  }

  async steps(streamed) {
    const asked = {
      model: "claude-sonnet-4-5",
      max_tokens: 1000,
      messages: this.history,
      tools: [{ name: "look", input_schema: SCHEMA }],
    };
    const message = streamed
      ? await this.sdk.messages.stream(asked).finalMessage()
      : await this.sdk.messages.create(asked);
    this.history.push({ role: "assistant", content: message.content });
    return message.content
      .filter((block) => block.type === "text")
      .map((block) => block.text)
      .join("");
  }

  looks(found) {
    const call = this.history.at(-1).content.at(-1);
    const result = { type: "tool_result", tool_use_id: call.id, content: found };
    this.history.push({ role: "user", content: [result] });
  }
}

const [sort, url, how] = process.argv.slice(2);
const agent = new { openai: ChatAgent, anthropic: AnthropicAgent }[sort](url);
const streamed = how === "streamed";
const said = [];
let error = null;
try {
  agent.hears("What is in the file?", true);
  said.push(await agent.steps(streamed));
  agent.looks("forty-two");
  said.push(await agent.steps(streamed));
  agent.hears("And now?");
  said.push(await agent.steps(streamed));
  agent.hears("Never mind; thank you.");
  said.push(await agent.steps(streamed));
} catch (caught) {
  error = { status: caught.status ?? null, message: caught.message };
}
console.log(JSON.stringify({ said, error }));
