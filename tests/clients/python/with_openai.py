"""OpenAI's client: Chat Completions and Responses, each by items and by its helper."""

import json

import openai
from report import URL, report
from shapes import FindPlace, Itinerary

client = openai.OpenAI(base_url=f"{URL}/v1", api_key="none", max_retries=0)
messages = [{"role": "user", "content": "Plan three slow days in Kanazawa."}]


def chat(case, reply):
    calls, finish, usage = [], None, None
    options = {"stream": True, "stream_options": {"include_usage": True}}
    for chunk in client.chat.completions.create(model=case, messages=messages, **options):
        usage = chunk.usage or usage
        for choice in chunk.choices:
            finish = choice.finish_reason or finish
            reply.text += choice.delta.content or ""
            for piece in choice.delta.tool_calls or []:
                if piece.index == len(calls):
                    calls.append([piece.id, piece.function.name, ""])
                calls[piece.index][2] += piece.function.arguments or ""
    reply.finish = finish
    reply.usage = usage and [usage.prompt_tokens, usage.completion_tokens]
    if finish == "tool_calls":
        for id, name, arguments in calls:
            reply.call(id, name, json.loads(arguments))


def chat_helper(case, reply):
    options = {"stream_options": {"include_usage": True}}
    if case in ("object", "length"):
        options["response_format"] = Itinerary
    if case in ("tools", "length_call"):
        options["tools"] = [openai.pydantic_function_tool(FindPlace, name="find_place")]
    with client.chat.completions.stream(model=case, messages=messages, **options) as stream:
        for event in stream:
            if event.type == "content.delta":
                reply.text += event.delta
        completion = stream.get_final_completion()
    [choice] = completion.choices
    reply.finish = choice.finish_reason
    reply.usage = [completion.usage.prompt_tokens, completion.usage.completion_tokens]
    if choice.message.parsed:
        reply.value = choice.message.parsed.written()
    for call in choice.message.tool_calls or []:
        reply.call(call.id, call.function.name, call.function.parsed_arguments.written())


def responses(case, reply):
    for event in client.responses.create(model=case, input=messages, stream=True):
        match event.type:
            case "response.output_text.delta":
                reply.text += event.delta
            case "error":
                reply.error = f"{type(event).__name__}: {event.message}"
            case "response.completed" | "response.incomplete":
                end_of(event.response, reply)


def responses_helper(case, reply):
    options = {}
    if case in ("object", "length"):
        options["text_format"] = Itinerary
    if case in ("tools", "length_call"):
        tool = openai.pydantic_function_tool(FindPlace, name="find_place")
        options["tools"] = [{"type": "function", **tool["function"]}]
    with client.responses.stream(model=case, input=messages, **options) as stream:
        for event in stream:
            if event.type == "response.output_text.delta":
                reply.text += event.delta
        response = stream.get_final_response()
    end_of(response, reply)
    if response.output_parsed:
        reply.value = response.output_parsed.written()


def end_of(response, reply):
    reply.finish = response.status
    if response.incomplete_details:
        reply.finish += f", {response.incomplete_details.reason}"
    reply.usage = [response.usage.input_tokens, response.usage.output_tokens]
    for item in response.output:
        if item.type == "function_call" and item.status == "completed":
            reply.call(item.call_id, item.name, json.loads(item.arguments))


report("openai chat create", chat)
report("openai chat stream", chat_helper)
report("openai responses create", responses)
report("openai responses stream", responses_helper)
