// Ollama's client, whose messages have complete calls.

import { Ollama } from "ollama";
import { PROMPT, URL, report } from "./report.mjs";

const client = new Ollama({ host: URL });

async function chat(model, reply) {
  const calls = [];
  const messages = [{ role: "user", content: PROMPT }];
  for await (const line of await client.chat({ model, messages, stream: true })) {
    reply.text += line.message.content;
    calls.push(...(line.message.tool_calls ?? []));
    if (line.done) {
      reply.finish = line.done_reason;
      reply.usage = [line.prompt_eval_count, line.eval_count];
      for (const call of calls) reply.call(null, call.function.name, call.function.arguments);
    }
  }
}

await report("ollama", chat);
