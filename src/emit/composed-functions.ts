// Functions of a module that are made of its other exported functions: `lossLinearize`, `lossFlat`, and `lossJacobian` where there is a sparse one.

import type { Entry } from "../core/term.js";
import { InternalError } from "../internal-error.js";
import { arrow, binary, callOf, cond, constant, effect, functionType, id, member, object, objectType, returned, typeName } from "../typescript/build.js"; // prettier-ignore
import type {
  TsDeclaration,
  TsExpr,
  TsField,
  TsFunction,
  TsModule,
  TsParam,
  TsStmt,
  TsType,
} from "../typescript/tree.js";
import { declaredNames } from "../typescript/mentioned.js";
import { Scope } from "../typescript/naming.js";
import { derivedName, exportedName, propertyName } from "./interface/public-names.js";

/** What is asked of one entry. */
export interface Composition {
  readonly entry: Entry;
  readonly form: "linearize" | "flat" | "jacobian";
  /** The parameters that are differentiated. */
  readonly active: readonly string[];
}

/** A module's declarations with the functions that are made of others. */
export function withComposed(
  compositions: readonly Composition[],
  declarations: readonly TsDeclaration[],
  /** How the places of a sparse matrix are typed: what the stage makes is a copy of arrays, or made as it is returned. */
  places: TsType,
): readonly TsDeclaration[] {
  const jacobians = compositions.filter(({ form }) => form === "jacobian");
  const others = compositions.filter(({ form }) => form !== "jacobian");
  const all = jacobians.reduce((done, { entry }) => withSparse(entry, done, places), declarations);
  return [...all, ...composedFunctions(others, all)];
}

function composedFunctions(
  compositions: readonly Composition[],
  declarations: readonly TsDeclaration[],
): readonly TsDeclaration[] {
  const functions = new Map(declarations.flatMap((each) => (each.kind === "function" ? [[each.fn.name, each.fn] as const] : []))); // prettier-ignore
  const named = (name: string): TsFunction => {
    const found = functions.get(name);
    if (found === undefined) throw new InternalError("emit", `${name} is not exported`);
    return { ...found, params: found.params.map((param) => ({ ...param, name: besides(functions, param.name) })) };
  };
  return compositions.map(({ entry, form, active }) =>
    form === "linearize" ? linearize(entry, named) : flat(entry, active, named),
  );
}

type Named = (name: string) => TsFunction;

/** `const { value, pullback } = lossVjp(x); return { value, pushforward: (dx) => lossJvp(x, dx).tangent, pullback };` */
function linearize({ name }: Entry, named: Named): TsDeclaration {
  const [vjp, jvp] = [named(derivedName(name, "vjp")), named(derivedName(name, "jvp"))];
  const { params } = vjp;
  const tangents = jvp.params.slice(params.length);
  const both = scopeOf(jvp.params).fresh("linear");
  const pushed = member(callOf(id(jvp.name), ...jvp.params.map((param) => id(param.name))), "tangent");
  const fields: readonly TsField[] = [
    { name: "value", type: fieldOf(vjp.result, "value") },
    { name: "pushforward", type: functionType(tangents, fieldOf(jvp.result, "tangent")) },
    { name: "pullback", type: fieldOf(vjp.result, "pullback") },
  ];
  const doc = `Value of \`${name}\`, and its derivative at this point as two maps: from tangents of the arguments to one of the value, and from a cotangent of the value to those of the arguments. The arguments must stay what they are.`;
  return exported(doc, derivedName(name, "linearize"), params, fields, [
    constant(both, null, callOf(id(vjp.name), ...params.map((param) => id(param.name)))),
    returned(
      object([
        { name: "value", value: member(id(both), "value") },
        { name: "pushforward", value: arrow(tangents.map((param) => param.name), pushed) }, // prettier-ignore
        { name: "pullback", value: member(id(both), "pullback") },
      ]),
    ),
  ]);
}

