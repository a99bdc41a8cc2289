// Types and signatures as an editor shows them.

import { printType } from "../core/print-type.js";
import type { Analysis } from "../driver/analyse.js";
import { builtInType } from "../types/built-in.js";
import { typeOf } from "../types/binding-type.js";
import { operationType, useOperation } from "../types/operations.js";
import type { FunctionSymbol, Use } from "../types/scope.js";
import { resolvedType } from "../types/snapshot.js";
import { fnTy, fnTys, type Ty, variableTy } from "../types/ty.js";
import type * as Typed from "../types/typed.js";
import { Unifier } from "../types/unify.js";
import type { Entity } from "./entities.js";
import { libraryTypes } from "./library.js";

export function shownType(type: Ty): string {
  return printType(resolvedType(type));
}

type Known = Pick<Analysis, "source" | "typed">;

const bindings = new WeakMap<Known, ReadonlyMap<number, Typed.Binding>>();

/** The typed binding of a definition of the file; null where it has mistakes. */
export function bindingOf(analysis: Known, { nameSpan }: FunctionSymbol): Typed.Binding | null {
  let known = bindings.get(analysis);
  if (known === undefined) {
    const own = analysis.typed.groups.flatMap((group) => group.bindings.filter((binding) => binding.own));
    known = new Map(own.map((binding) => [binding.nameSpan.start, binding]));
    bindings.set(analysis, known);
  }
  return nameSpan.file === analysis.source.name ? (known.get(nameSpan.start) ?? null) : null;
}

/** The type of a function: that of the library's is known, whether the program uses it or not. */
export function functionType(analysis: Known, symbol: FunctionSymbol): string {
  const binding = bindingOf(analysis, symbol);
  if (binding !== null && !binding.typeParams.some(({ numeric }) => numeric)) return printType(typeOf(binding));
  const type = symbol.definition === null ? null : libraryTypes(symbol.nameSpan.file)?.get(symbol.name);
  return type ?? shownType(symbol.type);
}

/** The type of what is built in. */
export function builtInUseType(use: Use): string {
  const [first, second] = [variableTy(0, "any"), variableTy(0, "any")];
  switch (use.kind) {
    case "primitive":
      return shownType(operationType(useOperation(use.name, new Unifier())));
    case "builtIn":
      return shownType(builtInType(use.name, first, second));
    case "projection":
      return shownType(fnTy({ kind: "tuple", items: [first, second] }, use.index === 0 ? first : second));
    case "function":
    case "local":
      return shownType(use.type);
  }
}

/** `name : type`, or how the entity is declared. */
export function signatureOf(analysis: Analysis, entity: Entity): string {
  switch (entity.kind) {
    case "function":
      return `${entity.symbol.definition === null ? "" : "def "}${entity.symbol.name} : ${functionType(analysis, entity.symbol)}`;
    case "local":
      return `${entity.symbol.name} : ${shownType(entity.symbol.type)}`;
    case "builtIn":
      return `${entity.name === "index" ? "(!)" : entity.name} : ${builtInUseType(entity.use)}`;
    case "constructor": {
      const { data, fields, name } = entity.info;
      const args = data.params.map(({ variable }) => variable);
      return `${name} : ${shownType(fnTys(fields, { kind: "data", data, args }))}`;
    }
    case "field": {
      const at = entity.info.fieldNames?.findIndex(({ name }) => name === entity.name) ?? -1;
      const type = entity.info.fields[at];
      return `${entity.info.data.name}.${entity.name}${type === undefined ? "" : ` : ${shownType(type)}`}`;
    }
    case "type": {
      const { kind, name, params } = entity.item;
      const head = [kind === "data" ? "data" : "type", name.name, ...params.map((param) => param.name)].join(" ");
      return head;
    }
    case "builtInType":
      return `type ${entity.name}`;
    case "typeVariable":
      return entity.name;
    case "file":
      return `"${entity.file}"`;
  }
}

/** The documentation above an entity's definition. */
export function documentationOf(entity: Entity): string {
  switch (entity.kind) {
    case "function":
      return entity.symbol.definition?.item.doc ?? "";
    case "type":
      return entity.item.doc;
    case "constructor":
    case "field":
      return entity.info.data.doc;
    default:
      return "";
  }
}
