// AG-UI's client, whose subscribers see each event.

import { HttpAgent } from "@ag-ui/client";
import { PROMPT, URL, report } from "./report.mjs";

// The client also prints the error that it throws for `unknown`.
console.error = () => {};

async function run(model, reply) {
  const agent = new HttpAgent({
    url: `${URL}/ag-ui?model=${model}`,
    initialMessages: [{ id: "1", role: "user", content: PROMPT }],
  });
  const calls = [];
  await agent.runAgent({}, {
    onTextMessageContentEvent: ({ event }) => {
      reply.text += event.delta;
    },
    onToolCallEndEvent: ({ event, toolCallName, toolCallArgs }) => {
      calls.push([event.toolCallId, toolCallName, toolCallArgs]);
    },
    // The run resolves all the same.
    onRunErrorEvent: ({ event }) => {
      reply.error = `${event.type}: ${event.message} (${event.code})`;
    },
    onRunFinishedEvent: ({ event }) => {
      reply.finish = event.type;
      for (const call of calls) reply.call(...call);
    },
  });
}

await report("ag-ui", run);
