// Functions of the caller's: what a module imports, and functions of its own that call these. They hand over copies, look at what they are given, and copy that.

import { printType } from "../core/print-type.js";
import * as b from "../core/build.js";
import type { Extern } from "../core/term.js";
import type { Type } from "../core/type.js";
import { arrow, callOf, constant, effect, id, member, returned, string, typeName } from "../typescript/build.js";
import { identifier, type Scope } from "../typescript/naming.js";
import type { TsDeclaration, TsExpr, TsType } from "../typescript/tree.js";
import type { PublicTypes } from "./interface/public-types.js";
import type { Shapes } from "./interface/shape-table.js";
import type { Refer } from "./lower/lower-operators.js";

/** What arrays of numbers are where functions are called: Float64Arrays, or ordinary arrays as those of integers are. */
export type Inside = "numbers" | "plain";

export interface ExternSetting {
  readonly externs: ReadonlyMap<string, Extern>;
  /** The values of the module. */
  readonly values: Scope;
  readonly types: PublicTypes;
  readonly shapes: Shapes;
}

/** The declarations of a module with its imports at the top, one for each file. */
export function withImportsFirst(declarations: readonly TsDeclaration[]): readonly TsDeclaration[] {
  const byFile = new Map<string, TsDeclaration & { readonly kind: "import" }>();
  for (const declaration of declarations) {
    if (declaration.kind !== "import") continue;
    const { from, names } = declaration;
    byFile.set(from, { ...declaration, names: [...(byFile.get(from)?.names ?? []), ...names] });
  }
  return byFile.size === 0
    ? declarations
    : [...byFile.values(), ...declarations.filter(({ kind }) => kind !== "import")];
}

/** The functions that a module has from elsewhere. */
export class ExternFunctions {
  readonly #setting: ExternSetting;
  /** By the name in the program what the module calls the function that it imports. */
  readonly #imported: ReadonlyMap<string, string>;

  constructor(setting: ExternSetting) {
    this.#setting = setting;
    this.#imported = new Map([...setting.externs].map(([name, extern]) => [name, setting.values.fresh(identifier(extern.name))])); // prettier-ignore
  }

  /** The imports of those functions that are called. */
  imports(called: Iterable<string>): readonly TsDeclaration[] {
    const { externs } = this.#setting;
    return [...new Set(called)].flatMap((name): TsDeclaration[] => {
      const [extern, as] = [externs.get(name), this.#imported.get(name)];
      if (extern === undefined || as === undefined) return [];
      return [{ kind: "import", names: [{ name: extern.name, as, isType: false }], from: extern.path }];
    });
  }

  /** The function `name` of the module, which calls one of them; nothing where there is no such one. */
  caller(extern: string, name: string, inside: Inside, refer: Refer): readonly TsDeclaration[] {
    const { externs, values, types, shapes } = this.#setting;
    const [found, imported] = [externs.get(extern), this.#imported.get(extern)];
    if (found === undefined || imported === undefined) return [];
    const scope = values.inner();
    const params = found.params.map((param) => ({ name: scope.fresh(identifier(param.name)), type: param.type }));
    const [value, row] = [scope.fresh("value"), scope.fresh("row")];
    const given = params.map((param) => copied(param.type, id(param.name), inside === "numbers" ? slice : toNumbers, row)); // prettier-ignore
    const what = `${found.name}: the result`;
    const { result } = found;
    return [
      {
        kind: "function",
        doc: `${found.name} : ${signatureOf(found)}, from ${JSON.stringify(found.path)}.`, // prettier-ignore
        exported: false,
        fn: {
          name,
          typeParams: [],
          params: params.map((param) => ({ name: param.name, type: typeInside(param.type, inside), optional: false })),
          result: typeInside(result, inside),
          body: [
            constant(value, types.input(result), callOf(id(imported), ...given)),
            effect(checked(result, id(value), what, shapes, refer)),
            returned(copied(result, id(value), inside === "numbers" ? toNumbers : toPlain, row)),
          ],
        },
      },
    ];
  }
}

function signatureOf({ params, result }: Extern): string {
  return printType(params.reduceRight<Type>((to, { type }) => b.fnType(type, to), result));
}

function checked(type: Type, value: TsExpr, what: string, shapes: Shapes, refer: Refer): TsExpr {
  switch (type.kind) {
    case "real":
      return callOf(refer("values.checkNumber"), value, string(what));
    case "int":
      return callOf(refer("values.checkInteger"), value, string(what));
    case "bool":
      return callOf(refer("values.checkBoolean"), value, string(what));
    default:
      return callOf(refer("values.checkValue"), value, ...shapes.arguments(type), string(what));
  }
}

/** A copy of an array, whose arrays of numbers are made by `numbers`. */
function copied(type: Type, value: TsExpr, numbers: (value: TsExpr) => TsExpr, row: string): TsExpr {
  if (type.kind !== "array") return value;
  switch (type.element.kind) {
    case "real":
      return numbers(value);
    case "array":
      return callOf(member(value, "map"), arrow([row], copied(type.element, id(row), numbers, row)));
    default:
      return slice(value);
  }
}

const slice = (value: TsExpr): TsExpr => callOf(member(value, "slice"));
const toNumbers = (value: TsExpr): TsExpr => callOf(member(id("Float64Array"), "from"), value);
const toPlain = (value: TsExpr): TsExpr => callOf(member(id("Array"), "from"), value);

function typeInside(type: Type, inside: Inside): TsType {
  switch (type.kind) {
    case "array":
      if (type.element.kind === "real" && inside === "numbers") return typeName("Float64Array");
      return { kind: "array", element: typeInside(type.element, inside) };
    case "bool":
      return typeName("boolean");
    default:
      return typeName("number");
  }
}
