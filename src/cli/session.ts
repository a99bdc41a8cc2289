import { Session } from "../driver/expressions.js";
import { loadExterns } from "./externs.js";
import { Imports } from "./imports.js";
import { readSource } from "./input.js";
import { reportDiagnostics } from "./report.js";

/** A session with the definitions of a model, where one is named; null where that has mistakes, which have been reported. */
export async function openSession(name: string, file: string | null): Promise<Session | null> {
  const session = new Session(name, new Imports({ name, text: "" }).load);
  return file === null || (await loadInto(session, file)) ? session : null;
}

/** Loads what the definitions of a session call of other files. */
export async function loadFunctions(session: Session): Promise<void> {
  const { program } = session;
  session.externs = await loadExterns(program, new Imports(program).load);
}

/** Whether a model could be loaded; its mistakes are reported. */
export async function loadInto(session: Session, file: string): Promise<boolean> {
  const source = await readSource(file);
  const imports = new Imports(source);
  const loaded = session.loadModel(source);
  await reportDiagnostics(imports, loaded.diagnostics);
  if (loaded.ok) await loadFunctions(session);
  return loaded.ok;
}
