/** Maps other agents' tool names, as used in definitions, to our tools. */

import { looseName } from "../../protocol/tool-name.ts";
import { findTool } from "../../tools/index.ts";
import type { Tool } from "../../tools/tool.ts";

/**
 * Groups of tools as other agents name them, with words that our tools are known by. Names that are aliases of a tool
 * are omitted here.
 */
const groups: readonly { written: readonly string[]; means: readonly string[] }[] = [
  { written: ["editFiles", "editing"], means: ["edit", "write", "patch"] },
  { written: ["notebookEdit", "replace"], means: ["edit"] },
  {
    written: [
      "execute",
      "runCommands",
      "runInTerminal",
      "runShellCommand",
      "runTasks",
      "bashOutput",
      "killShell",
    ],
    means: ["shell"],
  },
  { written: ["codebase", "findFiles", "readFiles", "readManyFiles"], means: ["read", "grep", "glob"] },
  { written: ["grepSearch", "searchFileContent", "usages", "textSearch"], means: ["grep"] },
  { written: ["fileSearch"], means: ["glob"] },
  { written: ["webFetch", "fetchWebpage"], means: ["fetch"] },
  { written: ["googleWebSearch"], means: ["web_search"] },
  { written: ["todo", "todoRead", "writeTodos"], means: ["todo_write"] },
  { written: ["task", "agent", "runSubagent"], means: ["delegate"] },
  { written: ["problems"], means: ["get_diagnostics"] },
];

/** The tools meant, in the order of `among`; `unknown`: names that match no tool here. */
export function toolsNamed(
  written: readonly string[],
  among: readonly Tool[],
): { tools: Tool[]; unknown: string[] } {
  const meant = new Set<Tool>();
  const unknown: string[] = [];
  for (const name of written) {
    const tools = meantBy(name.replace(/\s*\(.*$/su, "").trim(), among); // "Bash(git *)" → "Bash"
    if (tools.length === 0) unknown.push(name);
    for (const tool of tools) meant.add(tool);
  }
  return { tools: among.filter((tool) => meant.has(tool)), unknown };
}

/**
 * The denied tools: those named, and our own tools that do the same. Denying commands also denies the terminal; denying
 * edit or write also denies patches, but leaves the other of the two.
 */
export function toolsDenied(written: readonly string[], among: readonly Tool[]): Tool[] {
  const named = toolsNamed(written, among).tools;
  const left = toolsNamed(["edit", "write"], among).tools.filter((tool) => !named.includes(tool));
  const denied = new Set(named.filter(isOwn).map(({ does }) => does));
  denied.delete("read");
  return among.filter(
    (tool) => named.includes(tool) || (isOwn(tool) && denied.has(tool.does) && !left.includes(tool)),
  );
}

/** Tools of MCP servers match only their own name. */
const isOwn = ({ definition }: Tool): boolean => definition === undefined;

function meantBy(name: string, among: readonly Tool[]): readonly Tool[] {
  if (name === "*" || name.toLowerCase() === "all") return among;
  const server = /^(?:mcp__([\w-]+?)(?:__\*?)?|([\w.-]+)\/\*)$/u.exec(name);
  const prefix = looseName(server?.[1] ?? server?.[2] ?? "");
  const ofServer =
    prefix === "" ? [] : among.filter((tool) => looseName(tool.name).startsWith(`mcp${prefix}`));
  if (ofServer.length > 0) return ofServer;
  const found = findTool(among, name);
  if (found.ok) return [found.value];
  const loose = looseName(name);
  const group = groups.find((one) => one.written.some((other) => looseName(other) === loose));
  return (group?.means ?? []).flatMap((word) => {
    const tool = findTool(among, word);
    return tool.ok ? [tool.value] : [];
  });
}
