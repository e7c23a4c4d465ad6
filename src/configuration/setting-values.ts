/** Reads single values of the settings, which are validated already: absent, or of their option's type. */

import { resolve } from "node:path";
import { homeDirectory } from "../base/paths.ts";

export const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
/** Of an option that may be given several times. */
export const textsOf = (value: unknown): readonly string[] => textOf(value)?.split("\0") ?? [];
export const numberOf = (value: unknown): number | undefined =>
  typeof value === "number" ? value : undefined;

/** Resolves the path as a shell would in the directory where the program was started. */
export function pathOf(value: unknown, cwd: string, env: NodeJS.ProcessEnv): string | undefined {
  const path = textOf(value);
  if (path === undefined) return undefined;
  const home = homeDirectory(env);
  return resolve(
    cwd,
    path.replace(/^~(?=\/|$)/u, () => home),
  );
}
