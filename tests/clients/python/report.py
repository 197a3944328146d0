"""What a client returns for each case, as lines of JSON: see `src/outcome.rs`."""

import json
import sys

CASES = ("text", "object", "tools", "length", "length_call", "error", "lost", "unknown")

# The server that was started for this script.
URL = sys.argv[1]


class Reply:
    """A reply as far as it has been read."""

    def __init__(self):
        # Everything that the client has yielded.
        self.text = ""
        # What a program would act on, so set only from what the client returns at the end.
        self.value = None
        self.calls = []
        self.usage = None
        self.finish = None
        # An error that the client yields instead of raising it.
        self.error = None

    def call(self, id, name, arguments):
        self.calls.append({"id": id, "name": name, "arguments": arguments})


def report(client, read):
    """Reads each case with a function of the case and of its `Reply`."""
    for case in CASES:
        reply = Reply()
        try:
            read(case, reply)
        except Exception as error:
            reply.error = f"{type(error).__name__}: {error}"
        print(json.dumps({"client": client, "case": case, **vars(reply)}), flush=True)
