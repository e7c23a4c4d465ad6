/** Edits a text in the person's own editor ($VISUAL or $EDITOR). */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EnvironmentVariables } from "../base/environment-variables.ts";
import { type Expected, errorMessage, refuse } from "../base/expected.ts";

/** `undefined` if no editor is configured. */
export function editorOf(env: EnvironmentVariables): string | undefined {
  const named = [env["VISUAL"], env["EDITOR"]].find((name) => (name ?? "").trim() !== "");
  return env["TERM"] === "dumb" ? undefined : named;
}

/**
 * Waits until the editor ends. `editor` may contain arguments, as in "code --wait". The file is private to this user.
 */
export async function editInEditor(editor: string, text: string, name: string): Promise<Expected<string>> {
  const directory = await mkdtemp(join(tmpdir(), "toolwright-edit-"));
  try {
    const file = join(directory, name);
    await writeFile(file, text, { mode: 0o600 });
    const child = spawn("/bin/sh", ["-c", `${editor} "$1"`, "sh", file], { stdio: "inherit" });
    const [code] = await once(child, "close");
    if (code !== 0) return refuse(`The editor (${editor}) failed: nothing was changed.`);
    return { ok: true, value: await readFile(file, "utf8") };
  } catch (error) {
    const words = errorMessage(error);
    return refuse(`The editor (${editor}) could not be used: ${words}.`);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
