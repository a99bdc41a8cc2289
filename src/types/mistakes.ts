// What can be wrong with names, types and patterns: data; src/diagnostics/explain-types.ts puts it into words.

import type { Type } from "../core/type.js";
import type { Span } from "../syntax/source.js";

export interface Named {
  readonly name: string;
  readonly span: Span;
}

/** What kind of name it is that is defined twice. */
export type Nameable =
  | "definition"
  | "local function"
  | "type"
  | "constructor"
  | "type parameter"
  | "variable of a pattern"
  | "field"
  | "given field"
  | "imported name";

/** What is wrong with a rule, but for its text. */
export type RuleProblem = "missing" | "twice" | "constant" | "pattern" | "params" | "fused";

export type TypeMistake =
  // Names
  | {
      readonly kind: "unbound";
      readonly what: "variable" | "constructor" | "type" | "type variable";
      readonly name: string;
      readonly span: Span;
      /** Names in scope that look alike, the likeliest first. */
      readonly suggestions: readonly string[];
      /** The name means something of another kind. */
      readonly elsewhere: "constructor" | "type" | null;
      /** A variable with arguments behind it. */
      readonly isApplied: boolean;
      /** A file that is imported defines it, and the import does not name it; or it is among the fields of a constructor, where one may lack its bar. */
      readonly clue: { readonly kind: "import"; readonly path: string } | { readonly kind: "field" } | null;
    }
  | {
      readonly kind: "outOfScope";
      readonly name: string;
      readonly span: Span;
      /** Where the definition binds the name, for another place. */
      readonly bound: Span;
      /** The use stands in the local function itself, which has no `rec`. */
      readonly lacksRec: boolean;
    }
  | {
      readonly kind: "duplicate";
      readonly what: Nameable;
      readonly name: string;
      readonly span: Span;
      readonly first: Span;
    }
  | {
      readonly kind: "rule";
      readonly problem: RuleProblem;
      /** The definition that the rule is for. */
      readonly name: string;
      readonly mode: "derivative" | "pullback";
      readonly span: Span;
      /** The first of two rules. */
      readonly other: Span | null;
    }
  /** Of a function of the caller: its name is none in TypeScript, or the path to it is empty. */
  | { readonly kind: "extern"; readonly problem: "name" | "path"; readonly name: string; readonly span: Span }
  /** A parameter or the result at `span` has a type that does not go to the caller and back. */
  | { readonly kind: "externType"; readonly name: string; readonly type: Type; readonly span: Span }
  | { readonly kind: "fused"; readonly problem: "constant" | "polymorphic"; readonly name: string; readonly span: Span }
  /** A parameter or the result of a fused definition. */
  | { readonly kind: "fusedType"; readonly part: "parameter" | "result"; readonly name: string; readonly type: Type; readonly span: Span } // prettier-ignore
  | { readonly kind: "reservedName"; readonly what: "type" | "constructor"; readonly name: string; readonly span: Span }
  | { readonly kind: "constantCycle"; readonly cycle: readonly Named[]; readonly constant: Named }
  // Declarations
  | {
      readonly kind: "typeArity";
      readonly name: string;
      readonly span: Span;
      readonly params: number;
      readonly args: number;
    }
  | { readonly kind: "recursiveAlias"; readonly cycle: readonly Named[] }
  | { readonly kind: "irregularData"; readonly name: string; readonly span: Span; readonly type: Type }
  // Imports
  /** Files that import each other; `span` is the import in the one before. */
  | { readonly kind: "importCycle"; readonly cycle: readonly Named[] }
  | {
      readonly kind: "unknownImport";
      readonly name: string;
      readonly span: Span;
      readonly path: string;
      readonly suggestions: readonly string[];
      /** The data type there that has a constructor of this name. */
      readonly constructorOf: string | null;
      /** The other file has the name from elsewhere. */
      readonly elsewhere: "import" | "prelude" | null;
    }
  | { readonly kind: "importClash"; readonly name: string; readonly span: Span; readonly defined: Span }
  // Records
  | {
      readonly kind: "unknownField";
      readonly name: string;
      readonly span: Span;
      /** The constructor that was looked at; null where no type in scope has the field. */
      readonly owner: {
        readonly name: string;
        readonly fields: readonly string[];
        readonly declared: Span | null;
      } | null;
      readonly suggestions: readonly string[];
      /** Other types that have it. */
      readonly others: readonly string[];
    }
  | {
      readonly kind: "missingFields";
      readonly constructor: string;
      readonly span: Span;
      readonly missing: readonly { readonly name: string; readonly type: Type }[];
      readonly declared: Span | null;
    }
  /** Record syntax for a constructor whose fields have no names. */
  | {
      readonly kind: "fieldsWithoutNames";
      readonly name: string;
      readonly span: Span;
      readonly fields: number;
      /** A field is read or updated; else the constructor is used with record syntax. */
      readonly isAccess: boolean;
      readonly declared: Span | null;
    }
  /** A field of something that is no record. */
  | {
      readonly kind: "noFields";
      readonly name: string;
      /** A function has the name. */
      readonly isFunction: boolean;
      readonly span: Span;
      readonly record: Span;
      readonly subject: Subject;
      readonly type: Type;
      /** Types that have it. */
      readonly others: readonly string[];
      readonly repair: Repair | null;
    }
  | {
      readonly kind: "fieldOfVariants";
      readonly name: string;
      readonly span: Span;
      readonly type: string;
      readonly constructors: readonly {
        readonly name: string;
        readonly fields: number;
        readonly hasField: boolean;
      }[];
      readonly isUpdate: boolean;
    }
  | {
      readonly kind: "ambiguousField";
      readonly name: string;
      readonly span: Span;
      readonly record: Span;
      readonly subject: Subject;
      readonly types: readonly string[];
    }
  // Types
  | Mismatch
  | LambdaParameters
  | PartAnnotation
  | {
      readonly kind: "infiniteType";
      readonly span: Span;
      readonly variable: string;
      readonly type: Type;
      readonly reason: Reason;
      readonly subject: Subject;
      readonly repair: Repair | null;
    }
  | {
      readonly kind: "escape";
      readonly span: Span;
      readonly variable: string;
      readonly expected: Type;
      readonly found: Type;
    }
  | {
      readonly kind: "notFunction";
      readonly span: Span;
      readonly callee: Subject;
      readonly calleeSpan: Span;
      /** The callee's own type, and what it is after the arguments that it takes. */
      readonly type: Type;
      readonly result: Type;
      readonly takes: number;
      readonly given: number;
      /** The call's arguments, as a tuple, are what the callee takes. */
      readonly wantsTuple: boolean;
      /** An argument that is a function, by its name, where none is wanted. */
      readonly inner: string | null;
      readonly repair: Repair | null;
    }
  // Literals
  | { readonly kind: "integerRange"; readonly text: string; readonly span: Span }
  | { readonly kind: "realRange"; readonly text: string; readonly span: Span }
  // Patterns
  | {
      readonly kind: "constructorArity";
      readonly name: string;
      readonly span: Span;
      readonly fields: number;
      readonly args: number;
      readonly declared: Span | null;
      /** The pattern with its parts in a tuple, or without the tuple around them, where that is what the constructor takes. */
      readonly text: string | null;
    }
  | { readonly kind: "infixConstructor"; readonly span: Span; readonly fields: number; readonly declared: Span | null }
  | {
      readonly kind: "notExhaustive";
      readonly where: "case" | "let" | "parameter";
      readonly span: Span;
      /** A pattern, as the source writes it, that no branch matches; more where there are more. */
      readonly missing: readonly string[];
      readonly more: boolean;
    }
  | { readonly kind: "redundantBranch"; readonly span: Span; readonly coveredBy: readonly Span[] }
  /** A variable in a branch, which is not used there and has the name of a constructor but for the first letter. */
  | {
      readonly kind: "variableForConstructor";
      readonly span: Span;
      readonly name: string;
      readonly constructor: string;
    }
  // Limits
  | { readonly kind: "typeTooLarge"; readonly span: Span; readonly definition: string }
  | { readonly kind: "nestedTooDeep"; readonly what: "expression" | "pattern" | "type"; readonly span: Span }
  | { readonly kind: "matchTooComplex"; readonly span: Span };

