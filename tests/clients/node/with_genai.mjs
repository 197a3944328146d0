// Gemini's client, whose chunks have complete calls.

import { GoogleGenAI } from "@google/genai";
import { PROMPT, URL, report } from "./report.mjs";

const client = new GoogleGenAI({ apiKey: "none", httpOptions: { baseUrl: URL } });

async function generate(model, reply) {
  const calls = [];
  let finish = null;
  let usage = null;
  for await (const chunk of await client.models.generateContentStream({ model, contents: PROMPT })) {
    for (const part of chunk.candidates[0].content.parts) {
      reply.text += part.text ?? "";
      if (part.functionCall) calls.push(part.functionCall);
    }
    finish = chunk.candidates[0].finishReason ?? finish;
    usage = chunk.usageMetadata ?? usage;
  }
  reply.finish = finish;
  reply.usage = [usage.promptTokenCount, usage.candidatesTokenCount];
  for (const call of calls) reply.call(call.id, call.name, call.args);
}

await report("genai", generate);
