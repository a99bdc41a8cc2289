// What `debug "text"` shows, in modules that are compiled with `--debug`: a line for each number on standard error, or the console of a browser.

/** Shows a value; `label` says what it is, and where. */
export function show<T extends number | boolean>(value: T, label: string): T {
  showLine(`${label}: ${String(value)}`);
  return value;
}

/** Shows element `index` of an array. */
export function showAt<T extends number | boolean>(value: T, index: number, label: string): T {
  return show(value, elementLabel(label, index));
}

/** Shows the derivative in a number that has been shown. */
export function showDerivative(cotangent: number, label: string): void {
  show(cotangent, `${label}, derivative`);
}

/** Shows the derivative in element `index` of an array that has been shown. */
export function showDerivativeAt(cotangent: number, index: number, label: string): void {
  showDerivative(cotangent, elementLabel(label, index));
}

/** `"rows"[][].x` is `"rows"[][3].x` at 3. */
function elementLabel(label: string, index: number): string {
  const place = label.lastIndexOf("[]") + 1;
  return `${label.slice(0, place)}${index}${label.slice(place)}`;
}

function showLine(text: string): void {
  const console: unknown = Reflect.get(globalThis, "console");
  if (typeof console !== "object" || console === null) return;
  const error: unknown = Reflect.get(console, "error");
  if (typeof error === "function") Reflect.apply(error, console, [`debug ${text}`]);
}
