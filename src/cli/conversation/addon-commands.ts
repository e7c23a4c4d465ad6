/** What a session works with besides its own tools: /mcp, /agents, /hooks, /skills; and /permissions, what is allowed. */

import type { Scope } from "../../protocol/facts.ts";
import { setUpOf } from "../../runtime/inspecting/set-up.ts";
import { visibleLine } from "../../view/visible.ts";
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

/** What runs without a question; `/permissions forget N` revokes what holds beyond the session. */
export async function permissions(talk: Talk, rest: string): Promise<void> {
  const { session, terminal, context } = talk;
  const { runPolicy } = await import("../inspecting/policy.ts");
  if (rest !== "")
    return fromShell(talk, (shell) => runPolicy(shell, { words: rest.split(/\s+/u), flags: {} }));
  const { numberedGrants } = await import("../../runtime/project-grants.ts");
  const { grants, status, turn } = session.state;
  const linesOf = (scope: Scope, head: string): string[] => {
    const held = grants.filter((grant) => grant.scope === scope && (scope === "session" || isNow(grant)));
    const words = numberedGrants(held.map(({ covers }) => covers)).map(
      (each) => `  ${visibleLine(each.words)}`,
    );
    return words.length === 0 ? [] : [head, ...words];
  };
  const isNow = (grant: { turn: number }): boolean => status === "running" && grant.turn === turn;
  const held = [
    ...linesOf("turn", "Allowed until this request ends:"),
    ...linesOf("session", "Allowed until this session ends:"),
  ];
  const rules = (context.shell?.settings.rules ?? []).reduce((sum, layer) => sum + layer.rules.length, 0);
  terminal.note(
    `The mode is ${session.mode} (/mode); ${rules === 0 ? "no rules of yours apply" : `rules of yours that apply: ${rules}`}.`,
    ...(held.length === 0 ? ["Nothing was allowed for this session."] : held),
  );
  await fromShell(talk, (shell) => runPolicy(shell, { words: ["grants"], flags: {} }));
  terminal.note(
    "/permissions forget N revokes what has a number here; toolwright explain COMMAND says how a command is judged.",
  );
}
