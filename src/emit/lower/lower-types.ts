// Types of the target calculus in TypeScript.

import { InternalError } from "../../internal-error.js";
import type { Stage } from "../../stages/stage.js";
import type { ConstructorF } from "../../core/type.js";
import { sameType } from "../../target-calculus/data.js";
import type { DataDecl, Type } from "../../target-calculus/type.js";
import type { ArrayParams } from "../interface/array-params.js";
import { layoutsOf, type Layout } from "../layouts.js";
import { capitalised, identifier, Scope } from "../../typescript/naming.js";
import { typeName } from "../../typescript/build.js";
import type { TsDeclaration, TsField, TsType } from "../../typescript/tree.js";

/** The names of a declaration's type variables, and of those that stand for arrays of them. */
interface TypeVariables {
  readonly names: ReadonlyMap<string, string>;
  readonly arrays: ReadonlyMap<string, string>;
}

const noVariables: TypeVariables = { names: new Map(), arrays: new Map() };

/** Whether functions of a type take the depth of the stack as a last parameter. */
export type TakesDepth = (type: Type & { readonly kind: "fn" | "linear" }) => boolean;

export class TypeLowering {
  /** The data types that have been written, by their names in the calculus. */
  readonly mentioned = new Set<string>();
  readonly #stage: Stage;
  readonly #mentioned = new Set<string>();
  /** The name of the stage's dual numbers; null where they are not written by a name. */
  readonly #dualName: string | null;
  #mentionsDual = false;
  readonly #names: ReadonlyMap<string, string>;
  readonly #arrayParams: ArrayParams;
  readonly #refer: (reference: string) => void;
  readonly #takesDepth: TakesDepth;

  /** `names` gives each data type its name in TypeScript, `dualName` the stage's dual numbers theirs where they are tuples. */
  constructor(
    stage: Stage,
    dualName: string,
    names: ReadonlyMap<string, string>,
    arrayParams: ArrayParams,
    refer: (reference: string) => void,
    takesDepth: TakesDepth,
  ) {
    this.#stage = stage;
    this.#dualName = stage.dual?.type.kind === "tuple" ? dualName : null;
    this.#names = names;
    this.#arrayParams = arrayParams;
    this.#refer = refer;
    this.#takesDepth = takesDepth;
  }

  /** A closed type; in a data declaration `variables` names its type variables. */
  lower(type: Type, variables: TypeVariables = noVariables): TsType {
    if (this.#dualName !== null && this.#stage.dual !== null && sameType(type, this.#stage.dual.type)) {
      this.#mentionsDual = true;
      return typeName(this.#dualName);
    }
    return this.#lowerParts(type, variables);
  }

  /** The declaration of the stage's dual numbers, where something has been written with them. */
  dualDeclarations(): readonly TsDeclaration[] {
    const { dual } = this.#stage;
    if (!this.#mentionsDual || this.#dualName === null || dual === null) return [];
    const type = this.#lowerParts(dual.type, noVariables);
    const doc = `A dual number, ${dual.name}.`;
    return [{ kind: "type", doc, exported: false, name: this.#dualName, typeParams: [], type }];
  }

  #lowerParts(type: Type, variables: TypeVariables): TsType {
    const lower = (part: Type): TsType => this.lower(part, variables);
    switch (type.kind) {
      case "real":
      case "int":
        return typeName("number");
      case "bool":
        return typeName("boolean");
      case "tuple":
        return type.items.length === 0
          ? { kind: "literal", value: null }
          : { kind: "tuple", items: type.items.map(lower) };
      case "fn":
      case "linear": {
        const depth = this.#takesDepth(type) ? [{ name: "depth", type: typeName("number"), optional: false }] : [];
        const params = [{ name: "arg", type: lower(type.from), optional: false }, ...depth];
        return { kind: "function", typeParams: [], params, result: lower(type.to) };
      }
      case "data":
        return typeName(this.dataName(type.name), ...type.args.map(lower), ...this.#arrayArgs(type, variables));
      case "array":
        return this.#array(type.element, variables);
      case "typeVar":
        return typeName(variables.names.get(type.name) ?? capitalised(identifier(type.name)));
      case "computation":
        return this.#computation(lower(type.result));
      case "sparse":
        return this.#opaque("Sparse");
      case "opaque":
        return this.#opaque(type.name);
    }
  }

  /** `[element]`. */
  #array(element: Type, variables: TypeVariables): TsType {
    if (element.kind === "real") return typeName("Float64Array");
    const array = element.kind === "typeVar" ? variables.arrays.get(element.name) : undefined;
    return array === undefined ? { kind: "array", element: this.lower(element, variables) } : typeName(array);
  }

  /** The arrays of a data type's arguments that its declaration has parameters for. */
  #arrayArgs(type: Type & { readonly kind: "data" }, variables: TypeVariables): readonly TsType[] {
    return (this.#arrayParams.get(type.name) ?? []).flatMap((place) => {
      const arg = type.args[place];
      return arg === undefined ? [] : [this.#array(arg, variables)];
    });
  }

  /** Whether any type written so far mentions a data type. */
  mentions(name: string): boolean {
    return this.#mentioned.has(name);
  }

  /** The name of a data type. */
  dataName(name: string): string {
    this.#mentioned.add(name);
    const known = this.#names.get(name);
    if (known === undefined) throw new InternalError("emit", `the data type ${name} has no declaration`);
    this.mentioned.add(name);
    return known;
  }

  /** `type List<A> = { tag: "Nil" } | { tag: "Cons"; _0: A; _1: List<A> };` */
  declaration(decl: DataDecl, exported: boolean): TsDeclaration {
    const scope = Scope.types(this.#names.values());
    const names = new Map(decl.params.map((param) => [param, scope.fresh(capitalised(identifier(param)))]));
    const ofArrays = (this.#arrayParams.get(decl.name) ?? []).flatMap((place) => decl.params[place] ?? []);
    const arrays = new Map(ofArrays.map((param) => [param, scope.fresh(`${names.get(param) ?? param}s`)]));
    const layouts = layoutsOf(decl);
    const members = decl.constructors.map((constructor, index) =>
      this.#member(constructor, layouts[index], { names, arrays }),
    );
    const [first] = members;
    const type: TsType = members.length === 1 && first !== undefined ? first : { kind: "union", members };
    const typeParams = [...names.values(), ...arrays.values()];
    return { kind: "type", doc: decl.doc, exported, name: this.dataName(decl.name), typeParams, type };
  }

  #member({ name, fields }: ConstructorF<Type>, layout: Layout | undefined, variables: TypeVariables): TsType {
    const tag: TsField = { name: "tag", type: { kind: "literal", value: name } };
    const rest = fields.map((field, index) => ({
      name: layout?.keys[index] ?? "",
      type: this.lower(field, variables),
    }));
    return { kind: "object", fields: layout?.isTagged === true ? [tag, ...rest] : rest };
  }

  /** A computation with this result, which leaves no trace in TypeScript but in a stage of tasks. */
  #computation(result: TsType): TsType {
    const { tasks } = this.#stage;
    if (tasks === undefined) return result;
    this.#refer(tasks.computation);
    return typeName("Computation", result);
  }

  #opaque(name: string): TsType {
    const opaque = this.#stage.opaqueTypes.get(name);
    if (opaque === undefined) throw new InternalError("emit", `the stage has no type ${name}`);
    if (opaque.runtime !== null) this.#refer(opaque.runtime);
    return opaque.type;
  }
}

/** Whether values of a type are plain numbers. */
export function isNumber(type: TsType): boolean {
  return type.kind === "name" && type.name === "number";
}
