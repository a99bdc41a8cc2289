// What stands between an emitted module and its callers: arguments are checked, results are copied. Everything is iterative, since a
// list may have a million cells and a tree may be as deep.

/**
 * What a value looks like: "number", "integer", "boolean", "null", "numbers" (an array of numbers), the name of a data type in `ShapeTable`, the
 * components of a tuple, or the elements of an array.
 */
export type ValueShape = string | readonly ValueShape[] | { readonly each: ValueShape };

/**
 * Data types by name: the key and the shape of the first field, then those of the second, and so on. Where there are several constructors,
 * or one without names for its fields, that for each tag.
 */
export interface ShapeTable {
  readonly [type: string]: readonly ValueShape[] | { readonly [tag: string]: readonly ValueShape[] };
}

/** A tuple, an array, or an object. */
interface Composite {
  tag?: unknown;
  _0?: unknown;
  _1?: unknown;
  _2?: unknown;
  [key: string | number]: unknown;
}

/**
 * Throws unless `value` has the shape: a TypeError that names the path, from `name` on, or a RangeError for an unsafe integer, or for a value that contains
 * itself. With `like` it has to be its cotangent: 0 for an integer; booleans, constructors and lengths as there. Says whether all arrays of numbers are Float64Arrays.
 */
export function checkValue(
  value: unknown,
  shape: ValueShape,
  shapes: ShapeTable,
  name: string,
  like?: unknown,
): boolean {
  if (isLeaf(shape)) {
    if (!isFitting(value, shape, like)) throw misfit(value, shape, shapes, name, like);
    return shape !== "numbers" || isFloat64Array(value);
  }
  let isReady = true;
  let node = value;
  let nodeShape: ValueShape | undefined = shape;
  let model = like;
  let depth = 0;
  // path[d] leads from depth d to depth d + 1, on the way to `node`
  const path: (string | number)[] = [];
  // Fields whose turn comes later: value, shape, model, key and depth of each
  const waiting: unknown[] = [];
  // An ancestor of `node`. The way down a value that contains itself has no end, and comes back to it (Brent's algorithm).
  let mark: unknown;
  let markDepth = 0;
  while (nodeShape !== undefined) {
    const fields = fieldsOf(node, nodeShape, shapes, model);
    if (fields === undefined) throw misfit(node, nodeShape, shapes, name + pathText(path, depth), model);
    if (node === mark) throw new RangeError(`${name}${pathText(path, depth)} contains itself`);
    if (depth >= 2 * markDepth) {
      mark = node;
      markDepth = depth;
    }
    const parent = node as Composite;
    const likeParent = model as Composite | undefined;
    const stride = strideOf(nodeShape);
    const count = stride === 0 ? (node as readonly unknown[]).length : fields.length / stride;
    nodeShape = undefined;
    for (let i = 0; i < count; i++) {
      const key = stride === 2 ? (fields[2 * i] as string) : i;
      const fieldShape = fields[stride === 0 ? 0 : stride * i + stride - 1] as ValueShape;
      const field = ownField(parent, key);
      if (fieldShape === "number" && typeof field === "number") continue;
      const likeField = likeParent === undefined ? undefined : likeParent[key];
      if (isLeaf(fieldShape)) {
        if (isFitting(field, fieldShape, likeField)) {
          if (fieldShape === "numbers" && !isFloat64Array(field)) isReady = false;
          continue;
        }
        path[depth] = key;
        throw misfit(field, fieldShape, shapes, name + pathText(path, depth + 1), likeField);
      }
      if (nodeShape === undefined) {
        node = field;
        nodeShape = fieldShape;
        model = likeField;
        path[depth] = key;
      } else {
        waiting.push(field, fieldShape, likeField, key, depth);
      }
    }
    if (nodeShape === undefined && waiting.length > 0) {
      depth = waiting.pop() as number;
      path[depth] = waiting.pop() as string | number;
      model = waiting.pop();
      nodeShape = waiting.pop() as ValueShape;
      node = waiting.pop();
      if (depth < markDepth) {
        mark = undefined;
        markDepth = 0;
      }
    }
    depth += 1;
  }
  return isReady;
}

