// What adjoint code shares: the stack of what recursive functions save, and stores, which have the shape of the values whose cotangents they hold.

import { endless } from "./limits.js";
import { copyValue, setField, type ShapeTable, type ValueShape } from "./values.js";

// In one array, it would be copied again and again; and one of more than 128 KB takes new pages of the operating system each time.

/** What the forward sweep saves, in chunks. The reverse sweep takes it off in reverse order; more than once, from the same position. */
export class SavedValues {
  /** The chunks in use, and how much of them is taken. */
  private numbers: Float64Array = new Float64Array(256);
  private values: unknown[] = new Array<unknown>(32);
  private count = 0;
  private valueCount = 0;
  private chunk = 0;
  private valueChunk = 0;
  private readonly chunks: Float64Array[] = [this.numbers];
  private readonly valueChunks: unknown[][] = [this.values];
  /** Where the reverse sweep begins, in the last chunks. */
  private end = 0;
  private valueEnd = 0;

  pushNumber(value: number): void {
    if (this.count === this.numbers.length) this.nextChunk();
    this.numbers[this.count++] = value;
  }

  popNumber(): number {
    if (this.count === 0) this.previousChunk();
    return this.numbers[--this.count] as number;
  }

  pushValue(value: unknown): void {
    if (this.valueCount === this.values.length) this.nextValues();
    this.values[this.valueCount++] = value;
  }

  popValue(): unknown {
    if (this.valueCount === 0) this.previousValues();
    return this.values[--this.valueCount];
  }

  /** Ends the forward sweep: gives back the buffer that is not used, where it is much. */
  keep(): void {
    if (this.numbers.length > 8192) {
      this.numbers = this.numbers.slice(0, this.count);
      this.chunks[this.chunk] = this.numbers;
    }
    this.chunks.length = this.chunk + 1;
    this.valueChunks.length = this.valueChunk + 1;
    this.end = this.count;
    this.valueEnd = this.valueCount;
  }

  /** Goes to where the forward sweep ended: there each run of the pullback begins. */
  rewind(): void {
    this.chunk = this.chunks.length - 1;
    this.valueChunk = this.valueChunks.length - 1;
    this.numbers = this.chunks[this.chunk] as Float64Array;
    this.values = this.valueChunks[this.valueChunk] as unknown[];
    this.count = this.end;
    this.valueCount = this.valueEnd;
  }

  private nextChunk(): void {
    if (this.chunk === 256) endless(this.chunk * this.numbers.length);
    // What has been taken off may have left one
    this.chunks[++this.chunk] ??= new Float64Array(Math.min(2 * this.numbers.length, 262144));
    this.numbers = this.chunks[this.chunk] as Float64Array;
    this.count = 0;
  }

  private previousChunk(): void {
    this.numbers = this.chunks[--this.chunk] as Float64Array;
    this.count = this.numbers.length;
  }

  private nextValues(): void {
    if (this.valueChunk === 16384) endless(this.valueChunk * this.values.length);
    this.valueChunks[++this.valueChunk] ??= new Array<unknown>(Math.min(2 * this.values.length, 1024));
    this.values = this.valueChunks[this.valueChunk] as unknown[];
    this.valueCount = 0;
  }

  private previousValues(): void {
    this.values = this.valueChunks[--this.valueChunk] as unknown[];
    this.valueCount = this.values.length;
  }
}

/** Lets one run of a pullback in at a time, since its slots are in use until it ends; after one that failed they stay so. */
export class Turn {
  private isTaken = false;

  take(): void {
    if (this.isTaken) throw new Error("this pullback is running already, or has failed; take a new one");
    this.isTaken = true;
  }

  end(): void {
    this.isTaken = false;
  }
}

/** An object or array. */
interface Fields {
  [key: string]: unknown;
}

/** A store of zeros for a value, which has the shape: a tree, whatever is shared in the value. Functions hold their own slots, and are left as they are. */
export function zerosLike(value: unknown, shape: ValueShape, shapes: ShapeTable): unknown {
  if (typeof shape !== "object" || !("each" in shape)) return copyValue(value, shape, shapes, true);
  if (shape.each === "numbers") return zeroRows(value as readonly Float64Array[]);
  const [items, store] = [value as readonly unknown[], new Array<unknown>()];
  for (let i = 0; i < items.length; i++) store.push(zerosLike(items[i], shape.each, shapes));
  return store;
}