/** `span` should have the type `expected` for `reason`, and has the type `found`. */
export interface Mismatch {
  readonly kind: "mismatch";
  readonly span: Span;
  readonly subject: Subject;
  readonly expected: Type;
  readonly found: Type;
  readonly reason: Reason;
  readonly difference: Difference;
  readonly repair: Repair | null;
}

/** A lambda, an argument of `callee`, that has another number of parameters than it is given arguments. */
export interface LambdaParameters {
  readonly kind: "lambdaParameters";
  readonly span: Span;
  readonly callee: string | null;
  readonly has: number;
  readonly wants: number;
  /** The lambda as it would fit, where that can be told. */
  readonly text: string | null;
}

/** The last part of a tuple has an annotation that is meant for the whole, `(a, b : T)`; `span` is that of the type. */
export interface PartAnnotation {
  readonly kind: "partAnnotation";
  readonly span: Span;
  /** The last part, and the pattern as it is meant; null where that is too long to show. */
  readonly part: string | null;
  readonly text: string | null;
  /** How many parts there are. */
  readonly items: number;
}

/** A place in a file, and what would stand there. */
export interface Change {
  readonly span: Span;
  readonly text: string;
}

/** A small change with which the program has a mistake no more; `text` is what would stand there, without its long parts, `change` has them. */
export interface Repair {
  readonly change: Change;
  readonly kind:
    /** The arguments of the call in another order. */
    | "reordered"
    /** The components of a tuple as arguments of their own, arguments as one tuple, and some of them as a call. */
    | "oneByOne"
    | "oneTuple"
    | "tuples"
    | "commas"
    | "nested"
    /** `x y`, where a product is meant, and a function that stands behind its first argument. */
    | "product"
    | "prefix"
    /** `x.f` and `x.f y`, as methods are called, `f . g`, and a constant that is called. */
    | "method"
    | "composed"
    | "constant"
    /** Functions on arrays where a list stands, or the other way round. */
    | "forLists"
    | "forArrays"
    /** A function of an element where an array stands, or two. */
    | "each"
    | "eachPair"
    /** The parameters of a lambda: one by one, as a tuple, in the other order. */
    | "severalParameters"
    | "tupleParameter"
    | "turnedParameters"
    /** `mapi` for `map`, and `build` of `build`. */
    | "indexToo"
    | "buildTwice"
    /** `i ! xs` turned round, `a ! i j` with a second `!`, `x :: xs` of arrays, and `f -x` with parentheses. */
    | "indexed"
    | "appended"
    | "indexTwice"
    | "negative"
    /** An integer made a real number, or divided as an integer. */
    | "converted"
    | "divided"
    /** A value in its constructor, and a constructor of `()`. */
    | "wrapped"
    | "unit";
  readonly text: string;
  /** How many mistakes it mends: several at once are hardly of another origin. */
  readonly mends: number;
}

