/** What other agents write in the settings of a server, in our words: an entry works here as it is. */

import { isObject } from "../../base/json.ts";

type Entry = Record<string, unknown>;

/** Our names, and theirs for the same. */
const names: Readonly<Record<string, readonly string[]>> = {
  url: ["httpUrl", "serverUrl"],
  env: ["environment"],
  headers: ["http_headers"],
  tools: ["includeTools", "enabled_tools"],
  withoutTools: ["excludeTools", "disabled_tools"],
  timeout: ["tool_timeout_sec"],
};

/** What is no object, or says a thing in our words already, stays as it is. */
export function inOurWords(entry: unknown): unknown {
  if (!isObject(entry)) return entry;
  const renamed = Object.entries(names).flatMap(([ours, theirs]): [string, unknown][] => {
    const name = theirs.find((one) => Object.hasOwn(entry, one));
    return name === undefined || Object.hasOwn(entry, ours) ? [] : [[ours, entry[name]]];
  });
  const said: Entry = { ...entry, ...Object.fromEntries(renamed) };
  const disabled = said["enabled"] === false ? { disabled: true } : {};
  return { ...said, ...programIn(said), ...headersIn(said), ...disabled };
}

/** A program and its arguments in one list. */
function programIn({ command, args }: Entry): Entry {
  if (!Array.isArray(command) || command.length === 0) return {};
  const [program, ...its]: unknown[] = command;
  return { command: program, args: Array.isArray(args) ? [...its, ...args] : its };
}

/** Headers whose values are variables, by the names of these. */
function headersIn(entry: Entry): Entry {
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

/** Of a file of another agent's: more seconds than a call may take here are milliseconds there. */
export function inSeconds(entry: unknown): unknown {
  const timeout = isObject(entry) ? entry["timeout"] : undefined;
  return isObject(entry) && typeof timeout === "number" && timeout > longest
    ? { ...entry, timeout: timeout / 1_000 }
    : entry;
}

const longest = 3_600;
