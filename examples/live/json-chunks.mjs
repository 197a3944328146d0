/**
 * Applies what json-chunks writes: deltas, JSON Patch, and the events of entities.
 *
 * Values are changed in place, and those of the deltas become parts of the document. The functions
 * throw if something does not fit, because it was missed or is applied twice; then the document has
 * to be received again from its start.
 *
 * @module
 */

/** @typedef {null | boolean | number | string | Json[] | { [name: string]: Json }} Json */
/** @typedef {{ path: string, append: string } | { path: string, value: Json }} Delta */
/** @typedef {{ op: "add" | "replace", path: string, value: Json }} PatchOperation */

/**
 * An event by the Partial Stream Spec, with the deltas of json-chunks.
 *
 * @typedef {object} EntityEvent
 * @property {number} [index]
 * @property {"PARTIAL" | "COMPLETED" | "ERROR"} status
 * @property {Json} [data]
 * @property {string} [entity]
 * @property {Delta[]} [delta]
 * @property {{ code: string, message: string }} [error]
 * @property {number} [restatement]
 */

/**
 * The entities of a stream, by index.
 *
 * @typedef {object} EntityState
 * @property {{ data?: Json, status: EntityEvent["status"], error?: EntityEvent["error"] }[]} entities
 * @property {number} restatement How often entities have been restated.
 */

/**
 * Applies a list of deltas and returns the document, which is another value if it was replaced.
 *
 * @param {Json | undefined} document What the last call has returned; at first `undefined`.
 * @param {Delta[]} deltas
 * @returns {Json | undefined}
 */
export function applyDeltas(document, deltas) {
  for (const delta of deltas) {
    const { root, container, key } = locate(document, delta.path);
    if ("value" in delta) {
      put(container, key, delta.value);
    } else {
      const text = get(container, key);
      if (typeof text !== "string") throw new Error(`${delta.path}: no string to append to`);
      put(container, key, text + delta.append);
    }
    document = root.document;
  }
  return document;
}

/**
 * Applies the operations of a JSON Patch (RFC 6902) and returns the document. Only `add` and
 * `replace`: a document that is being written needs no other.
 *
 * @param {Json | undefined} document
 * @param {PatchOperation[]} operations
 * @returns {Json | undefined}
 */
export function applyPatch(document, operations) {
  for (const { op, path, value } of operations) {
    const { root, container, key } = locate(document, path, op === "add");
    if (op === "add" && Array.isArray(container)) {
      container.splice(Number(key), 0, value);
    } else if (op === "add" || (op === "replace" && (path === "" || has(container, key)))) {
      put(container, key, value);
    } else {
      throw new Error(`${path}: cannot ${op}`);
    }
    document = root.document;
  }
  return document;
}

/**
 * Returns the state of a stream of entities before its first event.
 *
 * @returns {EntityState}
 */
export function newEntityState() {
  return { entities: [], restatement: 0 };
}

/**
 * Applies an event of an entity, with or without the data so far, and returns the state.
 *
 * @param {EntityState} state
 * @param {EntityEvent} event
 * @returns {EntityState}
 */
export function applyEntityEvent(state, event) {
  const { index, status, data, delta, error, restatement = 0 } = event;
  if (index === undefined) return state;
  if (restatement > state.restatement) {
    // All entities from here on are void.
    state.restatement = restatement;
    state.entities.length = Math.min(state.entities.length, index);
  }
  if (data === undefined && delta === undefined && error === undefined) return state;
  let now = state.entities[index]?.data;
  // If the delta does not fit, there is no such entity.
  delete state.entities[index];
  if (data !== undefined) {
    now = data;
  } else if (delta !== undefined) {
    now = applyDeltas(now, delta);
  }
  state.entities[index] = { data: now, status, ...(error && { error }) };
  return state;
}

/**
 * Finds the array or object around the value at a JSON Pointer (RFC 6901), and its key there.
 *
 * @param {Json | undefined} document
 * @param {string} path
 * @param {boolean} [inserts] Whether `-` is the index after the last.
 */
function locate(document, path, inserts = false) {
  const root = { document };
  /** @type {any} */
  let container = root;
  /** @type {string | number} */
  let key = "document";
  const [start, ...tokens] = path.split("/");
  if (start !== "") throw new Error(`${path}: no JSON Pointer`);
  for (const token of tokens) {
    container = get(container, key);
    if (typeof container !== "object" || container === null) {
      throw new Error(`${path}: no array or object around it`);
    }
    key = keyIn(container, token.replaceAll("~1", "/").replaceAll("~0", "~"), inserts);
    if (key === -1) throw new Error(`${path}: no such element`);
  }
  return { root, container, key };
}

/**
 * @param {any} container
 * @param {string} token
 * @param {boolean} inserts
 * @returns {string | number}
 */
function keyIn(container, token, inserts) {
  if (Array.isArray(container)) {
    if (inserts && token === "-") return container.length;
    const index = /^(0|[1-9]\d*)$/.test(token) ? Number(token) : -1;
    return index <= container.length ? index : -1;
  }
  // In paths, half of a surrogate pair is U+FFFD.
  if (token.includes("\uFFFD") && !Object.hasOwn(container, token)) {
    return Object.keys(container).findLast((name) => name.toWellFormed() === token) ?? token;
  }
  return token;
}

/**
 * @param {any} container
 * @param {string | number} key
 */
function has(container, key) {
  return Object.hasOwn(container, key);
}

/**
 * @param {any} container
 * @param {string | number} key
 */
function get(container, key) {
  return has(container, key) ? container[key] : undefined;
}

/**
 * @param {any} container
 * @param {string | number} key
 * @param {Json} value
 */
function put(container, key, value) {
  if (key === "__proto__") {
    // An assignment would set the prototype of the object.
    Object.defineProperty(container, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    container[key] = value;
  }
}
