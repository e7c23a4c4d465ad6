/**
 * Expands variables in the configuration: `${NAME}`, `${NAME:-else}`, `${env:NAME}`, `{env:NAME}`,
 * `${workspaceFolder}`.
 */

import { basename } from "node:path";
import type { EnvironmentVariables } from "../../base/environment-variables.ts";
import { type Expected, refuse } from "../../base/expected.ts";
import type { McpServerSettings } from "./settings.ts";

type Variables = {
  environment: EnvironmentVariables;
  /** Absolute. */
  workspace: string;
  home: string;
};

/** The settings with every variable expanded; the problem names those that are not set. */
export function expandSettings(
  settings: McpServerSettings,
  variables: Variables,
): Expected<McpServerSettings> {
  const missing = new Set<string>();
  const one = (text: string): string => expandText(text, variables, missing);
  const values = (map: Record<string, string>): Record<string, string> =>
    Object.fromEntries(Object.entries(map).map(([name, value]) => [name, one(withBraces(value))]));
  const { command, args, env, envFile, cwd, url, headers } = settings;
  const value: McpServerSettings = {
    ...settings,
    ...(command === undefined ? {} : { command: one(command) }),
    ...(args === undefined ? {} : { args: args.map(one) }),
    ...(env === undefined ? {} : { env: values(env) }),
    ...(envFile === undefined ? {} : { envFile: one(envFile) }),
    ...(cwd === undefined ? {} : { cwd: one(cwd) }),
    ...(url === undefined ? {} : { url: one(url) }),
    ...(headers === undefined ? {} : { headers: values(headers) }),
  };
  if (missing.size === 0) return { ok: true, value };
  return refuse(missingWords(missing));
}

function missingWords(missing: ReadonlySet<string>): string {
  const [asked] = [...missing].filter((name) => name.startsWith("input:"));
  if (asked !== undefined)
    return `its editor asks for \${${asked}}, which nobody does here: put the value there, or a variable (\${NAME})`;
  const names = [...missing].join(", ");
  const isOne = missing.size === 1;
  return `the ${isOne ? "variable" : "variables"} ${names} ${isOne ? "is" : "are"} not set: set ${isOne ? "it" : "them"}, or write \${NAME:-else} for a value that is used instead`;
}

/** Some configurations omit the braces if the variable is the whole value or its end ("Bearer $TOKEN"). */
const withBraces = (value: string): string => value.replace(/(?<=^|\s)\$([A-Za-z_]\w*)$/u, "${$1}");

function expandText(text: string, variables: Variables, missing: Set<string>): string {
  return text.replaceAll(/\$\{([^{}]*)\}|\{(env:\w+)\}/gu, (whole, braced?: string, bare?: string) => {
    const inside = braced ?? bare ?? "";
    const [, name = "", otherwise] = /^(?:env:)?([A-Za-z_][\w.]*)(?::-(.*))?$/su.exec(inside) ?? [];
    if (inside.startsWith("input:")) missing.add(inside);
    if (name === "") return whole;
    const value = valueOf(inside, name, variables);
    if (value !== undefined && (value !== "" || otherwise === undefined)) return value;
    if (otherwise === undefined) missing.add(name);
    return otherwise ?? whole;
  });
}

function valueOf(inside: string, name: string, { environment, workspace, home }: Variables) {
  if (inside === "workspaceFolder") return workspace;
  if (inside === "workspaceFolderBasename") return basename(workspace);
  if (inside === "userHome") return home;
  return environment[name];
}
