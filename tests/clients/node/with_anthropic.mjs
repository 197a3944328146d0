// Anthropic's client: the helper of Messages.

import Anthropic from "@anthropic-ai/sdk";
import { zodOutputFormat } from "@anthropic-ai/sdk/helpers/zod";
import { PROMPT, URL, report } from "./report.mjs";
import { Itinerary } from "./shapes.mjs";

const client = new Anthropic({ baseURL: URL, apiKey: "none", maxRetries: 0 });
const messages = [{ role: "user", content: PROMPT }];

async function helper(model, reply) {
  const request = { model, max_tokens: 4096, messages };
  if (["object", "length"].includes(model)) {
    request.output_config = { format: zodOutputFormat(Itinerary) };
  }
  const stream = client.messages.stream(request);
  stream.on("text", (text) => (reply.text += text));
  const message = await stream.finalMessage();
  reply.finish = message.stop_reason;
  reply.usage = [message.usage.input_tokens, message.usage.output_tokens];
  reply.value = message.parsed_output ?? null;
  // The client closes the brackets of arguments that were cut off, so any call here is one that a
  // program would execute.
  for (const block of message.content) {
    if (block.type === "tool_use") reply.call(block.id, block.name, block.input);
  }
}

await report("anthropic stream", helper);
