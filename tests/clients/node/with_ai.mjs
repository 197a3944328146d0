// Vercel's AI SDK without a page: the UI message stream, and replies of the providers.

import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { DefaultChatTransport, Output, readUIMessageStream, streamText, tool } from "ai";
import { PROMPT, URL, report } from "./report.mjs";
import { FindPlace, Itinerary } from "./shapes.mjs";

// It does not know the models.
globalThis.AI_SDK_LOG_WARNINGS = false;

async function messages(model, reply) {
  const transport = new DefaultChatTransport({ api: `${URL}/api/chat?model=${model}` });
  const message = { id: "1", role: "user", parts: [{ type: "text", text: PROMPT }] };
  const parts = await transport.sendMessages({
    trigger: "submit-message",
    chatId: "chat-1",
    messages: [message],
  });
  let finish = null;
  const stream = parts.pipeThrough(
    new TransformStream({
      transform(part, controller) {
        // Messages do not have it.
        if (part.type === "finish") finish = part.finishReason;
        controller.enqueue(part);
      },
    }),
  );
  let last;
  for await (const message of readUIMessageStream({ stream, terminateOnError: true })) {
    last = message;
    const texts = message.parts.filter((part) => part.type === "text");
    reply.text = texts.map((part) => part.text).join("");
  }
  reply.finish = finish;
  const { usage } = last.metadata;
  reply.usage = [usage.inputTokens, usage.outputTokens];
  for (const part of last.parts) {
    if (part.state === "input-available") {
      reply.call(part.toolCallId, part.type.replace("tool-", ""), part.input);
    }
  }
}

function provider(model) {
  return async (name, reply) => {
    const request = { model: model(name), prompt: PROMPT, maxRetries: 0 };
    if (["object", "length"].includes(name)) {
      request.output = Output.object({ schema: Itinerary });
    }
    if (["tools", "length_call"].includes(name)) {
      request.tools = { find_place: tool({ inputSchema: FindPlace }) };
    }
    let error;
    const result = streamText({ ...request, onError: (event) => (error ??= event.error) });
    const calls = [];
    let end;
    for await (const part of result.fullStream) {
      if (part.type === "text-delta") reply.text += part.text;
      if (part.type === "tool-call" && !part.invalid) calls.push(part);
      if (part.type === "finish") end = part;
    }
    if (error) throw error;
    reply.finish = end.finishReason;
    reply.usage = [end.totalUsage.inputTokens, end.totalUsage.outputTokens];
    if (name === "object") reply.value = await result.output;
    for (const call of calls) reply.call(call.toolCallId, call.toolName, call.input);
  };
}

const openai = createOpenAI({ baseURL: `${URL}/v1`, apiKey: "none" });
const anthropic = createAnthropic({ baseURL: `${URL}/v1`, apiKey: "none" });

await report("ai readUIMessageStream", messages);
await report("ai openai chat", provider((name) => openai.chat(name)));
await report("ai openai responses", provider((name) => openai.responses(name)));
await report("ai anthropic", provider((name) => anthropic(name)));
