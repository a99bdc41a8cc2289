// A TypeScript printer without layout, for tests of what comes before the real one.

import type { TsDeclaration, TsExpr, TsFunction, TsParam, TsStmt, TsType } from "../../src/emit/typescript.js";

export function plainPrint(declarations: readonly TsDeclaration[]): string {
  return declarations.map(declaration).join("\n\n");
}

function declaration(d: TsDeclaration): string {
  switch (d.kind) {
    case "function":
      return `${d.exported ? "export " : ""}${fn(d.fn)}`;
    case "type":
      return `export type ${d.name}${generics(d.typeParams)} = ${type(d.type)};`;
    case "statement":
      return stmt(d.stmt);
    case "fragment":
      return d.ts;
  }
}

function generics(names: readonly string[]): string {
  return names.length === 0 ? "" : `<${names.join(", ")}>`;
}

function fn(f: TsFunction): string {
  return `function ${f.name}${generics(f.typeParams)}(${params(f.params)}): ${type(f.result)} ${block(f.body)}`;
}

function params(list: readonly TsParam[]): string {
  return list.map((p) => `${p.name}${p.optional ? "?" : ""}: ${type(p.type)}`).join(", ");
}

function block(body: readonly TsStmt[]): string {
  return `{\n${body.map(stmt).join("\n")}\n}`;
}

function type(t: TsType): string {
  switch (t.kind) {
    case "name":
      return t.args.length === 0 ? t.name : `${t.name}<${t.args.map(type).join(", ")}>`;
    case "literal":
      return JSON.stringify(t.value);
    case "tuple":
      return `readonly [${t.items.map(type).join(", ")}]`;
    case "array":
      return `readonly (${type(t.element)})[]`;
    case "object":
      return `{ ${t.fields.map((f) => `readonly ${f.name}: ${type(f.type)}`).join("; ")} }`;
    case "union":
      return t.members.map((m) => `(${type(m)})`).join(" | ");
    case "function":
      return `(${generics(t.typeParams)}(${params(t.params)}) => ${type(t.result)})`;
  }
}

function stmt(s: TsStmt): string {
  switch (s.kind) {
    case "const": {
      const target = typeof s.target === "string" ? s.target : `[${s.target.map((name) => name ?? "").join(", ")}]`;
      return `const ${target}${s.type === null ? "" : `: ${type(s.type)}`} = ${expr(s.init)};`;
    }
    case "let":
      return `let ${s.name}${s.type === null ? "" : `: ${type(s.type)}`}${s.init === null ? "" : ` = ${expr(s.init)}`};`;
    case "expr":
      return `${bare(s.expr)};`;
    case "return":
      return s.value === null ? "return;" : `return ${expr(s.value)};`;
    case "if":
      return `if (${bare(s.test)}) ${block(s.then)}${s.else.length === 0 ? "" : ` else ${block(s.else)}`}`;
    case "loop":
      return `${s.label === null ? "" : `${s.label}: `}for (;;) ${block(s.body)}`;
    case "while":
      return `while (${expr(s.test)}) ${block(s.body)}`;
    case "for":
      return `for (let ${s.name} = ${expr(s.from)}; ${expr(s.test)}; ${bare(s.step)}) ${block(s.body)}`;
    case "switch":
      return `switch (${bare(s.subject)}) {\n${s.cases
        .map((c) => `${c.test === null ? "default" : `case ${expr(c.test)}`}: ${block(c.body)}`)
        .join("\n")}\n}`;
    case "continue":
    case "break":
      return `${s.kind}${s.label === null ? "" : ` ${s.label}`};`;
    case "throw":
      return `throw ${expr(s.value)};`;
    case "try":
      return `try ${block(s.body)} catch (${s.param}) ${block(s.handler)}`;
    case "block":
      return block(s.body);
    case "function":
      return fn(s.fn);
    case "comment":
      return `// ${s.text}`;
  }
}

function bare(e: TsExpr): string {
  const text = expr(e);
  return text.startsWith("(") && text.endsWith(")") && (e.kind === "assign" || e.kind === "binary")
    ? text.slice(1, -1)
    : text;
}

function expr(e: TsExpr): string {
  switch (e.kind) {
    case "id":
      return e.name;
    case "number":
      return Object.is(e.value, -0) ? "-0" : e.value < 0 ? `(${e.value})` : `${e.value}`;
    case "string":
      return JSON.stringify(e.value);
    case "boolean":
      return `${e.value}`;
    case "null":
    case "undefined":
      return e.kind;
    case "binary":
      return `(${expr(e.left)} ${e.op} ${expr(e.right)})`;
    case "unary":
      return `(${e.op}${expr(e.arg)})`;
    case "cond":
      return `(${expr(e.test)} ? ${expr(e.then)} : ${expr(e.else)})`;
    case "call":
      return `${callee(e.fn)}(${e.args.map(bare).join(", ")})`;
    case "new":
      return `new ${expr(e.fn)}(${e.args.map(expr).join(", ")})`;
    case "member":
      return `${expr(e.object)}.${e.name}`;
    case "index":
      return `${expr(e.object)}[${expr(e.index)}]`;
    case "arrow": {
      const list = e.params.map((p) => `${p.name}${p.type === null ? "" : `: ${type(p.type)}`}`).join(", ");
      const body = isBlock(e.body) ? block(e.body) : e.body.kind === "object" ? `(${expr(e.body)})` : expr(e.body);
      return `((${list})${e.result === null ? "" : `: ${type(e.result)}`} => ${body})`;
    }
    case "object":
      return `{ ${e.fields.map((f) => `${f.name}: ${expr(f.value)}`).join(", ")} }`;
    case "array":
      return `[${e.items.map(expr).join(", ")}]`;
    case "as":
      return `(${expr(e.expr)} as ${type(e.type)})`;
    case "assign":
      return `(${expr(e.target)} ${e.op} ${expr(e.value)})`;
  }
}

function callee(e: TsExpr): string {
  return expr(e);
}

function isBlock(body: TsExpr | readonly TsStmt[]): body is readonly TsStmt[] {
  return Array.isArray(body);
}
