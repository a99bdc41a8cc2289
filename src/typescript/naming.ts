// Identifiers of emitted modules: legal, unlike each other, and as close to the source's names as that allows.

import { calledAfter, calledPlainly, nameOf, type Called, type Role } from "./called.js";

/** Words that TypeScript does not accept as an identifier in a module, or that would be misread there. */
const reservedWords: ReadonlySet<string> = new Set(
  `arguments as async await break case catch class const continue debugger default delete do else enum eval export extends false
  finally for from function get globalThis if implements import in instanceof interface let new null of package private
  protected public return set static super switch this throw true try type typeof undefined var void while with yield`.split(
    /\s+/,
  ),
);

/** Words of `reservedWords` that are reserved in some places only: as names of values they are fine. */
const contextualWords: ReadonlySet<string> = new Set(["as", "async", "from", "get", "of", "set", "type"]);

/** Global values that emitted code and the runtime mention. */
const globalValues: readonly string[] =
  `Array ArrayBuffer Atomics BigInt Boolean Error Float64Array Infinity Int32Array Uint8Array Map Math NaN Number Object Promise
  RangeError Set SharedArrayBuffer String Symbol TypeError WeakMap WeakSet`.split(/\s+/);

/** Types that emitted code and the runtime mention. Others, as `Record` and `Parameters`, a module may declare for itself. */
const globalTypes: readonly string[] =
  `any Array ArrayBuffer ArrayLike bigint boolean Error Float64Array Generator Infinity Int32Array Uint8Array Iterable Map Math NaN never null
  number Number object Object Promise RangeError readonly ReadonlyArray ReadonlyMap ReadonlySet Set string String symbol TypeError undefined
  unknown void`.split(/\s+/);

const spelledOut: ReadonlyMap<string, string> = new Map([
  ["'", "Prime"],
  ["+", "Plus"],
  ["*", "Times"],
  ["-", "Minus"],
  ["/", "Div"],
  ["^", "Power"],
  ["<", "Less"],
  [">", "Greater"],
  ["=", "Equal"],
]);

/** A legal identifier for a source name: `sum'` becomes `sumPrime`, `new` becomes `new_`, `λ1` stays. */
export function identifier(name: string): string {
  if (/^[A-Za-z_$][\w$]*$/.test(name)) return isReserved(name) ? `${name}_` : name;
  let text = "";
  for (const char of name) {
    const plain = char.normalize("NFKC");
    if (/^[\p{ID_Continue}$]$/u.test(char)) text += char;
    else text += spelledOut.get(char) ?? (/^\p{ID_Continue}+$/u.test(plain) ? plain : "_");
  }
  if (!/^[\p{ID_Start}$_]/u.test(text)) text = `_${text}`;
  return isReserved(text) ? `${text}_` : text;
}

/** Whether a name cannot be that of a value in an emitted module. */
function isReserved(name: string): boolean {
  return reservedWords.has(name) && !contextualWords.has(name);
}

/** `List` becomes `list`. */
export function uncapitalised(name: string): string {
  const [first = "", ...rest] = name;
  return first.toLowerCase() + rest.join("");
}

/** `list` becomes `List`. */
export function capitalised(name: string): string {
  const [first = "", ...rest] = name;
  return first.toUpperCase() + rest.join("");
}

export interface ScopeOptions {
  /** Names that are kept free for scopes inside. */
  readonly avoided?: Iterable<string>;
  /** The identifiers of the program's own variables. */
  readonly variables?: ReadonlySet<string>;
}

/** Hands out identifiers, each unlike all others of this scope and of the scopes around it. */
export class Scope {
  readonly #parent: Scope | null;
  readonly #taken: Set<string>;
  readonly #avoided: ReadonlySet<string>;
  readonly #next = new Map<string, number>();
  readonly #called: Map<string, Called>;
  readonly #variables: ReadonlySet<string>;

  private constructor(
    parent: Scope | null,
    taken: Iterable<string>,
    { avoided = [], variables = new Set() }: ScopeOptions = {},
  ) {
    this.#parent = parent;
    this.#taken = new Set(taken);
    this.#avoided = new Set(avoided);
    this.#called = parent === null ? new Map<string, Called>() : parent.#called;
    this.#variables = parent === null ? variables : parent.#variables;
  }

  /** What the identifiers of variables mean that are called after others, here, in the scopes around, and in those inside. */
  get called(): ReadonlyMap<string, Called> {
    return this.#called;
  }

  /** The values of a module; `taken` are those it has already. */
  static values(taken: Iterable<string> = [], options: ScopeOptions = {}): Scope {
    return new Scope(null, [...globalValues, ...taken], options);
  }

  /** The types of a module; `taken` are those it has already. */
  static types(taken: Iterable<string> = []): Scope {
    return new Scope(null, [...globalTypes, ...taken]);
  }

  /** A scope inside this one. Names that this one hands out later are not avoided. */
  inner(): Scope {
    return new Scope(this, []);
  }

  has(name: string): boolean {
    return this.#taken.has(name) || (this.#parent?.has(name) ?? false);
  }

  /** Takes an identifier as it stands. */
  reserve(name: string): void {
    this.#taken.add(name);
  }

  /** An identifier for a source name, with a number where the plain one is taken: `x`, `x1`, `x2`, .. */
  fresh(name: string): string {
    return this.#free(name, (candidate) => this.has(candidate) || this.#avoided.has(candidate));
  }

  /** An identifier that gives way to the author's for the same. */
  own(name: string): string {
    return this.named({ of: name, as: [], isOwn: true });
  }

  /** One more identifier for what has one. */
  another(name: string): string {
    const called = this.#called.get(name);
    return called === undefined ? this.fresh(name) : this.named(called);
  }

  /** An identifier for what something is of a variable that has one. */
  after(of: string, role: Role): string {
    return this.named(calledAfter(this.#called.get(of) ?? calledPlainly(of), role));
  }

  /** An identifier that no variable of the program's own has anywhere in the module: what it means is known by it alone. */
  named(called: Called): string {
    const name = this.#free(nameOf(called), (candidate) => this.has(candidate) || this.#variables.has(candidate));
    this.#called.set(name, called);
    return name;
  }

  #free(name: string, isTaken: (candidate: string) => boolean): string {
    const plain = identifier(name);
    let candidate = plain;
    const stem = plain.replace(/\d+$/, "");
    while (isTaken(candidate)) {
      const count = this.#next.get(stem) ?? 1;
      this.#next.set(stem, count + 1);
      candidate = `${stem}${count}`;
    }
    this.#taken.add(candidate);
    return candidate;
  }
}
