/** Reads a server's variables from a separate file, as editors support (`envFile`). */

import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { parseEnv } from "node:util";
import { fileBounds } from "../../base/bounds.ts";
import { type Expected, refuse } from "../../base/expected.ts";
import { isObject } from "../../base/json.ts";
import type { McpServerSettings } from "./settings.ts";

/** Merges the file's variables; the server's own `env` takes precedence. The problem is for people. */
export function withEnvFile(settings: McpServerSettings, workspace: string): Expected<McpServerSettings> {
  const { envFile, env = {} } = settings;
  if (envFile === undefined) return { ok: true, value: settings };
  const text = readSmall(resolve(workspace, envFile));
  const problem = text === undefined ? "does not exist" : text.ok ? undefined : text.problem;
  if (!text?.ok) return refuse(`its \`envFile\` ${envFile} ${problem ?? ""}`);
  const said = Object.entries(parseEnv(text.value)).flatMap(([name, value]) => [[name, value ?? ""]]);
  return { ok: true, value: { ...settings, env: { ...Object.fromEntries(said), ...env } } };
}

type Small = { ok: true; value: string } | { ok: false; problem: string };

/** Undefined: the file does not exist. The problem completes a sentence about the file. */
export function readSmall(path: string): Small | undefined {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (!found) return undefined;
    if (!found.isFile()) return refuse("is no file");
    if (found.size > fileBounds.configuration.most) return refuse("is too large");
    return { ok: true, value: readFileSync(path, "utf8").replace(/^\uFEFF/u, "") };
  } catch (error) {
    const code = isObject(error) ? String(error["code"]) : "";
    return refuse(`cannot be read (${code})`);
  }
}
