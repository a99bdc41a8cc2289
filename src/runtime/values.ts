// What stands between an emitted module and its callers: arguments are checked, results are copied. Everything is iterative, since a
// list may have a million cells and a tree may be as deep.

/**
 * What a value looks like: "number", "integer", "boolean", "null", the name of a data type in `ShapeTable`, or the components of a tuple.
 */
export type ValueShape = string | readonly ValueShape[];

/** Data types by name: for each constructor the key and the shape of its first field, then those of its second, and so on. */
export interface ShapeTable {
  readonly [type: string]: { readonly [tag: string]: readonly ValueShape[] };
}

/** A tuple, or an object with a tag. */
interface Composite {
  tag?: unknown;
  _0?: unknown;
  _1?: unknown;
  _2?: unknown;
  [key: string | number]: unknown;
}

/**
 * Throws unless `value` has the shape: a TypeError that names the path, which starts with `name`, or a RangeError for a number that
 * is not a safe integer and for a value that contains itself. With `like`, `value` has to be a cotangent of it: 0 for an integer;
 * booleans and constructors are those of `like`.
 */
export function checkValue(value: unknown, shape: ValueShape, shapes: ShapeTable, name: string, like?: unknown): void {
  if (isScalar(shape)) {
    if (!isFitting(value, shape, like)) throw misfit(value, shape, shapes, name, like);
    return;
  }
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
    const stride = typeof nodeShape === "string" ? 2 : 1;
    nodeShape = undefined;
    for (let i = 0; i < fields.length; i += stride) {
      const key = stride === 2 ? (fields[i] as string) : i;
      const fieldShape = fields[i + stride - 1] as ValueShape;
      const field = parent[key];
      if (fieldShape === "number" && typeof field === "number") continue;
      const likeField = likeParent === undefined ? undefined : likeParent[key];
      if (isScalar(fieldShape)) {
        if (isFitting(field, fieldShape, likeField)) continue;
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
}

/** A copy that shares no memory with `value`, which has the shape. With `zero`, its numbers are 0: a tangent that does nothing. */
export function copyValue<T>(value: T, shape: ValueShape, shapes: ShapeTable, zero = false): T {
  if (isScalar(shape)) return (zero && typeof value === "number" ? 0 : value) as T;
  const root = { value } as Composite;
  // Places that still hold what is to be copied: the parent, which is a copy, then key and shape
  const waiting: unknown[] = [];
  let parent = root;
  let key: string | number = "value";
  let nodeShape: ValueShape | undefined = shape;
  while (nodeShape !== undefined) {
    const node = parent[key] as Composite;
    const fields = fieldsOf(node, nodeShape, shapes, undefined) ?? [];
    const stride = typeof nodeShape === "string" ? 2 : 1;
    const copy =
      stride === 2 ? copyOfData(node, fields) : ((node as unknown as unknown[]).slice() as unknown as Composite);
    parent[key] = copy;
    nodeShape = undefined;
    for (let i = 0; i < fields.length; i += stride) {
      const fieldShape = fields[i + stride - 1] as ValueShape;
      const fieldKey = stride === 2 ? (fields[i] as string) : i;
      if (isScalar(fieldShape)) {
        if (zero && typeof copy[fieldKey] === "number") copy[fieldKey] = 0;
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

/** Laid out as the module's own values are, which keeps property access fast. */
function copyOfData(node: Composite, fields: readonly ValueShape[]): Composite {
  const { tag } = node;
  switch (fields.length) {
    case 0:
      return { tag };
    case 2:
      return { tag, _0: node._0 };
    case 4:
      return { tag, _0: node._0, _1: node._1 };
    case 6:
      return { tag, _0: node._0, _1: node._1, _2: node._2 };
  }
  const copy: Composite = { tag };
  for (let i = 0; i < fields.length; i += 2) copy[fields[i] as string] = node[fields[i] as string];
  return copy;
}

function isScalar(shape: ValueShape): shape is string {
  return shape === "number" || shape === "integer" || shape === "boolean" || shape === "null";
}

function isFitting(value: unknown, shape: string, like: unknown): boolean {
  if (shape === "number") return typeof value === "number";
  if (shape === "null") return value === null;
  if (shape === "boolean") return like === undefined ? typeof value === "boolean" : value === like;
  return like === undefined ? Number.isSafeInteger(value) : value === 0;
}

/** The fields that `node` should have: keys and shapes for data, shapes for a tuple. None where it is no such value, or not as `like`. */
function fieldsOf(
  node: unknown,
  shape: ValueShape,
  shapes: ShapeTable,
  like: unknown,
): readonly ValueShape[] | undefined {
  if (typeof shape !== "string") return Array.isArray(node) && node.length === shape.length ? shape : undefined;
  if (typeof node !== "object" || node === null) return undefined;
  const tag = (node as Composite).tag;
  if (typeof tag !== "string" || (like !== undefined && (like as Composite).tag !== tag)) return undefined;
  const fields = shapes[shape]?.[tag];
  // What objects inherit, such as "constructor", is no array
  return Array.isArray(fields) ? fields : undefined;
}

/** The error for a value that has not the shape. */
function misfit(value: unknown, shape: ValueShape, shapes: ShapeTable, path: string, like: unknown): Error {
  if (shape === "integer" && typeof value === "number" && like === undefined) {
    return new RangeError(`${path} must be an integer between -(2 ** 53 - 1) and 2 ** 53 - 1, got ${value}`);
  }
  const expected = like === undefined ? describeShape(shape, shapes) : describeCotangent(shape, like);
  return new TypeError(`${path} must be ${expected}, got ${describe(value)}`);
}

function describeShape(shape: ValueShape, shapes: ShapeTable): string {
  if (typeof shape !== "string") return `an array of length ${shape.length}`;
  if (shape === "null") return shape;
  if (isScalar(shape)) return shape === "integer" ? "an integer" : `a ${shape}`;
  const tags = Object.keys(shapes[shape] ?? {});
  const shown = tags.slice(0, 6).map((tag) => JSON.stringify(tag));
  return `an object with tag ${shown.join(" or ")}${tags.length > shown.length ? ", .." : ""}`;
}

function describeCotangent(shape: ValueShape, like: unknown): string {
  if (shape === "number") return "a number";
  if (shape === "integer") return "0, the cotangent of an integer";
  return `${describe(like)}, as in the value`;
}

/** A value in a few words, for an error message. */
export function describe(value: unknown): string {
  if (Array.isArray(value)) return `an array of length ${value.length}`;
  switch (typeof value) {
    case "string":
      return JSON.stringify(value.length > 30 ? `${value.slice(0, 30)}..` : value);
    case "object": {
      const tag = value === null ? undefined : (value as Composite).tag;
      if (typeof tag === "string") return `an object with tag ${JSON.stringify(tag)}`;
      return value === null ? "null" : "an object";
    }
    case "function":
    case "symbol":
    case "bigint":
      return `a ${typeof value}`;
    default:
      return String(value);
  }
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
  if (typeof value !== "number") throw new TypeError(`${name} must be a number, got ${describe(value)}`);
}

/** Throws unless `value` is a safe integer. */
export function checkInteger(value: unknown, name: string): void {
  if (!Number.isSafeInteger(value)) throw misfit(value, "integer", {}, name, undefined);
}

/** Throws unless `value` is a boolean. */
export function checkBoolean(value: unknown, name: string): void {
  if (typeof value !== "boolean") throw new TypeError(`${name} must be a boolean, got ${describe(value)}`);
}

/** Runs a computation that recurses on the JavaScript stack; where that overflows, the error names definition and stage. */
export function withinStack<T>(name: string, stage: string, compute: () => T): T {
  try {
    return compute();
  } catch (error) {
    if (!(error instanceof Error && /call stack|too much recursion/.test(error.message))) throw error;
    throw new Error(
      `${name}: recursion is deeper than the JavaScript stack in stage ${stage}; stages primal and tape have no such limit`,
      { cause: error },
    );
  }
}
