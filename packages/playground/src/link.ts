// The whole state in an address, compressed.

import type { State } from "./page.js";

export async function packed(state: State): Promise<string> {
  const bytes = await through(new TextEncoder().encode(JSON.stringify(state)), new CompressionStream("deflate-raw"));
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Null for what no link has. */
export async function unpacked(text: string): Promise<Partial<State> | null> {
  try {
    const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (char) => char.charCodeAt(0));
    const plain = await through(bytes, new DecompressionStream("deflate-raw"));
    const found: unknown = JSON.parse(new TextDecoder().decode(plain));
    return stateFrom(found);
  } catch {
    return null;
  }
}

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
): Promise<Uint8Array> {
  const given = new Response(new Blob([bytes]).stream().pipeThrough(stream));
  return new Uint8Array(await given.arrayBuffer());
}

function stateFrom(found: unknown): Partial<State> | null {
  if (typeof found !== "object" || found === null) return null;
  const text = (name: string): string | null => {
    const value: unknown = Reflect.get(found, name);
    return typeof value === "string" ? value : null;
  };
  const fields = (name: string): Readonly<Record<string, unknown>> => {
    const value: unknown = Reflect.get(found, name);
    return typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : {};
  };
  const model = text("text");
  if (model === null) return null;
  const options = Object.entries(fields("options")).flatMap(([name, value]): readonly (readonly [string, string])[] => typeof value === "string" ? [[name, value]] : []); // prettier-ignore
  return {
    text: model,
    entry: text("entry") ?? "",
    view: text("view") ?? "",
    args: fields("args"),
    options: Object.fromEntries(options),
  };
}
