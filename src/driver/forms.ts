// The forms that a program has between passes: how each is checked, and shown.

import { assertStores } from "../adjoint/check.js";
import type { Prepared } from "../adjoint/prepare.js";
import { printPrepared } from "../adjoint/print-prepared.js";
import { assertProgram } from "../core/check.js";
import { printProgram } from "../core/print.js";
import type * as Core from "../core/term.js";
import { assertFlat } from "../flat/check.js";
import { printFlat } from "../flat/print.js";
import type * as Flat from "../flat/program.js";
import { assertFunction } from "../tidy/check.js";
import { printModule } from "../typescript/print-module.js";
import type { TsDeclaration, TsFunction } from "../typescript/tree.js";

/** A program, or the part of it that a pass works on, in one of its forms. */
export type Form =
  | { readonly ir: "core"; readonly program: Core.Program }
  | { readonly ir: "flat"; readonly program: Flat.Program }
  | { readonly ir: "stores"; readonly program: Prepared }
  | { readonly ir: "module"; readonly program: readonly TsDeclaration[] }
  /** `written`: with the names that its variables get in the end. */
  | { readonly ir: "function"; readonly program: TsFunction; readonly written: () => TsDeclaration };

/** Throws an `InternalError` where an invariant of the form does not hold. */
export function assertForm(form: Form): void {
  switch (form.ir) {
    case "core":
      assertProgram(form.program);
      return;
    case "flat":
      assertFlat(form.program);
      return;
    case "stores":
      assertStores(form.program);
      return;
    case "function":
      assertFunction(form.program);
      return;
    // TypeScript itself checks modules, in the tests
    case "module":
      return;
  }
}

/** The form as text: core programs in the notation of the paper, flat programs in that of src/flat/program.ts, what is emitted in TypeScript. */
export function printForm(form: Form): string {
  switch (form.ir) {
    case "core":
      return printProgram(form.program);
    case "flat":
      return printFlat(form.program);
    case "stores":
      return printPrepared(form.program);
    case "function":
      return printModule({ header: [], declarations: [form.written()] }, "ts");
    case "module":
      return printModule({ header: [], declarations: form.program }, "ts");
  }
}