/** `loss` as a function of the vector that `lossPack` makes of what is differentiated. */
function flat(entry: Entry, active: readonly string[], named: Named): TsDeclaration {
  const { name } = entry;
  const [loss, grad] = [named(exportedName(entry)), named(derivedName(name, "grad"))];
  const [pack, unpack] = [named(derivedName(name, "pack")), named(derivedName(name, "unpack"))];
  const { params } = loss;
  const keys = new Map(pack.params.map((param, index) => [param.name, propertyName(active[index] ?? param.name)]));
  const scope = scopeOf(params);
  const fresh = (hint: string): string => scope.fresh(hint);
  const [vector, gradient, start, point, found] = [fresh("vector"), fresh("gradient"), fresh("start"), fresh("point"), fresh("found")]; // prettier-ignore
  const like = object(pack.params.map((param) => ({ name: keys.get(param.name) ?? "", value: id(param.name) })));
  const at = constant(point, null, callOf(id(unpack.name), id(vector), like));
  const args = params.map((param) => {
    const key = keys.get(param.name);
    return key === undefined ? id(param.name) : member(id(point), key);
  });
  const packed = callOf(id(pack.name), ...pack.params.map((param) => member(member(id(found), "grad"), keys.get(param.name) ?? ""))); // prettier-ignore
  const numbers = typeName("Float64Array");
  const input: TsParam = { name: vector, type: typeName("ArrayLike", typeName("number")), optional: false };
  // Any Float64Array, whatever its memory is
  const output: TsParam = { name: gradient, type: objectType([{ name: "set", type: functionType([{ name: "numbers", type: input.type, optional: false }], typeName("void")) }]), optional: false }; // prettier-ignore
  const number = typeName("number");
  const fields: readonly TsField[] = [
    { name: "size", type: number },
    { name: "start", type: numbers },
    { name: "value", type: functionType([input], number) },
    { name: "valueGrad", type: functionType([input, output], number) },
  ];
  const doc = `\`${name}\` as a function of one vector, that of \`${pack.name}\`, of which \`start\` is the one at these arguments; \`valueGrad\` writes the gradient into its second argument.`;
  return exported(doc, derivedName(name, "flat"), params, fields, [
    constant(start, null, callOf(id(pack.name), ...pack.params.map((param) => id(param.name)))),
    returned(
      object([
        { name: "size", value: member(id(start), "length") },
        { name: "start", value: id(start) },
        { name: "value", value: arrow([vector], [at, returned(callOf(id(loss.name), ...args))]) },
        {
          name: "valueGrad",
          value: arrow(
            [vector, gradient],
            [
              at,
              constant(found, null, callOf(id(grad.name), ...args)),
              effect(callOf(member(id(gradient), "set"), packed)),
              returned(member(id(found), "value")),
            ],
          ),
        },
      ]),
    ),
  ]);
}

/**
 * `function lossJacobian(x, given) { return given && given.sparse === true ? lossSparseJacobian(x) : lossDenseJacobian(x, given); }`, where there is a sparse one; it takes the
 * options, or an earlier result.
 */