/** A copy that shares no memory with `value`, which has the shape; its arrays of numbers are Float64Arrays. With `zero`, its numbers are 0: a tangent. */
export function copyValue<T>(value: T, shape: ValueShape, shapes: ShapeTable, zero = false): T {
  if (isLeaf(shape)) return copyOfLeaf(value, shape, zero) as T;
  const root = { value } as Composite;
  // Places that still hold what is to be copied: the parent, which is a copy, then key and shape
  const waiting: unknown[] = [];
  let parent = root;
  let key: string | number = "value";
  let nodeShape: ValueShape | undefined = shape;
  while (nodeShape !== undefined) {
    const node = parent[key] as Composite;
    const fields = fieldsOf(node, nodeShape, shapes, undefined) ?? [];
    const stride = strideOf(nodeShape);
    const items = node as unknown as readonly unknown[];
    const copy =
      stride === 2
        ? copyOfObject(node, fields, shapes[nodeShape as string])
        : (copyOfItems(items) as unknown as Composite);
    const count = stride === 0 ? items.length : fields.length / stride;
    parent[key] = copy;
    nodeShape = undefined;
    for (let i = 0; i < count; i++) {
      const fieldShape = fields[stride === 0 ? 0 : stride * i + stride - 1] as ValueShape;
      const fieldKey = stride === 2 ? (fields[2 * i] as string) : i;
      if (isLeaf(fieldShape)) {
        if (zero || fieldShape === "numbers") copy[fieldKey] = copyOfLeaf(copy[fieldKey], fieldShape, zero);
      } else if (nodeShape === undefined) {
        parent = copy;
        key = fieldKey;
        nodeShape = fieldShape;
      } else {
        waiting.push(copy, fieldKey, fieldShape);
      }
    }
    if (nodeShape === undefined && waiting.length > 0) {
      nodeShape = waiting.pop() as ValueShape;
      key = waiting.pop() as string | number;
      parent = waiting.pop() as Composite;
    }
  }
  return root["value"] as T;
}

/** An argument, checked as `checkValue` does: itself, or a copy of it where an array of numbers is no Float64Array. */
export function acceptValue(
  value: unknown,
  shape: ValueShape,
  shapes: ShapeTable,
  name: string,
  like?: unknown,
): unknown {
  return checkValue(value, shape, shapes, name, like) ? value : copyValue(value, shape, shapes);
}

/** A copy of an argument, checked as `checkValue` does. */
export function acceptCopy(value: unknown, shape: ValueShape, shapes: ShapeTable, name: string): unknown {
  checkValue(value, shape, shapes, name);
  return copyValue(value, shape, shapes);
}

/** An array of numbers as a Float64Array: itself, where it is one. */
export function acceptNumbers(value: ArrayLike<number>, name: string): Float64Array {
  if (!isNumbers(value)) throw unfitNumbers(value, name);
  return isFloat64Array(value) ? value : copyOfNumbers(value);
}

/** An array of numbers as long as another one: a cotangent of it. */
export function acceptNumbersLike(value: ArrayLike<number>, name: string, like: Float64Array): Float64Array {
  if (!isNumbers(value) || value.length !== like.length) throw unfitNumbers(value, name, lengthAsIn(like));
  return acceptNumbers(value, name);
}

/** A copy of an array of numbers. */
export function acceptNumbersCopy(value: ArrayLike<number>, name: string): Float64Array {
  if (!isNumbers(value)) throw unfitNumbers(value, name);
  return copyOfNumbers(value);
}

/** A number, checked: for the fields of objects. */
export function acceptNumber(value: number, name: string): number {
  checkNumber(value, name);
  return value;
}

export function acceptInteger(value: number, name: string): number {
  checkInteger(value, name);
  return value;
}

export function acceptBoolean(value: boolean, name: string): boolean {
  checkBoolean(value, name);
  return value;
}

export function acceptNull(value: null, name: string): null {
  // Callers in JavaScript pass what they like
  if ((value as unknown) !== null) throw unfit(value, name, "null");
  return value;
}

/** A copy of an array: what `accept` makes of its elements. */
export function acceptArray<A, B>(value: readonly A[], name: string, accept: (element: A, name: string) => B): B[] {
  if (!Array.isArray(value)) throw unfit(value, name, "an array");
  const copy: B[] = [];
  // What a getter in it adds to the array would have no end
  const { length } = value;
  for (let i = 0; i < length; i++) copy.push(accept(value[i] as A, `${name}[${i}]`));
  return copy;
}

/** What `acceptRows` puts into one block: so many numbers, 1 GB. */
const largestBlock = 2 ** 27;