/** The innermost parts that differ, and how. */
export type Difference =
  | { readonly kind: "clash"; readonly expected: Type; readonly found: Type }
  /** `found` is none of the types that the operation works at. */
  | { readonly kind: "notNumber"; readonly found: Type; readonly orBool: boolean }
  /** A type variable of an annotation stands for every type, not for one of them. */
  | { readonly kind: "rigid"; readonly variable: string; readonly expected: Type; readonly found: Type };

/** What stands at the place, as far as a message wants to say it. */
export type Subject =
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "call"; readonly name: string; readonly args: number }
  | { readonly kind: "literal"; readonly text: string }
  | { readonly kind: "tuple"; readonly items: number }
  | { readonly kind: "lambda" }
  | { readonly kind: "operator"; readonly operator: string }
  | { readonly kind: "pattern" }
  | { readonly kind: "other" };

/** Where an expectation comes from. */
export type Reason = Outermost | Part;

/** Why something as a whole should have a type. */
export type Outermost =
  | {
      readonly kind: "argument";
      readonly callee: Subject;
      /** Counted from 1. */
      readonly position: number;
      readonly given: number;
      readonly calleeType: Type;
      /** The call stands in the definition of what it calls. */
      readonly recursive: boolean;
      /** The operator whose left operand the call is. */
      readonly operator: string | null;
      /** The callee hides a function of the prelude. */
      readonly hidesPrelude: boolean;
    }
  /** `other` is the type of the other operand where both must have the same type and it is known. */
  | {
      readonly kind: "operand";
      readonly operator: string;
      readonly side: "left" | "right" | "only";
      readonly operatorSpan: Span;
      /** The operator whose left operand the operation is. */
      readonly leftOf: string | null;
      readonly other: { readonly type: Type; readonly span: Span } | null;
    }
  | { readonly kind: "condition" }
  | { readonly kind: "branches"; readonly of: "if" | "case"; readonly first: Span }
  /** An annotation; `name` is the definition whose result it describes. */
  | { readonly kind: "annotation"; readonly span: Span; readonly name: string | null }
  /** The patterns of a `case` match what stands after the word. */
  | { readonly kind: "scrutinee"; readonly span: Span }
  /** The pattern of a `let` matches what is bound. */
  | { readonly kind: "bound"; readonly span: Span }
  /** A bound expression must fit its pattern. */
  | { readonly kind: "boundPattern"; readonly span: Span }
  /** The field of a constructor in a pattern. */
  | { readonly kind: "field"; readonly constructor: string; readonly position: number; readonly declared: Span | null }
  /** A field by its name, in a construction, an update or a pattern. */
  | {
      readonly kind: "namedField";
      readonly name: string;
      readonly constructor: string;
      readonly declared: Span | null;
    }
  /** An array's elements have the type of the first one. */
  | { readonly kind: "element"; readonly first: Span; readonly type: Type }
  /** The place where it is used asks for it. */
  | { readonly kind: "use" }
  /** A lambda's parameter, in a place where a function of a certain type is expected. */
  | { readonly kind: "parameter" }
  /** The body must have the type at which the definition is used inside its own group. */
  | { readonly kind: "recursion"; readonly name: string }
  /** What is called must be a function. */
  | { readonly kind: "called" };

/** Why a part of something should have a type: the whole has the reason `outer`. */
export type Part =
  /** Component `position`, counted from 1, of a tuple. */
  | { readonly kind: "component"; readonly position: number; readonly outer: Reason }
  /** Element `position`, counted from 1, of an array. */
  | { readonly kind: "item"; readonly position: number; readonly outer: Reason }
  /** The body of a lambda with one pattern, a tuple of `items`. */
  | { readonly kind: "tupleLambda"; readonly items: number; readonly outer: Reason };

/** Where a mistake is told; null for a cycle without members. */
export function placeOf(mistake: TypeMistake): Span | null {
  return "span" in mistake ? mistake.span : (mistake.cycle[0]?.span ?? null);
}

/** The reason for the whole that something is a part of. */
export function outermost(reason: Reason): Outermost {
  let outer = reason;
  while (isPart(outer)) outer = outer.outer;
  return outer;
}

export function isPart(reason: Reason): reason is Part {
  return reason.kind === "component" || reason.kind === "item" || reason.kind === "tupleLambda";
}
