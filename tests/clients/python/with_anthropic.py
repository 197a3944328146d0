"""Anthropic's client: the helper of Messages, and the events below it."""

import anthropic
from report import URL, report
from shapes import FindPlace, Itinerary

client = anthropic.Anthropic(base_url=URL, api_key="none", max_retries=0)
messages = [{"role": "user", "content": "Plan three slow days in Kanazawa."}]


def helper(case, reply):
    options = {}
    if case in ("object", "length"):
        options["output_format"] = Itinerary
    if case in ("tools", "length_call"):
        schema = FindPlace.model_json_schema()
        options["tools"] = [{"name": "find_place", "input_schema": schema}]
    request = {"model": case, "max_tokens": 4096, "messages": messages, **options}
    with client.messages.stream(**request) as stream:
        for text in stream.text_stream:
            reply.text += text
        message = stream.get_final_message()
    reply.finish = message.stop_reason
    reply.usage = [message.usage.input_tokens, message.usage.output_tokens]
    if message.parsed_output:
        reply.value = message.parsed_output.written()
    # The client closes the brackets of arguments that were cut off, so any call here is one that
    # a program would execute.
    for block in message.content:
        if block.type == "tool_use":
            reply.call(block.id, block.name, block.input)


report("anthropic stream", helper)