/** Copies of arrays of numbers, in one block: many short arrays take four times as long. */
export function acceptRows(value: readonly ArrayLike<number>[], name: string): Float64Array[] {
  if (!Array.isArray(value)) throw unfit(value, name, "an array");
  const rows: ArrayLike<number>[] = [];
  const lengths: number[] = [];
  let total = 0;
  // What a getter in it adds to the array would have no end
  const { length } = value;
  for (let i = 0; i < length; i++) {
    const row = value[i] as ArrayLike<number>;
    if (!isNumbers(row)) throw unfitNumbers(row, `${name}[${i}]`);
    rows.push(row);
    lengths.push(row.length);
    total += row.length;
  }
  if (total > largestBlock) return rows.map(copyOfNumbers);
  const block = new Float64Array(total);
  let start = 0;
  return rows.map((row, i) => {
    const end = start + (lengths[i] as number);
    for (let at = start; at < end; at++) block[at] = row[at - start] as number;
    const copy = block.subarray(start, end);
    start = end;
    return copy;
  });
}

/** Throws unless `value` is an array of the length. */
export function checkTuple(value: unknown, name: string, length: number): void {
  if (!isTuple(value, length)) throw unfit(value, name, `an array of length ${length}`);
}

/** Throws unless `value` is an object, and no array. `expected` is for the message. */
export function checkRecord(value: unknown, name: string, expected: string): void {
  if (!isRecord(value)) throw unfit(value, name, expected);
}

/** Throws unless `value` is an object with one of the tags. `expected` is for the message. */
export function checkTag(value: unknown, name: string, tags: readonly string[], expected: string): void {
  const tag = typeof value === "object" && value !== null ? (value as Composite).tag : undefined;
  if (typeof tag !== "string" || !tags.includes(tag)) throw unfit(value, name, expected);
}

/** How many entries a field has among the fields of a shape; 0 for an array, whose elements have one shape. */
function strideOf(shape: ValueShape): 0 | 1 | 2 {
  if (typeof shape === "string") return 2;
  return Array.isArray(shape) ? 1 : 0;
}

/** A field; not what every object inherits. */
function ownField(parent: Composite, key: string | number): unknown {
  return key === "__proto__" && !Object.hasOwn(parent, key) ? undefined : parent[key];
}

/** A plain array, whatever class the items are held by. */
function copyOfItems<T>(items: readonly T[]): T[] {
  const copy: T[] = [];
  for (let i = 0; i < items.length; i++) copy.push(items[i] as T);
  return copy;
}

function copyOfObject(node: Composite, fields: readonly ValueShape[], row: unknown): Composite {
  if (fields === row) return copyOfRecord(node, fields);
  return copyOfTagged(node, fields);
}

/** Laid out as the module's own values are, which keeps property access fast. */
function copyOfTagged(node: Composite, fields: readonly ValueShape[]): Composite {
  const { tag } = node;
  // Fields with names of their own may be called `_0` too
  switch (fields.length) {
    case 0:
      return { tag };
    case 2:
      if (fields[0] !== "_0") break;
      return { tag, _0: node._0 };
    case 4:
      if (fields[0] !== "_0" || fields[2] !== "_1") break;
      return { tag, _0: node._0, _1: node._1 };
    case 6:
      if (fields[0] !== "_0" || fields[2] !== "_1" || fields[4] !== "_2") break;
      return { tag, _0: node._0, _1: node._1, _2: node._2 };
  }
  const copy: Composite = { tag };
  for (let i = 0; i < fields.length; i += 2) setField(copy, fields[i] as string, node[fields[i] as string]);
  return copy;
}

function copyOfRecord(node: Composite, fields: readonly ValueShape[]): Composite {
  const copy: Composite = {};
  for (let i = 0; i < fields.length; i += 2) setField(copy, fields[i] as string, node[fields[i] as string]);
  return copy;
}

/** Adds a field, which may have the name of the property that sets an object's prototype. */
export function setField(object: Composite, key: string, value: unknown): void {
  if (key !== "__proto__") object[key] = value;
  else Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
}

/** Whether values of a shape are looked at as a whole. */
function isLeaf(shape: ValueShape): shape is string {
  return shape === "number" || shape === "integer" || shape === "boolean" || shape === "null" || shape === "numbers";
}

/** Throws for a value that could not be read as one of the shape, as `checkValue` does. */
export function refuse(value: unknown, shape: ValueShape, shapes: ShapeTable, name: string): never {
  checkValue(value, shape, shapes, name);
  throw new TypeError(`${name} changes while it is read`);
}

