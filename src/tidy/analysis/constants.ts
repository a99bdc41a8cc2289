// Constants by what they are: what is computed again is the same as long as what it reads is.

import { keyOf } from "../../key.js";
import type { TsExpr, TsStmt } from "../../typescript/tree.js";
import type { Location, Memory } from "./memory.js";
import { isCallOf, isTotal, type Surroundings } from "./purity.js";

interface Constant {
  readonly name: string;
  readonly reads: readonly Location[];
}

/** Constants of statements by what they are. */
export class Constants {
  readonly #byKey = new Map<string, Constant[]>();
  readonly #inits = new Map<string, TsExpr>();

  constructor(
    private readonly memory: Memory,
    private readonly surroundings: Surroundings,
  ) {}

  add(stmts: readonly TsStmt[]): void {
    for (const stmt of stmts) {
      if (stmt.kind !== "const" || typeof stmt.target !== "string") continue;
      for (const value of this.#equals(stmt.init)) {
        const key = keyOf(value);
        const constant = { name: stmt.target, reads: this.memory.reads(value) };
        this.#byKey.set(key, [...(this.#byKey.get(key) ?? []), constant]);
      }
      this.#inits.set(stmt.target, stmt.init);
    }
  }

  /** The last constant with a key all of whose reads stay the same; undefined where there is none. */
  with(key: string, isKept: (read: Location) => boolean): string | undefined {
    return this.#byKey.get(key)?.findLast(({ reads }) => reads.every(isKept))?.name;
  }

  /** Expressions that are what a constant is, given what the constants before it are. */
  #equals(init: TsExpr): readonly TsExpr[] {
    if (init.kind === "binary" && init.op === "*" && isTotal(init, this.surroundings))
      return [init, { ...init, left: init.right, right: init.left }];
    if (isTotal(init, this.surroundings)) return init.kind === "id" ? [] : [init];
    const lengths = isCallOf(init, "numbers.sameLength", this.surroundings) ? init.args.slice(0, 2) : [];
    return lengths.flatMap((part) => {
      const inner = part.kind === "id" ? this.#inits.get(part.name) : part;
      return inner !== undefined && isTotal(inner, this.surroundings) ? [inner] : [];
    });
  }
}
