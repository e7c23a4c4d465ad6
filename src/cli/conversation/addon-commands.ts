/** What a session works with besides its own tools: /mcp, /agents, /hooks and /skills. */

import { visibleLine } from "../../base/visible-text.ts";
import { setUpOf } from "../../runtime/inspecting/set-up.ts";
import { fileCommandLines } from "./file-commands.ts";
import { fromShell } from "./from-shell.ts";
import { openSubagents, subagentsOf } from "./subagents.ts";
import type { Talk } from "./talk.ts";

export async function skills(talk: Talk): Promise<void> {
  const lines = await fileCommandLines(talk);
  talk.terminal.note(...(lines.length > 0 ? lines : ["There are no skills and no command files."]));
}

/** As `toolwright mcp list`, `login NAME` and `accept NAME`. */
export const mcp = (talk: Talk, rest: string): Promise<void> =>
  fromShell(talk, async (context) => {
    const { runMcpClient } = await import("../mcp-client.ts");
    return runMcpClient(context, rest === "" ? ["list"] : rest.split(/\s+/u));
  });

/** On a screen, also the subagents of this session, which open. */
export async function agents(talk: Talk): Promise<void> {
  const { runtime, terminal, style } = talk;
  const { agents: known, problems } = await runtime.agents();
  const opens = terminal.hasMenus && subagentsOf(talk).length > 0;
  terminal.note(
    ...(known.length === 0
      ? opens
        ? []
        : ["There are no agents: .toolwright/agents/NAME.md defines one (docs/skills.md)."]
      : ["Agents that tasks can be given to:"]),
    ...known.map(({ name, description }) => `  ${visibleLine(name)}  ${visibleLine(description)}`),
    ...problems.map((problem) => style.yellow(`! ${visibleLine(problem)}`)),
  );
  if (opens) await openSubagents(talk);
}

/** Those of the configuration; what else the workspace brings is listed with what awaits approval. */
export async function hooks(talk: Talk): Promise<void> {
  const { terminal, runtime, context, session } = talk;
  await session.ready();
  const { shell } = context;
  const configured = shell ? setUpOf(shell.settings, shell.terminal.env).hooks : [];
  const brought = runtime.trust.known().filter(({ kind }) => kind === "hook");
  const lines = [
    ...configured.map(({ on, by, runs }) => `  ${on.join(", ")}  a ${runs} of the ${by}'s configuration`),
    ...brought.map(({ name }) => `  ${visibleLine(name)}  of the workspace (/trust shows it)`),
  ];
  terminal.note(...(lines.length === 0 ? ["There are no hooks (docs/hooks.md)."] : ["Hooks:", ...lines]));
}
