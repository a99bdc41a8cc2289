// Where in a model, or in what it imports, the parts of a program are from: facts for source maps. Programs have them where a map is asked for, and no others.
//
// A part has its location under a symbol, which a copy by `{ ...part }` takes along, and which neither keys (`keyOf`) nor comparisons by names of properties see: code with
// a map is the same as without.

/** A place in a file, as the spans of the file have it. */
export interface Location {
  readonly file: string;
  /** UTF-16 offset. */
  readonly start: number;
  /** UTF-16 offset, exclusive. */
  readonly end: number;
  /** The author's variable that is bound to what stands there, if any. */
  readonly variable: LocatedName | null;
}

/** A name, and where it is bound. */
export interface LocatedName {
  readonly name: string;
  readonly file: string;
  readonly start: number;
}

export const location: unique symbol = Symbol("location");

export interface Located {
  readonly [location]?: Location;
}

/** Whether there has been a location at all: without, nobody looks for any, which would take a tenth of the time of a compilation. */
let isAny = false;

/** Tells a part where it is from, unless it knows: to be called by who has made it, before anybody else sees it. */
export function locate<T extends Located>(part: T, at: Location | undefined): T {
  if (at === undefined || part[location] !== undefined) return part;
  isAny = true;
  return Object.defineProperty(part, location, { value: at, enumerable: true, writable: true });
}

/** Tells a part better where it is from. */
export function relocate(part: Located, at: Location): void {
  Object.defineProperty(part, location, { value: at, enumerable: true, writable: true });
}

/** A part that is written anew in the place of another one. */
export function inPlaceOf<T extends Located>(part: T, other: Located): T {
  return isAny ? locate(part, other[location]) : part;
}
