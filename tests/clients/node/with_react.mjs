// The hooks of Vercel's AI SDK, in a page: the text is what the page shows.

import { Window } from "happy-dom";
import { PROMPT, URL, report } from "./report.mjs";
import { Itinerary } from "./shapes.mjs";

// React looks for them when it is imported.
const window = new Window({ url: URL });
Object.assign(globalThis, { window, document: window.document });
globalThis.navigator ??= window.navigator;
const { createElement, useEffect, useState } = await import("react");
const { createRoot } = await import("react-dom/client");
const { DefaultChatTransport } = await import("ai");
const { experimental_useObject, useChat, useCompletion } = await import("@ai-sdk/react");

/** Shows a hook's text until the hook has ended, and passes on what it has ended with. */
async function show(hook, model, reply) {
  const element = document.createElement("div");
  document.body.append(element);
  const root = createRoot(element);
  const end = await new Promise((resolve) => {
    const Page = () => {
      const [end, setEnd] = useState(null);
      const { start, text } = hook({ model, reply, setEnd });
      useEffect(() => void start(), []);
      // After the page shows everything before it.
      useEffect(() => void (end && resolve(end)), [end]);
      return createElement("p", null, text);
    };
    root.render(createElement(Page));
  });
  reply.text ||= element.textContent;
  root.unmount();
  element.remove();
  if (end.error) throw end.error;
  Object.assign(reply, end);
}

const texts = ({ parts }) => parts.filter(({ type }) => type === "text").map(({ text }) => text);

function chat({ model, reply, setEnd }) {
  const { messages, sendMessage, status, error } = useChat({
    transport: new DefaultChatTransport({ api: `${URL}/api/chat?model=${model}` }),
    onFinish({ message, finishReason, isError }) {
      if (isError) return;
      const { inputTokens, outputTokens } = message.metadata.usage;
      for (const part of message.parts) {
        if (part.state === "input-available") {
          reply.call(part.toolCallId, part.type.replace("tool-", ""), part.input);
        }
      }
      setEnd({ finish: finishReason, usage: [inputTokens, outputTokens] });
    },
  });
  useEffect(() => void (status === "error" && setEnd({ error })), [status]);
  const replies = messages.filter(({ role }) => role === "assistant");
  return { start: () => sendMessage({ text: PROMPT }), text: replies.flatMap(texts).join("") };
}

function completion({ model, setEnd }) {
  const { complete, completion } = useCompletion({
    api: `${URL}/api/object?model=${model}`,
    streamProtocol: "text",
    onFinish: () => setEnd({ finish: "onFinish" }),
    onError: (error) => setEnd({ error }),
  });
  return { start: () => complete(PROMPT), text: completion };
}

function object({ model, reply, setEnd }) {
  const { submit, object } = experimental_useObject({
    api: `${URL}/api/object?model=${model}`,
    schema: Itinerary,
    // The page has no half objects, which the hook would show as complete ones.
    fetch: async (url, options) => {
      const response = await fetch(url, options);
      return response.ok ? new Response(response.body.pipeThrough(noted(reply)), response) : response;
    },
    onFinish: ({ object = null, error = null }) => {
      setEnd({ value: object, error, finish: "onFinish" });
    },
    onError: (error) => setEnd({ error }),
  });
  return { start: () => submit(PROMPT), text: "" };
}

/** Adds the text that passes through to the reply. */
function noted(reply) {
  const decoder = new TextDecoder();
  return new TransformStream({
    transform(bytes, controller) {
      reply.text += decoder.decode(bytes, { stream: true });
      controller.enqueue(bytes);
    },
  });
}

const plain = ["text", "object", "length", "length_call", "error", "lost", "unknown"];
await report("ai useChat", (model, reply) => show(chat, model, reply));
await report("ai useCompletion", (model, reply) => show(completion, model, reply), plain);
await report("ai useObject", (model, reply) => show(object, model, reply), plain.slice(1));
await window.happyDOM.close();
