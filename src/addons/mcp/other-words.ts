/** Translates other agents' server settings to ours, so that a copied entry works unchanged. */

import { isObject } from "../../base/json.ts";

type ForeignSettings = Record<string, unknown>;

/** Our field names, and their equivalents. */
const names: Readonly<Record<string, readonly string[]>> = {
  url: ["httpUrl", "serverUrl"],
  env: ["environment"],
  headers: ["http_headers"],
  tools: ["includeTools", "enabled_tools"],
  withoutTools: ["excludeTools", "disabled_tools"],
  timeout: ["tool_timeout_sec"],
};

/** Leaves anything but objects unchanged; our own field names take precedence. */
export function inOurWords(entry: unknown): unknown {
  if (!isObject(entry)) return entry;
  const renamed = Object.entries(names).flatMap(([ours, theirs]): [string, unknown][] => {
    const name = theirs.find((one) => Object.hasOwn(entry, one));
    return name === undefined || Object.hasOwn(entry, ours) ? [] : [[ours, entry[name]]];
  });
  const said: ForeignSettings = { ...entry, ...Object.fromEntries(renamed) };
  const disabled = said["enabled"] === false ? { disabled: true } : {};
  return { ...said, ...programIn(said), ...headersIn(said), ...disabled };
}

/** Splits a list of the program and its arguments. */
function programIn({ command, args }: ForeignSettings): ForeignSettings {
  if (!Array.isArray(command) || command.length === 0) return {};
  const [program, ...its]: unknown[] = command;
  return { command: program, args: Array.isArray(args) ? [...its, ...args] : its };
}

/** Headers whose values come from variables, given by name. */
function headersIn(entry: ForeignSettings): ForeignSettings {
  const { headers, bearer_token_env_var: token, env_http_headers: named } = entry;
  const variables = Object.entries(isObject(named) ? named : {}).map(([header, name]) => [
    header,
    `\${${String(name)}}`,
  ]);
  const bearer = typeof token === "string" ? [["Authorization", `Bearer \${${token}}`]] : [];
  if (variables.length === 0 && bearer.length === 0) return {};
  const given = isObject(headers) ? headers : {};
  return { headers: { ...given, ...Object.fromEntries([...variables, ...bearer]) } };
}

/** In another agent's file, a timeout above our maximum in seconds must be in milliseconds. */
export function inSeconds(entry: unknown): unknown {
  const timeout = isObject(entry) ? entry["timeout"] : undefined;
  return isObject(entry) && typeof timeout === "number" && timeout > longest
    ? { ...entry, timeout: timeout / 1_000 }
    : entry;
}

const longest = 3_600;