export const noNumbers = /* @__PURE__ */ new Float64Array(0);

/** The same numbers, with buffer for as many again, or more. */
export function grown(numbers: Float64Array): Float64Array {
  if (numbers.length >= 2 ** 26) endless(numbers.length);
  const larger = new Float64Array(Math.max(64, 2 * numbers.length));
  larger.set(numbers);
  return larger;
}

/** Adds to an array of what is saved. */
export function keep<T>(saved: T[], value: T): void {
  if (saved.push(value) > 2 ** 25) endless(2 ** 25);
}

/** More is not kept: two gigabytes of numbers. */
const mostKept = 2 ** 28;

/** Blocks that nobody uses, the numbers all zero: eight megabytes at most. */
let spareRoom: Float64Array | null = null;
let sparePlaces: Int32Array | null = null;
const mostSpare = 2 ** 20;
/** How much the last function has used: the next one is likely to want as much. */
let expectedRoom = 1024;

/** A block of zeros for the numbers that a function keeps. */
export function takeRoom(): Float64Array {
  const room = spareRoom ?? new Float64Array(expectedRoom);
  spareRoom = null;
  return room;
}

/** The same numbers, with room for so many. */
export function withRoom(room: Float64Array, size: number): Float64Array {
  if (size <= room.length) return room;
  if (size > mostKept) endless(size);
  const larger = new Float64Array(Math.max(size, 2 * room.length));
  larger.set(room);
  return larger;
}

/** Ends the use of a block, of which a part has been used. */
export function leaveRoom(room: Float64Array, used: number): void {
  expectedRoom = Math.max(used, 1024);
  if (room.length > mostSpare) return;
  room.fill(0, 0, used);
  spareRoom = room;
}

/** A block for the places where arrays begin. It holds what others have left in it. */
export function takePlaces(): Int32Array {
  const places = sparePlaces ?? new Int32Array(1024);
  sparePlaces = null;
  return places;
}

/** The same places, with room for so many. */
export function withPlaces(places: Int32Array, size: number): Int32Array {
  if (size <= places.length) return places;
  if (size > mostKept) endless(size);
  const larger = new Int32Array(Math.max(size, 2 * places.length));
  larger.set(places);
  return larger;
}

/** Ends the use of a block. */
export function leavePlaces(places: Int32Array): void {
  if (places.length <= mostSpare) sparePlaces = places;
}

/** Buffers that nobody uses: half a megabyte each, at most. */
const spareBuffers: Float64Array[] = [];

/** A buffer for numbers to collect, at least so long; it holds what others have left in it. */
export function takeBuffer(length = 8): Float64Array {
  const buffer = spareBuffers.pop();
  return buffer !== undefined && buffer.length >= length ? buffer : new Float64Array(length);
}

/** Ends the use of a buffer. V8 makes one of 8 numbers as fast as it finds one here. */
export function leaveBuffer(buffer: Float64Array): void {
  if (buffer.length > 8 && buffer.length <= 65536 && spareBuffers.length < 8) spareBuffers.push(buffer);
}

// V8 copies a few numbers in a tenth of the time that a view of them takes, or an array of none.

/** The numbers at the start of a buffer for them, which is used no more. */
export function collected(buffer: Float64Array, count: number): Float64Array {
  if (count === 0) return noNumbers;
  if (buffer.length > 8) return buffer.subarray(0, count);
  const numbers = new Float64Array(count);
  for (let i = 0; i < count; i++) numbers[i] = buffer[i] as number;
  return numbers;
}

/** What has a length. */
interface Sized {
  readonly length: number;
}

// V8 takes long to make an array of more than 8 numbers that has memory of its own.

/** A store of zeros for rows of numbers: those of more than 8 are in one piece of memory. */
export function zeroRows(rows: readonly Sized[]): Float64Array[] {
  let size = 0;
  for (const { length } of rows) if (length > 8) size += length;
  const { buffer } = size === 0 ? noNumbers : new Float64Array(size);
  let start = 0;
  return rows.map(({ length }) => {
    if (length <= 8) return new Float64Array(length);
    // `subarray` takes a quarter longer
    const row = new Float64Array(buffer, start, length);
    start += 8 * length;
    return row;
  });
}

