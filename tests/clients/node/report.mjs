// What a client returns for each case, as lines of JSON: see `src/outcome.rs`.

const CASES = ["text", "object", "tools", "length", "length_call", "error", "lost", "unknown"];

// The server that was started for this script.
export const URL = process.argv[2];

export const PROMPT = "Plan three slow days in Kanazawa.";

/** A reply as far as it has been read. */
class Reply {
  // Everything that the client has yielded.
  text = "";
  // What a program would act on, so set only from what the client returns at the end.
  value = null;
  calls = [];
  usage = null;
  finish = null;
  // An error that the client reports in another way than by throwing it.
  error = null;

  call(id, name, input) {
    this.calls.push({ id, name, arguments: input });
  }

  fail(error) {
    // Some clients throw the event itself.
    this.error = `${error instanceof Error ? error.constructor.name : error.type}: ${error.message}`;
  }
}

/** Reads each case with a function of the case and of its reply. */
export async function report(client, read, cases = CASES) {
  for (const name of cases) {
    const reply = new Reply();
    try {
      await read(name, reply);
    } catch (error) {
      reply.fail(error);
    }
    console.log(JSON.stringify({ client, case: name, ...reply }));
  }
}