function copyOfLeaf(value: unknown, shape: string, zero: boolean): unknown {
  if (shape === "numbers") {
    const numbers = value as ArrayLike<number>;
    return zero ? new Float64Array(numbers.length) : copyOfNumbers(numbers);
  }
  return zero && typeof value === "number" ? 0 : value;
}

function isFitting(value: unknown, shape: string, like: unknown): boolean {
  if (shape === "number") return typeof value === "number";
  if (shape === "null") return value === null;
  if (shape === "numbers") return isNumbers(value) && (like === undefined || value.length === lengthOf(like));
  if (shape === "boolean") return like === undefined ? typeof value === "boolean" : value === like;
  return like === undefined ? Number.isSafeInteger(value) : value === 0;
}

/** Whether a value is an array of numbers, in a wide sense. */
function isNumbers(value: unknown): value is ArrayLike<number> {
  return isFloat64Array(value) || (isArrayLike(value) && misfitAt(value) === -1);
}

/** The numbers that have been looked at: those at the indices, whatever an object of a caller's class gives when it is iterated over. */
function copyOfNumbers(values: ArrayLike<number>): Float64Array {
  if (isFloat64Array(values)) return new Float64Array(values);
  const copy = new Float64Array(values.length);
  for (let i = 0; i < copy.length; i++) copy[i] = values[i] as number;
  return copy;
}

function isArrayLike(value: unknown): value is ArrayLike<unknown> {
  if (typeof value !== "object" || value === null) return false;
  const { length } = value as { readonly length?: unknown };
  return Number.isInteger(length) && (length as number) >= 0 && (length as number) < 2 ** 32;
}

function lengthOf(value: unknown): unknown {
  return (value as { readonly length?: unknown }).length;
}

/** The first place of an array that holds no number; -1 where all do. */
function misfitAt(values: ArrayLike<unknown>): number {
  for (let i = 0; i < values.length; i++) if (typeof values[i] !== "number") return i;
  return -1;
}

/** The fields that `node` should have: keys and shapes for data, shapes for a tuple, one for an array. None where it is no such value, or not as `like`. */
function fieldsOf(
  node: unknown,
  shape: ValueShape,
  shapes: ShapeTable,
  like: unknown,
): readonly ValueShape[] | undefined {
  if (typeof shape !== "string") {
    if (!Array.isArray(node)) return undefined;
    if ("each" in shape) return like === undefined || node.length === lengthOf(like) ? [shape.each] : undefined;
    return node.length === shape.length ? shape : undefined;
  }
  if (typeof node !== "object" || node === null) return undefined;
  const row = shapes[shape];
  if (Array.isArray(row)) return Array.isArray(node) ? undefined : (row as readonly ValueShape[]);
  const tag = (node as Composite).tag;
  if (typeof tag !== "string" || (like !== undefined && (like as Composite).tag !== tag)) return undefined;
  const fields = (row as { readonly [tag: string]: readonly ValueShape[] } | undefined)?.[tag];
  // What objects inherit, such as "constructor", is no array
  return Array.isArray(fields) ? fields : undefined;
}

/** The error for a value that has not the shape. */
function misfit(value: unknown, shape: ValueShape, shapes: ShapeTable, path: string, like: unknown): Error {
  if (shape === "numbers") return unfitNumbers(value, path, like === undefined ? undefined : lengthAsIn(like));
  if (shape === "integer" && like === undefined) return unfitInteger(value, path);
  return unfit(value, path, like === undefined ? describeShape(shape, shapes) : describeCotangent(shape, like));
}

/** The error for a value that is not what is expected. */
function unfit(value: unknown, name: string, expected: string): TypeError {
  return new TypeError(`${name} must be ${expected}, got ${describe(value)}`);
}

function unfitInteger(value: unknown, name: string): Error {
  return typeof value === "number"
    ? new RangeError(`${name} must be an integer between -(2 ** 53 - 1) and 2 ** 53 - 1, got ${value}`)
    : unfit(value, name, "an integer");
}

/** The error for a value that is no array of numbers, or not the expected one. */
function unfitNumbers(value: unknown, name: string, expected = "an array of numbers"): TypeError {
  if (!isArrayLike(value) || isNumbers(value)) return unfit(value, name, expected);
  const at = misfitAt(value);
  return unfit(value[at], `${name}[${at}]`, "a number");
}

function lengthAsIn(like: unknown): string {
  return `an array of length ${String(lengthOf(like))}, as in the value`;
}

