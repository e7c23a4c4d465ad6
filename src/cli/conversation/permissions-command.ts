/** /permissions: what may happen unasked, each with a number by which it is taken back. */

import { realWorkspace } from "../../base/paths.ts";
import { visibleLine } from "../../base/visible-text.ts";
import type { Grant, Scope } from "../../protocol/facts.ts";
import { isSameGrant } from "../../protocol/same-grant.ts";
import { heldGrants } from "../../runtime/policy.ts";
import { fromShell } from "./from-shell.ts";
import { showNew, tellProblem } from "./queue-commands.ts";
import type { Talk } from "./talk.ts";

/** The numbers count on from scope to scope, so that each stands for one permission. */
type Permission = { number: number; words: string; covers: Grant; scope: Exclude<Scope, "once"> };
type Permissions = { held: Permission[]; workspace?: string; warnings: string[] };

export async function permissions(talk: Talk, rest: string): Promise<void> {
  const [what = "", which = "", ...more] = rest.split(/\s+/u);
  if (what === "forget") return forget(talk, [which, ...more].join(" "));
  if (rest === "" || rest === "grants") return list(talk);
  const { runPolicy } = await import("../inspecting/policy.ts");
  return fromShell(talk, (shell) => runPolicy(shell, { words: rest.split(/\s+/u), flags: {} }));
}

async function list(talk: Talk): Promise<void> {
  const { session, terminal, context, style } = talk;
  const { held, workspace, warnings } = await permissionsNow(talk);
  const linesOf = (scope: Scope, head: string, none?: string): string[] => {
    const rows = held.filter((each) => each.scope === scope);
    if (rows.length === 0) return none === undefined ? [] : [none];
    return [head, ...rows.map(({ number, words }) => `  ${number}  ${words}`)];
  };
  const here = visibleLine(workspace ?? "");
  const rules = (context.shell?.settings.rules ?? []).reduce((sum, level) => sum + level.rules.length, 0);
  terminal.note(
    `The mode is ${session.mode} (/mode); ${rules === 0 ? "no rules of yours apply" : `rules of yours that apply: ${rules}`}.`,
    ...linesOf("turn", "Allowed until this request ends:"),
    ...linesOf("session", "Allowed until this session ends:", "Nothing was allowed for this session."),
    ...(workspace === undefined
      ? []
      : linesOf(
          "project",
          `Allowed in ${here} until revoked:`,
          `Nothing is permanently allowed in ${here}.`,
        )),
    ...warnings.map((warning) => style.yellow(`! ${visibleLine(warning)}`)),
    "/permissions forget N takes one of these back, forget all takes back all; toolwright explain COMMAND says how a command is judged.",
  );
}

async function permissionsNow({ session, context }: Talk): Promise<Permissions> {
  const { numberedGrants, readProjectGrants } = await import("../../runtime/project-grants.ts");
  const { shell } = context;
  const workspace = shell && (await realWorkspace(shell.settings.workspace));
  const kept =
    shell && workspace !== undefined
      ? await readProjectGrants(shell.settings.stateDir, workspace)
      : { grants: [], warnings: [] };
  const inForce = heldGrants(session.state);
  const held: Permission[] = [];
  const add = (scope: Permission["scope"], grants: readonly Grant[]): void => {
    for (const { number, words, grant } of numberedGrants(grants, held.length + 1))
      held.push({ number, words: visibleLine(words), covers: grant, scope });
  };
  for (const scope of ["turn", "session"] as const)
    add(
      scope,
      inForce.filter((grant) => grant.scope === scope).map(({ covers }) => covers),
    );
  add("project", kept.grants);
  return { held, warnings: kept.warnings, workspace };
}

async function forget(talk: Talk, which: string): Promise<void> {
  const { terminal } = talk;
  const { held } = await permissionsNow(talk);
  const isAll = which.toLowerCase() === "all";
  if (held.length === 0) return terminal.note("There was nothing to forget.");
  const chosen = isAll ? held : held.filter(({ number }) => String(number) === which);
  if (chosen.length === 0)
    return terminal.note(
      `Which one? /permissions numbers what is allowed: /permissions forget 1${held.length > 1 ? ` … ${held.length}` : ""}, or all.`,
    );
  for (const { covers, scope } of chosen) if (scope !== "project") await revoke(talk, covers);
  await showNew(talk);
  const ofProject = held.filter(({ scope }) => scope === "project");
  const at = isAll ? "all" : ofProject.findIndex(({ number }) => String(number) === which) + 1;
  if (chosen.some(({ scope }) => scope === "project")) await forgetKept(talk, String(at));
}

/** The same may have been allowed for the request and for the session: taking back one takes back both. */
async function revoke(talk: Talk, covers: Grant): Promise<void> {
  const { session } = talk;
  if (!session.state.grants.some((grant) => isSameGrant(grant.covers, covers))) return;
  tellProblem(talk, await session.command({ type: "revoke-grant", covers, by: "terminal" }));
}

/** Numbers count from 1 here, as `toolwright policy grants` shows them. */
async function forgetKept(talk: Talk, which: string): Promise<void> {
  const { runPolicy } = await import("../inspecting/policy.ts");
  await fromShell(talk, (shell) => runPolicy(shell, { words: ["forget", which], flags: {} }));
}