function withSparse({ name }: Entry, declarations: readonly TsDeclaration[], places: TsType): readonly TsDeclaration[] {
  const find = (wanted: string) => declarations.find((each) => each.kind === "function" && each.fn.name === wanted);
  const [dense, sparse] = [find(derivedName(name, "jacobian")), find(derivedName(name, "sparseJacobian"))];
  if (dense?.kind !== "function" || sparse?.kind !== "function") return declarations;
  const functions = new Map(declarations.flatMap((each) => (each.kind === "function" ? [[each.fn.name, null]] : [])));
  const params = sparse.fn.params.map((param) => ({ ...param, name: besides(functions, param.name) }));
  const taken = declarations.flatMap(declaredNames);
  const own = Scope.values([...taken, ...params.map((param) => param.name)]).fresh(derivedName(name, "denseJacobian"));
  const scope = scopeOf(params);
  const [given, buffers, options] = [scope.fresh("given"), scope.fresh("buffers"), scope.fresh("options")];
  const asked: TsType = objectType([{ name: "sparse", type: { kind: "literal", value: true } }]);
  const args = params.map((param) => id(param.name));
  const isSparse = binary("===", member({ kind: "as", expr: id(given), type: objectType([{ name: "sparse", type: typeName("unknown") }]) }, "sparse"), { kind: "boolean", value: true }); // prettier-ignore
  const earlier: TsExpr = { kind: "as", expr: id(given), type: { kind: "union", members: [dense.fn.result, typeName("undefined")] } }; // prettier-ignore
  const both: TsDeclaration = {
    ...dense,
    doc: `${dense.doc}\n\nWith \`{ sparse: true }\`, as a sparse matrix in compressed rows: the partial derivatives of row i stand in \`values\` from \`rowStart[i]\` up to \`rowStart[i + 1]\`, and \`column\` has their columns, ascending. There is one for each number that the element of the result reads, also where it is 0.`,
    overloads: [
      { params: [...params, { name: buffers, type: dense.fn.result, optional: true }], result: dense.fn.result },
      { params: [...params, { name: options, type: asked, optional: false }], result: sparse.fn.result },
    ],
    fn: {
      ...dense.fn,
      params: [...params, { name: given, type: { kind: "union", members: [dense.fn.result, asked] }, optional: true }],
      result: { kind: "union", members: [dense.fn.result, sparse.fn.result] },
      body: [
        returned(
          cond(
            binary("&&", id(given), isSparse),
            callOf(id(sparse.fn.name), ...args),
            callOf(id(own), ...args, earlier),
          ),
        ),
      ],
    },
  };
  const inner = { ...dense, doc: "", exported: false, fn: { ...dense.fn, name: own } };
  const hidden = { ...sparse, doc: "", exported: false };
  return declarations.flatMap((each) =>
    each === dense ? [both, inner] : each === sparse ? [hidden] : [ofPlaces(each, sparse.fn.result, places)],
  );
}

/** The type of a sparse matrix, with its places. */
function ofPlaces(declaration: TsDeclaration, type: TsType, places: TsType): TsDeclaration {
  if (declaration.kind !== "type" || type.kind !== "name" || declaration.name !== type.name) return declaration;
  if (declaration.type.kind !== "object") return declaration;
  const fields = declaration.type.fields.map((field) => (field.name === "rowStart" || field.name === "column" ? { ...field, type: places } : field)); // prettier-ignore
  return { ...declaration, type: { ...declaration.type, fields } };
}

function exported(
  doc: string,
  name: string,
  params: readonly TsParam[],
  fields: readonly TsField[],
  body: readonly TsStmt[],
): TsDeclaration {
  return {
    kind: "function",
    doc,
    exported: true,
    fn: { name, typeParams: [], params, result: objectType(fields), body },
  };
}

/** A name for a parameter, which must not hide a function that is called. */
function besides(functions: ReadonlyMap<string, unknown>, name: string): string {
  return functions.has(name) ? Scope.values([...functions.keys()]).fresh(name) : name;
}

function scopeOf(params: readonly TsParam[]): Scope {
  return Scope.values(params.map(({ name }) => name));
}

/** The type of a field: of a named type as `Name["field"]`. */
function fieldOf(type: TsType, field: string): TsType {
  if (type.kind === "name") return typeName(`${type.name}["${field}"]`);
  const found = type.kind === "object" ? type.fields.find((each) => each.name === field) : undefined;
  if (found === undefined) throw new InternalError("emit", `there is no field ${field}`);
  return found.type;
}

/** A module without the types of arguments and cotangents like its further functions' results, where none is of such a type. */
export function withoutOtherForms(module: TsModule, results: readonly string[]): TsModule {
  const candidates = new Set(results.flatMap((name) => ["Input", "Cotangent", "CotangentInput"].map((suffix) => `${name}${suffix}`))); // prettier-ignore
  const all = module.declarations.map((declaration) => ({ declaration, text: JSON.stringify(declaration) }));
  const isMentioned = (name: string, others: typeof all): boolean =>
    others.some(({ declaration, text }) => !(declaration.kind === "type" && declaration.name === name) && text.includes(JSON.stringify(name))); // prettier-ignore
  for (let left = all; ;) {
    const kept = left.filter(({ declaration: each }) => each.kind !== "type" || !candidates.has(each.name) || isMentioned(each.name, left)); // prettier-ignore
    if (kept.length === left.length) return { ...module, declarations: kept.map(({ declaration }) => declaration) };
    left = kept;
  }
}
