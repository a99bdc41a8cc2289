// The source calculus: SV25 Fig. 4 with recursion, sums, data types (§11) and the parallel tuple (§12).
//
//   s, t ::= x | r | n | true | false | (t1, .., tn) | t.i | \(x : T). t | s t | f(t1, .., tn)
//          | let x : T = s in t | let rec f(x : T, ..) : T = s and .. in t
//          | [t1, .., tn] | build n (\i. t) | scan n s (\i x. t) | a ! i | length a
//          | op(t1, .., tn) | C t1 .. tn | case t of { C x.. -> t; .. } | if t then t else t | t1 |*| .. |*| tn
//
// Call by value. Definitions and the functions of `let rec` are known functions: they take all their arguments at once, and are not
// values (where the program uses one as a value, elaboration has written `\x. \y. f(x, y)`). A function of `let rec` may have no
// parameters: a join point, which is evaluated at each call. Variables are distinct within a definition and from all known functions,
// known functions within the program. Cases are flat and exhaustive. Terms are nested to a bounded depth but for the bodies of `let` and
// `let rec`, along which passes iterate.

import type { Calculus, DataDecl, Type } from "./type.js";
import type { OpName } from "./primitives.js";
import type { Span } from "../syntax/source.js";
import type { Located } from "../location.js";

/** Where in the `.lam` file a term that may fail at run time stands: what its error message names. */
export interface Site {
  readonly definition: string;
  /** `model.lam:3:5`. */
  readonly position: string;
  /** The function of the prelude that is used there and fails; "" where the definition itself does. */
  readonly via: string;
  /** What is shown there: what `debug` calls it, in quotes, and which part of it that is: `"y".first`, `"xs"[]`. */
  readonly label?: string;
  /** What the author of a `fail` says. */
  readonly reason?: string;
}

/** The shape shared by source and target terms. A `let` is located where its variable is bound. */
export type TermF<K extends Calculus> = Located &
  (
    | { readonly kind: "var"; readonly name: string }
    | { readonly kind: "real"; readonly value: number }
    | { readonly kind: "int"; readonly value: number }
    | { readonly kind: "bool"; readonly value: boolean }
    | { readonly kind: "tuple"; readonly items: readonly K["term"][] }
    /** Component `index`, counted from 0, of a tuple. */
    | { readonly kind: "proj"; readonly index: number; readonly tuple: K["term"] }
    | { readonly kind: "lam"; readonly param: string; readonly type: K["type"]; readonly body: K["term"] }
    | { readonly kind: "app"; readonly fn: K["term"]; readonly arg: K["term"] }
    /** A known function, applied to all of its arguments; a constant where it is a definition and there are none. */
    | { readonly kind: "call"; readonly fn: string; readonly args: readonly K["term"][] }
    | {
        readonly kind: "let";
        readonly name: string;
        readonly type: K["type"];
        readonly bound: K["term"];
        readonly body: K["term"];
      }
    | { readonly kind: "letRec"; readonly functions: readonly FunctionF<K>[]; readonly body: K["term"] }
    /** `site` is null where the operation cannot fail, here or at all. `isGuarded`: what it contributes is zero where its cotangent is, even of infinite arguments. */
    | {
        readonly kind: "op";
        readonly op: OpName;
        readonly args: readonly K["term"][];
        readonly site: Site | null;
        readonly isGuarded?: true;
      }
    /** `type` is the data type that is built. */
    | { readonly kind: "con"; readonly name: string; readonly type: K["type"]; readonly args: readonly K["term"][] }
    /** `data` names the scrutinee's data type; one branch for each constructor, in the order of the declaration. */
    | {
        readonly kind: "case";
        readonly scrutinee: K["term"];
        readonly data: string;
        readonly branches: readonly BranchF<K>[];
      }
    | { readonly kind: "if"; readonly cond: K["term"]; readonly then: K["term"]; readonly else: K["term"] }
    | { readonly kind: "parallel"; readonly items: readonly K["term"][] }
    /** `[t1, .., tn]`; `element` is the elements' type. */
    | { readonly kind: "array"; readonly element: K["type"]; readonly items: readonly K["term"][] }
    /** `build size (\index. body)`: the elements in order; a negative size fails. `element` is the body's type. `inParallel`: each is a task (SV25 §12). */
    | {
        readonly kind: "build";
        readonly size: K["term"];
        readonly index: string;
        readonly element: K["type"];
        readonly body: K["term"];
        readonly site: Site | null;
        readonly inParallel?: true;
      }
    /**
     * `scan size start (\index carried. body)`: what the last iteration carries on, and the elements in order; a negative size fails. `body` gives a pair
     * of what it carries on, of type `type`, and an element.
     */
    | {
        readonly kind: "scan";
        readonly size: K["term"];
        readonly start: K["term"];
        readonly index: string;
        readonly carried: string;
        readonly type: K["type"];
        readonly element: K["type"];
        readonly body: K["term"];
        readonly site: Site | null;
      }
    /** `array ! index`; fails outside 0 .. length - 1. */
    | { readonly kind: "index"; readonly array: K["term"]; readonly index: K["term"]; readonly site: Site | null }
    | { readonly kind: "length"; readonly array: K["term"] }
  );

