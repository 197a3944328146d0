"""Gemini's client, whose chunks have complete calls."""

from google import genai
from google.genai import types
from report import URL, report
from shapes import FindPlace, Itinerary

client = genai.Client(api_key="none", http_options=types.HttpOptions(base_url=URL))


def generate(case, reply):
    options = {}
    if case in ("object", "length"):
        options["response_mime_type"] = "application/json"
        options["response_json_schema"] = Itinerary.model_json_schema()
    if case in ("tools", "length_call"):
        schema = FindPlace.model_json_schema()
        function = types.FunctionDeclaration(name="find_place", parameters_json_schema=schema)
        options["tools"] = [types.Tool(function_declarations=[function])]
    finish, usage = None, None
    request = {"model": case, "contents": "Plan three slow days in Kanazawa.", "config": options}
    for chunk in client.models.generate_content_stream(**request):
        usage = chunk.usage_metadata or usage
        for candidate in chunk.candidates or []:
            finish = candidate.finish_reason or finish
            for part in (candidate.content and candidate.content.parts) or []:
                reply.text += part.text or ""
                # A call is complete when it arrives, so a program may execute it at once.
                if part.function_call:
                    call = part.function_call
                    reply.call(call.id, call.name, call.args)
    # Without a reason the reply has not ended.
    if finish:
        reply.finish = finish.name
        reply.usage = [usage.prompt_token_count, usage.candidates_token_count]
        if case == "object":
            reply.value = Itinerary.model_validate_json(reply.text).written()


report("google-genai stream", generate)
