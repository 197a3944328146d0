// Tests of `examples/live/json-chunks.mjs` with what the crate writes: `tests/clients/tests/deltas.rs`
// runs them, and passes the cases in a file, one in each line.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import {
  applyDeltas,
  applyEntityEvent,
  applyPatch,
  newEntityState,
} from "../../../examples/live/json-chunks.mjs";

const cases = readFileSync(process.env.JSON_CHUNKS_CASES, "utf8").trim().split("\n").map((line) => JSON.parse(line));

// Halves of surrogate pairs, alone, are U+FFFD in deltas.
function wellFormed(value) {
  if (typeof value === "string") return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name.toWellFormed(), wellFormed(member)]);
  return Object.fromEntries(members);
}

const same = (value, expected) => assert.deepEqual(wellFormed(value), wellFormed(expected));

test("there are cases", () => assert.ok(cases.length > 500, `${cases.length}`));

test("deltas are the document after each fragment", () => {
  for (const { steps } of cases) {
    let document;
    for (const { deltas, snapshot } of steps) {
      document = applyDeltas(document, deltas);
      same(document, JSON.parse(snapshot));
    }
  }
});

test("patches are the document at the end", () => {
  for (const { text, patches } of cases) {
    let document = null;
    for (const operations of patches) document = applyPatch(document, operations);
    same(document, JSON.parse(text));
  }
});

test("entity events are the elements, with and without their data", () => {
  for (const { text, entities: [withData, withoutData] } of cases) {
    const document = JSON.parse(text);
    const [one, other] = [newEntityState(), newEntityState()];
    assert.equal(withData.length, withoutData.length);
    for (const [n, event] of withData.entries()) {
      applyEntityEvent(one, event);
      applyEntityEvent(other, withoutData[n]);
      assert.deepEqual(wellFormed(other.entities.map(({ data }) => data)), wellFormed(one.entities.map(({ data }) => data)));
      assert.equal(other.entities[event.index].status, event.status);
    }
    const data = one.entities.map((entity) => entity.data);
    same(data, Array.isArray(document) ? document : [document]);
    assert.ok(one.entities.every((entity) => entity.status === "COMPLETED"));
  }
});

test("what does not fit is an error", () => {
  const document = () => ({ list: [0], text: "x" });
  for (const delta of [
    { path: "list", value: 1 },
    { path: "/list/2", value: 1 },
    { path: "/list/01", value: 1 },
    { path: "/list/-", value: 1 },
    { path: "/list", append: "x" },
    { path: "/none", append: "x" },
    { path: "", append: "x" },
    { path: "/text/0", value: 1 },
    { path: "/none/x", value: 1 },
    { path: "/toString/x", value: 1 },
    { path: "/constructor", append: "x" },
  ]) {
    assert.throws(() => applyDeltas(document(), [delta]), Error, JSON.stringify(delta));
  }
  assert.throws(() => applyDeltas(undefined, [{ path: "/a", value: 1 }]));
  for (const operation of [
    { op: "replace", path: "/none", value: 1 },
    { op: "replace", path: "/list/1", value: 1 },
    { op: "replace", path: "/list/-", value: 1 },
    { op: "add", path: "/list/2", value: 1 },
    { op: "remove", path: "/text" },
  ]) {
    assert.throws(() => applyPatch(document(), [operation]), Error, JSON.stringify(operation));
  }
  const state = applyEntityEvent(newEntityState(), { index: 0, status: "PARTIAL", data: "x", delta: [] });
  assert.throws(() => applyEntityEvent(state, { index: 0, status: "PARTIAL", delta: [{ path: "/a", value: 1 }] }));
  assert.equal(state.entities[0], undefined);
});

test("an element is inserted by a patch and replaced by a delta", () => {
  assert.deepEqual(applyPatch([1, 2], [{ op: "add", path: "/0", value: 0 }, { op: "add", path: "/-", value: 3 }]), [0, 1, 2, 3]);
  assert.deepEqual(applyDeltas([1, 2], [{ path: "/0", value: 0 }, { path: "/2", value: 3 }]), [0, 2, 3]);
});

test("no name reaches a prototype", () => {
  const document = applyDeltas(undefined, [
    { path: "", value: {} },
    { path: "/__proto__", value: {} },
    { path: "/__proto__/polluted", value: true },
    { path: "/constructor", value: "x" },
    { path: "/constructor", append: "y" },
  ]);
  assert.equal({}.polluted, undefined);
  assert.equal(JSON.stringify(document), '{"__proto__":{"polluted":true},"constructor":"xy"}');
});

test("entities that are restated are dropped", () => {
  const state = newEntityState();
  for (const [index, data] of ["a", "b", "c"].entries()) {
    applyEntityEvent(state, { index, status: "COMPLETED", data });
  }
  applyEntityEvent(state, { index: 1, status: "PARTIAL", restatement: 1 });
  assert.equal(state.entities.length, 1);
  applyEntityEvent(state, { index: 1, status: "COMPLETED", data: null, restatement: 1 });
  assert.deepEqual(state.entities.map((entity) => entity.data), ["a", null]);
});

test("an error keeps what has arrived of its entity", () => {
  const state = newEntityState();
  const error = { code: "INVALID_JSON", message: "unexpected end of JSON at byte 3" };
  applyEntityEvent(state, { index: 0, status: "PARTIAL", delta: [{ path: "", value: "x" }] });
  applyEntityEvent(state, { index: 0, status: "ERROR", error });
  assert.deepEqual(state.entities, [{ data: "x", status: "ERROR", error }]);
  assert.equal(applyEntityEvent(state, { status: "ERROR", error }), state);
});