/** A known function: `name(params) : result = body`. */
export interface FunctionF<K extends Calculus> extends Located {
  readonly name: string;
  readonly params: readonly ParamF<K>[];
  readonly result: K["type"];
  readonly body: K["term"];
}

export interface ParamF<K extends Calculus> {
  readonly name: string;
  readonly type: K["type"];
}

/** `con vars -> body`. */
export interface BranchF<K extends Calculus> {
  readonly con: string;
  readonly vars: readonly string[];
  readonly body: K["term"];
}

export interface SourceCalculus extends Calculus {
  readonly term: Term;
  readonly type: Type;
}

export type Term = TermF<SourceCalculus>;
export type Fn = FunctionF<SourceCalculus>;
export type Param = ParamF<SourceCalculus>;
export type Branch = BranchF<SourceCalculus>;

/**
 * A whole program: what is reachable from the entries, monomorphic. `definitions` stand in dependency order as far as there is one; those
 * with no parameters are constants, computed at most once.
 */
export interface Program {
  readonly data: readonly DataDecl[];
  readonly definitions: readonly Fn[];
  readonly entries: readonly Entry[];
  /** By definition, what its author calls those of its variables and local functions that have a name in the source: none in the prelude. */
  readonly given: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** By the name of a function that is called and has no text: the derivative that it is. None once `src/derivatives` has resolved them. */
  readonly derivatives: ReadonlyMap<string, Derivative>;
  /** By the name of a function that is called and has no text: what it is of the caller's. */
  readonly externs: ReadonlyMap<string, Extern>;
  /** By the name of a definition that computes a cotangent, one direction after the other, what a reverse pass computes it of. */
  readonly pullbacks: ReadonlyMap<string, Pullback>;
  /** By the name of a definition whose text reverse passes do not go through, what they run in its place. */
  readonly checkpoints: ReadonlyMap<string, Checkpoint>;
  /**
   * By the name of a fused definition the one that gives, for all scalars that it takes, one after the other, its value and its derivatives in the reals
   * among them: for reverse stages of the papers, where its call is one operation. None once programs are optimised.
   */
  readonly partials: ReadonlyMap<string, string>;
  /** By the name of a definition with a rule the one that is its text alone, for stages that compute no derivatives. None once programs are optimised. */
  readonly texts: ReadonlyMap<string, string>;
  /** By the name of a definition that is from a file which is compiled apart from others, where it is from. None where a program is compiled as a whole. */
  readonly links: ReadonlyMap<string, Link>;
}

/**
 * Where a definition is from. One of the module's `own` is called from other modules; one that is `imported` is called in the module of its file, whatever its text is there;
 * one that is `included` stands in each module that uses it.
 */
export interface Link {
  readonly kind: "own" | "imported" | "included";
  /** What its file calls it. */
  readonly name: string;
  /** The file, as spans have it. */
  readonly file: string;
}

/** What a program is there for: the names of the definitions that it exports, and of those that other modules call. */
export function rootsOf({ entries, links }: Pick<Program, "entries" | "links">): readonly string[] {
  const own = [...links].flatMap(([name, { kind }]) => (kind === "own" ? [name] : []));
  return [...entries.map(({ name }) => name), ...own];
}

/**
 * A function of whoever uses the module: pure, as far as programs are concerned. It takes and gives numbers, truth values and arrays of such. Its numbers
 * have no derivatives: those that are differentiated have a rule around it.
 */
