// The words of the page: what the terms of the wire mean to somebody who never read a wire format.

const PROVIDERS = {
  "openai-chat": "OpenAI (Chat Completions)",
  "openai-responses": "OpenAI (Responses)",
  anthropic: "Anthropic",
  gemini: "Gemini",
  bedrock: "Amazon Bedrock",
  kimi: "Kimi",
  deepseek: "DeepSeek",
  mistral: "Mistral",
  qwen: "Qwen",
  openrouter: "OpenRouter",
  generic: "A compatible server",
};

export const STATES = {
  same: { sign: "=", label: "sent as it is" },
  changed: { sign: "≈", label: "changed" },
  moved: { sign: "↕", label: "moved" },
  dropped: { sign: "−", label: "left out" },
  added: { sign: "+", label: "put in" },
};

const ORIGINS = {
  user: ["user", "typed by the user"],
  skill_activation: ["skill", "the instructions of a skill"],
  plugin_command: ["command", "a plugin's command, entered by the user"],
  injection: ["reminder", "put in by the agent's engine, for the model alone"],
  shell_command: ["shell", "a command that the user ran, or what it printed"],
  compaction_summary: ["summary", "stands for earlier messages that were compacted"],
  system_trigger: ["trigger", "the engine woke the agent"],
  task: ["task", "news of a task in the background"],
  cron_job: ["schedule", "a scheduled job woke the agent"],
  cron_missed: ["missed", "scheduled jobs that were missed"],
  hook_result: ["hook", "what a hook said"],
  retry: ["retry", "a step that is tried again"],
};

const ROLES = {
  system: "System prompt",
  developer: "Developer",
  user: "User",
  assistant: "Assistant",
  model: "Model",
  tool: "Tool result",
  reasoning: "Reasoning",
  function_call: "Call",
  function_call_output: "Call output",
};

export function providerName(dialect) {
  return PROVIDERS[dialect] ?? dialect;
}

export function originWords(kind) {
  return ORIGINS[kind] ?? [kind.replaceAll("_", " "), "an origin that this version does not know"];
}

export function roleWords(role) {
  return ROLES[role] ?? role.replaceAll("_", " ");
}

export function plural(count, noun) {
  return `${number(count)} ${noun}${count === 1 ? "" : "s"}`;
}

export function number(value) {
  return value.toLocaleString("en-US");
}

export function bytes(count) {
  if (count < 1024) return `${count} bytes`;
  if (count < 1048576) return `${(count / 1024).toFixed(1)} KB`;
  return `${(count / 1048576).toFixed(1)} MB`;
}

export function clock(milliseconds) {
  const moment = new Date(milliseconds);
  return Number.isNaN(moment.getTime()) ? "" : moment.toISOString().slice(0, 19).replace("T", " ");
}

/** The headline: what the provider would say, in one sentence, and one about what helps. */
export function verdictWords(summary) {
  const who = providerName(summary.dialect);
  const author = providerName(summary.judgedFor);
  const repairs = plural(summary.repairCount, "repair");
  switch (summary.verdict) {
    case "failed":
      return ["bad", "Nothing could be made of this conversation.", summary.failure];
    case "left":
      return ["bad", `${who} would refuse this, even repaired.`,
        `${plural(summary.remainingCount, "problem")} cannot be repaired without you.`];
    case "fine":
      return ["good", `${who} takes this ${author === who ? "as it is" : "once it is converted"}.`,
        "Nothing has to be repaired. Refused all the same? Choose its provider, try Strict, or give its words to wiremend explain."];
    default:
      if (summary.problemCount) {
        const turned = author === who ? `With ${repairs} it is taken` : `Converted and with ${repairs}, ${who} takes it`;
        return ["warn", `${author} would refuse this: ${plural(summary.problemCount, "problem")}.`,
          `${turned}; both are marked where they are.`];
      }
      return ["warn", `This cannot be sent to ${who} as it is remembered.`,
        `With ${repairs} it is taken; each is marked where it was made.`];
  }
}

export const KEYS = [
  ["n / N", "the next, the previous repair or problem"],
  ["j / k", "the next, the previous message"],
  ["/", "search; Enter and Shift+Enter go from match to match"],
  ["o", "open and fold what is long in this message"],
  ["g / G", "the beginning, the end"],
  ["1 / 2", "messages, request as JSON"],
  ["[ / ]", "one step back, forward in a session"],
  ["t", "dark or light"],
  ["?", "this help; Esc closes it"],
];
