"""Anthropic's client: Messages by events and by its helper."""

import json

import anthropic
from report import URL, report
from shapes import FindPlace, Itinerary

client = anthropic.Anthropic(base_url=URL, api_key="none", max_retries=0)
messages = [{"role": "user", "content": "Plan three slow days in Kanazawa."}]


def messages_events(case, reply):
    request = {"model": case, "max_tokens": 4096, "messages": messages}
    blocks, calls, usage, finish = {}, [], [None, None], None
    for event in client.messages.create(**request, stream=True):
        match event.type:
            case "message_start":
                usage[0] = event.message.usage.input_tokens
            case "content_block_start" if event.content_block.type == "tool_use":
                blocks[event.index] = [event.content_block.id, event.content_block.name, ""]
            case "content_block_delta" if event.delta.type == "text_delta":
                reply.text += event.delta.text
            case "content_block_delta" if event.delta.type == "input_json_delta":
                blocks[event.index][2] += event.delta.partial_json
            case "content_block_stop" if event.index in blocks:
                calls.append(blocks.pop(event.index))
            case "message_delta":
                finish = event.delta.stop_reason
                usage[1] = event.usage.output_tokens
            case "message_stop":
                reply.finish = finish
                reply.usage = usage
    # The end of the body without `message_stop` raises no error: what is missing is the reason.
    if reply.finish == "tool_use":
        for id, name, arguments in calls:
            reply.call(id, name, json.loads(arguments or "{}"))


def messages_helper(case, reply):
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


report("anthropic create", messages_events)
report("anthropic stream", messages_helper)