export interface Extern {
  /** What the file that it is from calls it. */
  readonly name: string;
  /** The file: from the folder of the model, or a package. */
  readonly path: string;
  readonly params: readonly Param[];
  readonly result: Type;
  /** Where it is declared. */
  readonly span: Span;
}

/** What adjoint code has for a definition: of a `checkpoint`, which is run again, and of one with a rule for its pullback. */
export interface Checkpoint {
  /** The definition that gives, for its arguments and a cotangent of its result, their cotangents. */
  readonly reverse: string;
  /** Whether it takes the result, too, between these. */
  readonly isGiven: boolean;
  /** The definition with the same value that stands in its place, where its own text computes more than that; else null. */
  readonly value: string | null;
  /** Where it has a rule, and takes or gives arrays: the definition that is its text alone, which computes the value without copies of these. */
  readonly text: string | null;
}

/**
 * `p(x, c1, .., cn, w)` is the cotangent of x for the cotangent w of `of(x, c1, .., cn)`. Of the dual of such a definition, at level 1, numbers come as pairs of a value
 * and a tangent; the cotangent of a pair is the other way round, since second derivatives commute: that of the tangent's is the value's. So at each level more.
 */
export interface Pullback {
  readonly of: string;
  readonly level: number;
  /**
   * Where a reverse pass goes through it: the definition that gives the cotangents of x, c1, .., cn and w, as a tuple, for x, c1, .., cn, w and a cotangent v of what it
   * gives, at level 0. Since second derivatives commute it is a reverse pass over `of` along v.
   */
  readonly reverse: string | null;
  /** Where the cotangent is given: what errors name whose shape does not fit. */
  readonly site: Site | null;
}

/**
 * A derivative as a known function, of functions `from -> to`, both first-order.
 *
 *   jvp      f, x, dx    (to, to)    the value at x, and its derivative in the direction dx
 *   vjp      f, x        (to, to -> from)    the value, and the pullback
 *   pullback f, x, w     from        what the pullback at x gives for w
 *   stop     x           from        x, as a constant
 *   pack     x           to          the reals of x as an array, in order
 *   unpack   x, v        from        the elements of v in the places of the reals of x
 *   checkpoint f, x      to          f at x, which a reverse pass runs again
 *   tangentRule f, r, x  to          f at x, whose derivative in the direction dx is r x dx (f x)
 *   functionRule f, r, x to          the same, where x is a function or a tuple with functions in it; none once these are values (function-arguments.ts)
 *   pullbackRule f, r, x to          f at x, whose pullback gives r x w (f x) for w
 */
export interface Derivative {
  readonly kind:
    | "jvp"
    | "vjp"
    | "pullback"
    | "stop"
    | "pack"
    | "unpack"
    | "checkpoint"
    | "tangentRule"
    | "functionRule"
    | "pullbackRule";
  readonly from: Type;
  readonly to: Type;
  /** Whether a rule for a pullback gives the derivative that the text has, too: forward mode goes by the text. */
  readonly isOfText?: true;
  /** The definition that asks for it, where that is known: what is made for a rule is called after it. */
  readonly within?: string;
  /** Where the source asks for it, null in the prelude, and what errors at run time call this. */
  readonly span: Span | null;
  readonly site: Site | null;
}

/**
 * A definition that the module exports. `params` is its interface in TypeScript: one name for each component of a parameter's pattern
 * (`shape` says how they make up the core definition's parameters).
 */
export interface Entry extends Located {
  /** Name in the source file; also the name of the core definition. */
  readonly name: string;
  readonly doc: string;
  readonly params: readonly EntryParam[];
  readonly result: Type;
  /** The alias or type that the author wrote for the result, as text; "" where there is none. */
  readonly resultAlias: string;
  /** Whether it is exported without derivatives: it is one. */
  readonly isValueOnly?: true;
  /** Whether arrays of an earlier result are filled again. */
  readonly isRefilled?: true;
  /** Whether the module alone calls it. */
  readonly isInner?: true;
  /** What errors call it, where that is not its name. */
  readonly calledAs?: string;
  /** Whether it is a sparse matrix, of which each row is to be put in order. */
  readonly isMerged?: true;
  /** What computes it otherwise than its text says: a call stays a call. */
  readonly isOpaque?: true;
}

/** One parameter of the core definition, as the module's users see it. */
export type EntryParam =
  | { readonly kind: "named"; readonly name: string; readonly type: Type }
  | { readonly kind: "tuple"; readonly items: readonly EntryParam[] };
