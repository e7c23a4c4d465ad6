/** Reads which tools the model gets (`--tools`). */

import { type Expected, refuse } from "../base/expected.ts";
import { findTool, tools as ownTools } from "../tools/index.ts";
import { partTools, sessionTools } from "./addon-tools.ts";
import { ofServers } from "./named-rules.ts";
import { didYouMean } from "./options/nearest.ts";

/** Under the tools' own names; the list is empty for "none". A name that is no tool's is a mistake. */
export function readGivenTools(text: string, tools = ownTools): Expected<string[]> {
  const given = text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  if (given.length === 1 && given[0] === "none") return { ok: true, value: [] };
  if (given.length === 0) return refuse('the option "tools" needs the names of tools, or none');
  const all = [...tools, ...partTools, ...sessionTools];
  const names: string[] = [];
  for (const name of given) {
    // The tools of servers are known only once the servers are started.
    const found = name.includes("*") || name.startsWith(ofServers) ? undefined : findTool(all, name);
    if (found?.ok === false) {
      const known = all.map((tool) => tool.name);
      const hint = didYouMean(name, known) || `: name some of ${known.join(", ")}, or none`;
      return refuse(`The option "tools": there is no tool "${name}"${hint}`);
    }
    names.push(found?.ok ? found.value.name : name);
  }
  return { ok: true, value: names };
}
