// Values with arrays of pairs or records in their objects: outside an array of pairs, inside a pair of arrays. Objects are converted one after the other,
// since a list may have a million cells; what is within one object is as deep as its type.

/** `number`: a number; `same`: anything else that is not converted; an index: an object of that row of the table. */
export type InsideShape =
  | "number"
  | "same"
  | number
  | { readonly items: readonly InsideShape[] }
  | { readonly tag: string; readonly fields: readonly (readonly [string, InsideShape])[] }
  | { readonly each: InsideShape };

/** For each data type, the fields of its constructors; under no name those of a record, which has no tag. */
export type InsideTable = readonly { readonly [tag: string]: readonly (readonly [string, InsideShape])[] }[];

/** An object as adjoint code has it, in memory of its own but for what is not converted. */
export function inward(value: unknown, row: number, table: InsideTable): unknown {
  return converted(value, row, table, intoField);
}

/** An object as callers have it. */
export function outward(value: unknown, row: number, table: InsideTable): unknown {
  return converted(value, row, table, outOfField);
}

/** A cotangent inside, in which lengths are the value's: of arrays whose elements hold nothing. Both are arrays of arrays, as deep as `depth`, of objects. */
export function withLengths<T>(cotangent: T, value: unknown, depth: number, row: number, table: InsideTable): T {
  const pending: unknown[] = [];
  lengthsInLeaf(cotangent, value, { depth, of: row }, pending);
  while (pending.length > 0) {
    const node = pending.pop() as Keyed;
    const into = pending.pop() as Keyed;
    const cases = table[pending.pop() as number] as InsideTable[number];
    for (const [key, shape] of cases["" in cases ? "" : (node["tag"] as string)] ?? [])
      setOwn(into, key, lengthsInField(into[key], node[key], shape, pending));
  }
  return cotangent;
}

function converted(
  value: unknown,
  row: number,
  table: InsideTable,
  convert: (value: unknown, shape: InsideShape, pending: unknown[]) => unknown,
): unknown {
  const pending: unknown[] = [];
  const root = later(value, row, pending);
  while (pending.length > 0) {
    const made = pending.pop() as object;
    const cases = table[pending.pop() as number] as InsideTable[number];
    const node = pending.pop() as { readonly [key: string]: unknown };
    const isRecord = "" in cases;
    if (!isRecord) setOwn(made, "tag", node["tag"]);
    const fields = cases[isRecord ? "" : (node["tag"] as string)] ?? [];
    for (const [key, shape] of fields) setOwn(made, key, convert(node[key], shape, pending));
  }
  return root;
}

/** An object that is filled when its turn comes. */
function later(value: unknown, row: number, pending: unknown[]): object {
  const made = {};
  pending.push(value, row, made);
  return made;
}

function setOwn(object: object, key: string, value: unknown): void {
  if (key === "__proto__")
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  else (object as { [key: string]: unknown })[key] = value;
}

/** Tuples and records of what `part` makes of their parts. */
function assembled(
  shape:
    | { readonly items: readonly InsideShape[] }
    | { readonly tag: string; readonly fields: readonly (readonly [string, InsideShape])[] },
  value: unknown,
  part: (value: unknown, shape: InsideShape) => unknown,
): unknown {
  const node = value as { readonly [key: string | number]: unknown } | null;
  if ("items" in shape)
    return shape.items.length === 0 ? null : shape.items.map((item, index) => part(node?.[index], item));
  const made = {};
  if (shape.tag !== "") setOwn(made, "tag", shape.tag);
  for (const [key, field] of shape.fields) setOwn(made, key, part(node?.[key], field));
  return made;
}

function intoField(value: unknown, shape: InsideShape, pending: unknown[]): unknown {
  if (typeof shape === "string") return value;
  if (typeof shape === "number") return later(value, shape, pending);
  if (!("each" in shape)) return assembled(shape, value, (part, inner) => intoField(part, inner, pending));
  const arrays = arraysOf(value as ArrayLike<unknown>, shape.each, pending);
  return arrays.length === 1 ? arrays[0] : arrays;
}

/** The arrays that an array is split into; its length where the elements have no leaves. */
function arraysOf(values: ArrayLike<unknown>, each: InsideShape, pending: unknown[]): readonly unknown[] {
  const { length } = values;
  const kinds = leavesOf(each);
  if (kinds.length === 0) return [length];
  const arrays = kinds.map((kind): unknown[] | Float64Array =>
    kind === "number" ? new Float64Array(length) : new Array<unknown>(length),
  );
  for (let i = 0; i < length; i++) {
    const leaves: unknown[] = [];
    takeLeaves(values[i], each, pending, leaves);
    leaves.forEach((leaf, place) => {
      (arrays[place] as unknown[])[i] = leaf;
    });
  }
  return arrays;
}

