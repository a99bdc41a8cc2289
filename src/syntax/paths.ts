// Paths of imports, worked out as text: `/` stands between folders on every system.

/**
 * The path of the file that `from` imports as `path`: relative to the folder that `from` is in, with no `.` and no `..` that could be left
 * out. An absolute path stays what it is.
 */
export function resolveImport(from: string, path: string): string {
  const folder = from.slice(0, from.lastIndexOf("/") + 1);
  return normalizePath(isAbsolutePath(path) ? path : folder + path);
}

/** Whether a path is one of the files that come with the compiler; `./std/..` is the user's. */
export function isStandardPath(path: string): boolean {
  return path.startsWith("std/");
}

/** Whether a path names a file by where it is, and no package. */
export function isRelativePath(path: string): boolean {
  return /^\.{1,2}(?:\/|$)/.test(path);
}

/** The way from the folder of one file to another, as an import writes it; both are relative to the same folder, or absolute. */
export function importPath(from: string, to: string): string {
  if (isAbsolutePath(from) !== isAbsolutePath(to)) return to;
  const [folders, parts] = [normalizePath(from).split("/").slice(0, -1), normalizePath(to).split("/")];
  while (folders.length > 0 && parts.length > 1 && folders[0] === parts[0]) {
    folders.shift();
    parts.shift();
  }
  const way = [...folders.map(() => ".."), ...parts].join("/");
  return isRelativePath(way) ? way : `./${way}`;
}

/** The path of a file that another one names, from the folder of the model; packages keep their names. */
export function externPath(model: string, from: string, path: string): string {
  return isRelativePath(path) ? importPath(model, resolveImport(from, path)) : path;
}

/** A path without `.`, doubled `/`, and `..` behind a folder. */
export function normalizePath(path: string): string {
  const root = rootOf(path);
  const parts: string[] = [];
  for (const part of path.slice(root.length).split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.length > 0 && parts.at(-1) !== "..") parts.pop();
    else if (root === "") parts.push(part);
  }
  const end = path.endsWith("/") && parts.length > 0 ? "/" : "";
  return `${root}${parts.join("/")}${end}` || ".";
}

/** The last part of a path. */
export function baseName(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path;
}

export function isAbsolutePath(path: string): boolean {
  return rootOf(path) !== "";
}

/** `/` or `C:/` at the beginning of an absolute path. */
function rootOf(path: string): string {
  return /^(?:[A-Za-z]:)?\//.exec(path)?.[0] ?? "";
}
