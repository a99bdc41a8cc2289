// The last parameter of a derivative, for the result of an earlier call: whose arrays are filled again.

import type { Entry } from "../../core/term.js";
import type { Scope } from "../../typescript/naming.js";
import * as ts from "../../typescript/build.js";
import type { TsExpr } from "../../typescript/tree.js";
import type { PublicParam } from "./parameters.js";
import type { InterfaceRequest } from "./request.js";
import type { RuntimeName } from "./runtime-names.js";

export class EarlierResults {
  constructor(
    private readonly entry: Entry,
    private readonly request: InterfaceRequest,
    private readonly params: readonly PublicParam[],
    private readonly runtime: (name: RuntimeName, args: readonly TsExpr[]) => TsExpr,
  ) {}

  /** The parameter of a gradient that has arrays of numbers, or lists that are filled again. */
  ofGradient(scope: Scope): string | null {
    return this.#hasArrays || this.#fillsLists ? scope.fresh("buffers") : null;
  }

  /** The parameter of another derivative whose result has arrays of numbers. */
  ofResult(scope: Scope): string | null {
    const { isRefilled, result } = this.entry;
    return isRefilled === true && this.request.types.isWide(result) ? scope.fresh("buffers") : null;
  }

  /** What is said of the parameter of a gradient. */
  gradientText(buffers: string): string {
    const what = this.#hasArrays ? "Float64Arrays" : "lists";
    const fitting = !this.#hasArrays ? "all have the length" : this.#fillsLists ? "they have the length, its lists where all have it" : "they have the length"; // prettier-ignore
    return `The ${what} of \`${buffers}\`, the gradient of an earlier call, are filled again where ${fitting}.`;
  }

  resultText(buffers: string): string {
    return `The Float64Arrays of \`${buffers}\`, the result of an earlier call, are filled again where they have the length.`;
  }

  /** A gradient with its arrays in the memory of an earlier one, where there is some. */
  gradient(grad: TsExpr, buffers: string | null): TsExpr {
    const active = this.params.filter((param) => param.active);
    const keys = active.filter(({ type }) => this.request.types.isWide(type)).map(({ key }) => ts.string(key));
    if (buffers === null || keys.length === 0) return grad;
    return this.#refilled(grad, buffers, keys.length === active.length ? [] : keys);
  }

  result(value: TsExpr, buffers: string | null): TsExpr {
    if (this.entry.isMerged === true) return this.runtime("mergedRows", [value]);
    return buffers === null ? value : this.#refilled(value, buffers, []);
  }

  #refilled(whole: TsExpr, buffers: string, keys: readonly TsExpr[]): TsExpr {
    const given = this.params.filter(({ type }) => this.request.types.isWide(type));
    return this.runtime("refill", [whole, ts.id(buffers), ts.array(given.map(({ name }) => ts.id(name))), ...keys]);
  }

  get #hasArrays(): boolean {
    return this.params.some(({ active, type }) => active && this.request.types.isWide(type));
  }

  get #fillsLists(): boolean {
    return this.params.some(({ active }, index) => active && this.request.inline?.fills(this.entry, index) === true);
  }
}