let workBlock = noNumbers;
let workTaken = 0;

// V8 makes an array of up to 8 numbers fast, but not one of none, nor one of more that has memory of its own. A caller might transfer its memory, which others share.

/** An array of zeros to work with, which no caller of the module is given. With more than 8 numbers it is a part of a block. */
export function workArray(length: number): Float64Array {
  if (length === 0) return noNumbers;
  if (length <= 8 || length > 512) return new Float64Array(length);
  if (workTaken + length > workBlock.length) {
    workBlock = new Float64Array(4096);
    workTaken = 0;
  }
  const start = 8 * workTaken;
  workTaken += length;
  return new Float64Array(workBlock.buffer, start, length);
}

/** A store of zeros for rows of numbers to work with. */
export function workRows(rows: readonly Float64Array[]): Float64Array[] {
  const store = new Array<Float64Array>(rows.length);
  for (let i = 0; i < rows.length; i++) store[i] = workArray((rows[i] as Float64Array).length);
  return store;
}

/** A row of so many numbers, which may be anything, for a place in a store that has been filled before: the one that is there, if it has the length. */
export function rowAgain(store: readonly Float64Array[], index: number, length: number): Float64Array {
  const row = store[index];
  return row !== undefined && row.length === length ? row : new Float64Array(length);
}

/** A store of zeros for rows of numbers: one that has been filled before, if all of its rows have the lengths. */
export function zeroRowsAgain(store: Float64Array[], rows: readonly Sized[]): Float64Array[] {
  const isLike = store.length === rows.length && store.every((row, i) => row.length === rows[i]?.length);
  if (!isLike) return zeroRows(rows);
  for (const row of store) row.fill(0);
  return store;
}

/** What is in a store, as a value of its own; the store is left at zero. */
export function takeStore(store: unknown): unknown {
  const taken = copyOfStore(store);
  const pending: unknown[] = [store];
  for (let part = pending.pop(); pending.length > 0 || part !== undefined; part = pending.pop()) {
    if (part instanceof Float64Array) part.fill(0);
    else if (isNode(part)) {
      const node = part as Fields;
      for (const key of Object.keys(node)) {
        const inner = node[key];
        if (typeof inner === "number") node[key] = 0;
        else if (typeof inner === "object" && inner !== null) pending.push(inner);
      }
    }
  }
  return taken;
}

/** What is in the store of an array of numbers, which is left at zero. */
export function takeNumbers(store: Float64Array): Float64Array {
  const taken = store.slice();
  store.fill(0);
  return taken;
}

/** Adds a cotangent of a value to the value's store. */
export function addToStore(store: unknown, cotangent: unknown): void {
  const pending: unknown[] = [store, cotangent];
  while (pending.length > 0) {
    const from = pending.pop();
    const to = pending.pop();
    if (to instanceof Float64Array) {
      const numbers = from as Float64Array;
      for (let i = 0; i < to.length; i++) to[i] = (to[i] as number) + (numbers[i] as number);
    } else if (isNode(to)) {
      const [target, source] = [to as Fields, from as Fields];
      for (const key of Object.keys(target)) {
        const inner = target[key];
        if (typeof inner === "number") target[key] = inner + (source[key] as number);
        else if (typeof inner === "object" && inner !== null) pending.push(inner, source[key]);
      }
    }
  }
}

/** What is in a store, as a store of its own. The module has made it: it holds nothing that a caller has put there. */
function copyOfStore(store: unknown): unknown {
  const root: Fields = { store };
  const pending: Fields[] = [root];
  for (let copy = pending.pop(); copy !== undefined; copy = pending.pop()) {
    for (const key of Object.keys(copy)) {
      const part = copy[key];
      if (part instanceof Float64Array) setField(copy, key, part.slice());
      else if (isNode(part)) {
        const inner = Array.isArray(part) ? part.slice() : { ...part };
        setField(copy, key, inner);
        pending.push(inner);
      }
    }
  }
  return root["store"];
}

/** Whether a value is an object or an array, but no array of numbers and no function with its two sweeps. */
function isNode(value: unknown): value is object {
  return typeof value === "object" && value !== null && !(value instanceof Float64Array) && !isClosure(value);
}

function isClosure(value: object): boolean {
  return "back" in value && typeof value.back === "function";
}
