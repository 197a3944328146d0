// OpenAI's client: Chat Completions and Responses, each by items and by its helper.

import OpenAI from "openai";
import {
  zodFunction,
  zodResponseFormat,
  zodResponsesFunction,
  zodTextFormat,
} from "openai/helpers/zod";
import { PROMPT, URL, report } from "./report.mjs";
import { FindPlace, Itinerary } from "./shapes.mjs";

const client = new OpenAI({ baseURL: `${URL}/v1`, apiKey: "none", maxRetries: 0 });
const messages = [{ role: "user", content: PROMPT }];
const stream_options = { include_usage: true };
const tool = { name: "find_place", parameters: FindPlace };

async function chat(model, reply) {
  const calls = [];
  let finish = null;
  let usage = null;
  const request = { model, messages, stream: true, stream_options };
  for await (const chunk of await client.chat.completions.create(request)) {
    usage = chunk.usage ?? usage;
    for (const choice of chunk.choices) {
      finish = choice.finish_reason ?? finish;
      reply.text += choice.delta.content ?? "";
      for (const piece of choice.delta.tool_calls ?? []) {
        calls[piece.index] ??= { id: piece.id, name: piece.function.name, text: "" };
        calls[piece.index].text += piece.function.arguments;
      }
    }
  }
  reply.finish = finish;
  reply.usage = [usage.prompt_tokens, usage.completion_tokens];
  if (finish === "tool_calls") {
    for (const { id, name, text } of calls) reply.call(id, name, JSON.parse(text));
  }
}

async function chatHelper(model, reply) {
  const request = { model, messages, stream_options };
  if (["object", "length"].includes(model)) {
    request.response_format = zodResponseFormat(Itinerary, "itinerary");
  }
  if (["tools", "length_call"].includes(model)) request.tools = [zodFunction(tool)];
  const stream = client.chat.completions.stream(request);
  stream.on("content.delta", ({ delta }) => (reply.text += delta));
  const completion = await stream.finalChatCompletion();
  const { message, finish_reason } = completion.choices[0];
  reply.finish = finish_reason;
  reply.usage = [completion.usage.prompt_tokens, completion.usage.completion_tokens];
  reply.value = message.parsed;
  for (const call of message.tool_calls ?? []) {
    reply.call(call.id, call.function.name, call.function.parsed_arguments);
  }
}

async function responses(model, reply) {
  const request = { model, input: PROMPT, stream: true };
  for await (const event of await client.responses.create(request)) {
    if (event.type === "response.output_text.delta") reply.text += event.delta;
    if (event.type === "error") reply.fail(event);
    if (["response.completed", "response.incomplete"].includes(event.type)) {
      end(event.response, reply);
    }
  }
}

async function responsesHelper(model, reply) {
  const request = { model, input: PROMPT };
  if (["object", "length"].includes(model)) {
    request.text = { format: zodTextFormat(Itinerary, "itinerary") };
  }
  if (["tools", "length_call"].includes(model)) request.tools = [zodResponsesFunction(tool)];
  const stream = client.responses.stream(request);
  stream.on("response.output_text.delta", ({ delta }) => (reply.text += delta));
  const response = await stream.finalResponse();
  end(response, reply);
  reply.value = response.output_parsed;
}

function end(response, reply) {
  const reason = response.incomplete_details?.reason;
  reply.finish = reason ? `${response.status}, ${reason}` : response.status;
  reply.usage = [response.usage.input_tokens, response.usage.output_tokens];
  for (const item of response.output) {
    if (item.type === "function_call" && item.status === "completed") {
      reply.call(item.call_id, item.name, item.parsed_arguments ?? JSON.parse(item.arguments));
    }
  }
}

await report("openai chat create", chat);
await report("openai chat stream", chatHelper);
await report("openai responses create", responses);
await report("openai responses stream", responsesHelper);
