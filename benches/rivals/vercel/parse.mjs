// Reads JSON strings, one per line, and writes what `parsePartialJson` makes of each: the JSON of
// the value, or an empty line if there is none.
import { createInterface } from "node:readline";
import { parsePartialJson } from "ai";

for await (const line of createInterface({ input: process.stdin })) {
  const { value } = await parsePartialJson(JSON.parse(line));
  process.stdout.write((value === undefined ? "" : JSON.stringify(value)) + "\n");
}