function describeShape(shape: ValueShape, shapes: ShapeTable): string {
  if (typeof shape !== "string") return "each" in shape ? "an array" : `an array of length ${shape.length}`;
  if (isLeaf(shape)) return shape === "null" ? shape : `a ${shape}`;
  const row = shapes[shape] ?? {};
  if (Array.isArray(row)) return describeRecord(row);
  const tags = Object.keys(row);
  const shown = tags.slice(0, 6).map((tag) => JSON.stringify(tag));
  return `an object with tag ${shown.join(" or ")}${tags.length > shown.length ? ", .." : ""}`;
}

function describeRecord(fields: readonly ValueShape[]): string {
  const keys = fields.filter((_, i) => i % 2 === 0).map(String);
  return keys.length === 0
    ? "an object"
    : `an object with ${keys.slice(0, 6).join(", ")}${keys.length > 6 ? ", .." : ""}`;
}

function describeCotangent(shape: ValueShape, like: unknown): string {
  if (shape === "number") return "a number";
  if (shape === "integer") return "0, since an integer has no derivative";
  return `${describe(like)}, as in the value`;
}

/** A value in a few words, for an error message. */
export function describe(value: unknown): string {
  if (Array.isArray(value)) return `an array of length ${value.length}`;
  if (typeof value === "string") return JSON.stringify(value.length > 30 ? `${value.slice(0, 30)}..` : value);
  if (typeof value !== "object" || value === null)
    return /function|symbol|bigint/.test(typeof value) ? `a ${typeof value}` : String(value);
  const tag = (value as Composite).tag;
  if (typeof tag === "string") return `an object with tag ${JSON.stringify(tag)}`;
  if (!ArrayBuffer.isView(value) || !("length" in value)) return "an object";
  const type = Object.prototype.toString.call(value).slice(8, -1);
  return `${type.startsWith("I") ? "an" : "a"} ${type} of length ${String(value.length)}`;
}

/** `._1._0`; of a long path the beginning and the end. */
function pathText(path: readonly (string | number)[], depth: number): string {
  const step = (key: string | number): string => (typeof key === "number" ? `[${key}]` : `.${key}`);
  if (depth <= 12) return path.slice(0, depth).map(step).join("");
  const first = path.slice(0, 4).map(step).join("");
  const last = path
    .slice(depth - 4, depth)
    .map(step)
    .join("");
  return `${first} (${depth - 8} steps) ${last}`;
}

/** Throws unless `value` is a number. */
export function checkNumber(value: unknown, name: string): void {
  if (typeof value !== "number") throw unfit(value, name, "a number");
}

/** Throws unless `value` is a safe integer. */
export function checkInteger(value: unknown, name: string): void {
  if (!Number.isSafeInteger(value)) throw unfitInteger(value, name);
}

/** Throws unless `value` is a boolean. */
export function checkBoolean(value: unknown, name: string): void {
  if (typeof value !== "boolean") throw unfit(value, name, "a boolean");
}

/** Runs a computation that recurses on the JavaScript stack; where that overflows, the error names definition and stage. */
export function withinStack<T>(name: string, stage: string, compute: () => T): T {
  try {
    return compute();
  } catch (error) {
    if (!(error instanceof Error && /call stack|too much recursion/.test(error.message))) throw error;
    throw new Error(
      `${name}: recursion is deeper than the JavaScript stack in stage ${stage}; stages primal, tape and adjoint have no such limit`,
      { cause: error },
    );
  }
}

/** Quick tests of arguments. */
export function isNumber(value: unknown): boolean {
  return typeof value === "number";
}

export function isBoolean(value: unknown): boolean {
  return typeof value === "boolean";
}

export function isArray(value: unknown): boolean {
  return Array.isArray(value);
}

// By the prototype: V8 has looked at the hidden class to take the length, and knows it, which takes a third of the time of `constructor`.

/** Whether a value is a Float64Array, no proxy of one, and of no derived class: its copies would be of that. */
export function isFloat64Array(value: unknown): value is Float64Array {
  return (
    ArrayBuffer.isView(value) &&
    (value as Float64Array).length >= 0 &&
    Object.getPrototypeOf(value) === Float64Array.prototype
  );
}

// Tests of the type of an object take longer.

/** Whether a value has properties that can be looked at. */
export function isPresent(value: unknown): boolean {
  return value !== null && value !== undefined;
}

export function isRecord(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isTuple(value: unknown, length: number): boolean {
  return Array.isArray(value) && value.length === length;
}