function takeLeaves(value: unknown, shape: InsideShape, pending: unknown[], gathered: unknown[]): void {
  if (typeof shape === "string") gathered.push(value);
  else if (typeof shape === "number") gathered.push(later(value, shape, pending));
  else if ("each" in shape) gathered.push(...arraysOf(value as ArrayLike<unknown>, shape.each, pending));
  else
    assembled(shape, value, (part, inner) => {
      takeLeaves(part, inner, pending, gathered);
    });
}

/** The leaves of a type: whether each is a number. */
function leavesOf(shape: InsideShape): readonly ("number" | "other")[] {
  if (shape === "number") return ["number"];
  if (typeof shape === "string" || typeof shape === "number") return ["other"];
  if ("items" in shape) return shape.items.flatMap(leavesOf);
  if ("fields" in shape) return shape.fields.flatMap(([, field]) => leavesOf(field));
  const inner = leavesOf(shape.each);
  return inner.length === 0 ? ["other"] : inner.map(() => "other");
}

function outOfField(value: unknown, shape: InsideShape, pending: unknown[]): unknown {
  if (typeof shape === "string") return value;
  if (typeof shape === "number") return later(value, shape, pending);
  if (!("each" in shape)) return assembled(shape, value, (part, inner) => outOfField(part, inner, pending));
  const arrays = leavesOf(shape.each).length > 1 ? (value as readonly unknown[]) : [value];
  return arrayOf(arrays, shape.each, pending);
}

function arrayOf(arrays: readonly unknown[], each: InsideShape, pending: unknown[]): readonly unknown[] {
  const hasLeaves = leavesOf(each).length > 0;
  const length = hasLeaves ? (arrays[0] as ArrayLike<unknown>).length : (arrays[0] as number);
  return Array.from({ length }, (_, i) => {
    let place = 0;
    return putLeaves(each, pending, () => (arrays[place++] as ArrayLike<unknown>)[i]);
  });
}

function putLeaves(shape: InsideShape, pending: unknown[], next: () => unknown): unknown {
  if (typeof shape === "string") return next();
  if (typeof shape === "number") return later(next(), shape, pending);
  if (!("each" in shape)) return assembled(shape, null, (_, inner) => putLeaves(inner, pending, next));
  const count = Math.max(1, leavesOf(shape.each).length);
  return arrayOf(Array.from({ length: count }, next), shape.each, pending);
}

interface Keyed {
  [key: string | number]: unknown;
}

function lengthsInField(cotangent: unknown, value: unknown, shape: InsideShape, pending: unknown[]): unknown {
  if (typeof shape === "string") return cotangent;
  const [into, node] = [cotangent as Keyed, value as Keyed];
  if (typeof shape === "number") return lengthsInLeaf(cotangent, value, { depth: 0, of: shape }, pending);
  if ("items" in shape)
    shape.items.forEach((item, i) => { into[i] = lengthsInField(into[i], node[i], item, pending); }); // prettier-ignore
  else if ("fields" in shape)
    for (const [key, field] of shape.fields) setOwn(into, key, lengthsInField(into[key], node[key], field, pending));
  else {
    const [only, ...others] = leafShapesOf(shape);
    if (only !== undefined && others.length === 0) return lengthsInLeaf(cotangent, value, only, pending);
    leafShapesOf(shape).forEach((leaf, i) => { into[i] = lengthsInLeaf(into[i], node[i], leaf, pending); }); // prettier-ignore
  }
  return cotangent;
}

/** An array of arrays, as deep as `depth`, of lengths, of objects of a row, or of what has no lengths inside. */
interface LeafShape {
  readonly depth: number;
  readonly of: "length" | "same" | number;
}

function leafShapesOf(shape: InsideShape): readonly LeafShape[] {
  if (typeof shape === "string") return [{ depth: 0, of: "same" }];
  if (typeof shape === "number") return [{ depth: 0, of: shape }];
  if ("items" in shape) return shape.items.flatMap(leafShapesOf);
  if ("fields" in shape) return shape.fields.flatMap(([, field]) => leafShapesOf(field));
  const inner = leafShapesOf(shape.each);
  return inner.length === 0 ? [{ depth: 0, of: "length" }] : inner.map(({ depth, of }) => ({ depth: depth + 1, of }));
}

function lengthsInLeaf(cotangent: unknown, value: unknown, { depth, of }: LeafShape, pending: unknown[]): unknown {
  if (of === "length" && depth === 0) return value;
  if (of === "same") return cotangent;
  if (depth === 0) pending.push(of, cotangent, value);
  else {
    const [into, items] = [cotangent as unknown[], value as readonly unknown[]];
    for (let i = 0; i < items.length; i++)
      into[i] = lengthsInLeaf(into[i], items[i], { depth: depth - 1, of }, pending);
  }
  return cotangent;
}
