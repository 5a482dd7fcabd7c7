// Conversations through the Vercel AI SDK, with the files of its page beside this one: questions as
// JSON on standard input, [{model, streamed, settled, messages}]; prints what came of each.

import { convertToModelMessages, generateText, streamText, tool } from "ai";
import { text } from "node:stream/consumers";
import { z } from "zod";
import { answered } from "./answered.mjs";
import { anthropic, openai } from "./providers.mjs";

const MODELS = {
  anthropic: anthropic("claude-sonnet-4-5"),
  chat: openai.chat("gpt-5"),
  responses: openai("gpt-5"),
};
const weather = tool({
  description: "The weather in a city.",
  inputSchema: z.object({ city: z.string().optional() }),
});
const WAYS = {
  plain: (messages) => messages,
  answered,
  ui: (messages) => convertToModelMessages(messages),
  "ui, without open calls": (messages) =>
    convertToModelMessages(messages, { ignoreIncompleteToolCalls: true }),
};

async function ask({ model, streamed, way, messages, settings }) {
  const asked = {
    model: MODELS[model],
    tools: { weather },
    messages: await WAYS[way](messages),
    maxRetries: 0,
    ...settings,
  };
  if (!streamed) return await generateText(asked);
  let failed = null;
  const answer = streamText({ ...asked, onError: ({ error }) => (failed = error) });
  await answer.consumeStream();
  if (failed) throw failed;
  return { text: await answer.text, response: await answer.response };
}

const came = [];
for (const question of JSON.parse(await text(process.stdin))) {
  try {
    const answer = await ask(question);
    came.push({ text: answer.text, repairs: answer.response.headers["x-wiremend-repairs"] });
  } catch (error) {
    came.push({ error: error.name, status: error.statusCode, message: error.message });
  }
}
console.log(JSON.stringify(came));
