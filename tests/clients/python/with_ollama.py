"""Ollama's client, whose messages have complete calls."""

import ollama
from report import URL, report
from shapes import FindPlace, Itinerary

client = ollama.Client(host=URL)
messages = [{"role": "user", "content": "Plan three slow days in Kanazawa."}]


def chat(case, reply):
    options = {}
    if case in ("object", "length"):
        options["format"] = Itinerary.model_json_schema()
    if case in ("tools", "length_call"):
        function = {"name": "find_place", "parameters": FindPlace.model_json_schema()}
        options["tools"] = [{"type": "function", "function": function}]
    part = None
    for part in client.chat(model=case, messages=messages, stream=True, **options):
        reply.text += part.message.content or ""
        # A call is complete when it arrives, so a program may execute it at once.
        for call in part.message.tool_calls or []:
            reply.call(None, call.function.name, dict(call.function.arguments))
    if part and part.done:
        reply.finish = part.done_reason
        reply.usage = [part.prompt_eval_count, part.eval_count]
        if case == "object":
            reply.value = Itinerary.model_validate_json(reply.text).written()


report("ollama chat", chat)
