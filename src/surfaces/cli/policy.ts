/** `toolwright policy`: other rules tried on the past (`simulate`), and what is allowed here for good (`grants`, `forget`). */
import { forgetGrants, listed, readProjectGrants, realWorkspace } from "../../runtime/project-grants.ts";
import type { Values } from "../../runtime/options.ts";
import { simulate } from "../../runtime/simulate.ts";
import { visibleLine } from "../view/visible.ts";
import { jsonLine } from "./judged-lines.ts";
import { complain, exitCodes, type CliRoom } from "./room.ts";
import { simulationLines } from "./simulation-lines.ts";

type Asked = { words: readonly string[]; flags: Values };

/** Exit code 2 when the question is wrong. */
export async function runPolicy(room: CliRoom, { words, flags }: Asked): Promise<number> {
  const [what, which, more] = words;
  if (what !== "simulate" && flags.rules !== undefined)
    return refuse(room, "--rules is for toolwright policy simulate only.");
  switch (what) {
    case "simulate":
      return which === undefined ? simulateRules(room, flags.rules) : refuse(room, tooMany(what, which));
    case "grants":
      return which === undefined ? listGrants(room) : refuse(room, tooMany(what, which));
    case "forget":
      return more === undefined ? forget(room, which) : refuse(room, tooMany(what, more));
    default:
      return refuse(
        room,
        "What about the policy? toolwright policy simulate tries rules on the past, policy grants lists what is allowed here for good, policy forget takes it back.",
      );
  }
}

const tooMany = (what: string, word: string): string =>
  `toolwright policy ${what} takes no further words, and "${word}" is one.`;

function refuse({ terminal }: CliRoom, problem: string): number {
  complain(terminal, problem);
  return exitCodes.usage;
}

async function simulateRules({ terminal, settings }: CliRoom, rules: Values["rules"]): Promise<number> {
  const simulated = await simulate(settings, terminal.env, typeof rules === "string" ? rules : undefined);
  if (!simulated.ok) return refuse({ terminal, settings }, simulated.problem);
  const { warnings, ...report } = simulated.value;
  for (const warning of warnings) terminal.report(`! ${visibleLine(warning)}\n`);
  const text = settings.output === "text" ? simulationLines(report).join("\n") : jsonLine(report);
  terminal.print(`${text}\n`);
  return exitCodes.done;
}

async function listGrants({ terminal, settings }: CliRoom): Promise<number> {
  const workspace = await realWorkspace(settings.workspace);
  const { grants, warnings } = await readProjectGrants(settings.stateDir, workspace);
  for (const warning of warnings) terminal.report(`! ${visibleLine(warning)}\n`);
  if (settings.output !== "text") terminal.print(`${jsonLine({ workspace, grants: listed(grants) })}\n`);
  else if (grants.length === 0) terminal.print(`Nothing is allowed for good in ${visibleLine(workspace)}.\n`);
  else {
    terminal.print(`Allowed in ${visibleLine(workspace)} until it is taken back:\n`);
    for (const { number, words } of listed(grants)) terminal.print(`  ${number}  ${visibleLine(words)}\n`);
  }
  return exitCodes.done;
}

async function forget(room: CliRoom, which: string | undefined): Promise<number> {
  const { terminal, settings } = room;
  const number = which === "all" ? which : /^[1-9]\d{0,6}$/u.test(which ?? "") ? Number(which) : undefined;
  if (number === undefined)
    return refuse(
      room,
      "Which grant is to be forgotten? toolwright policy grants numbers them: policy forget 1, or policy forget all.",
    );
  const workspace = await realWorkspace(settings.workspace);
  const forgotten = await forgetGrants(settings.stateDir, workspace, number);
  if (!forgotten.ok) {
    complain(terminal, forgotten.problem);
    return exitCodes.failed;
  }
  const taken = listed(forgotten.forgotten);
  if (settings.output !== "text") terminal.print(`${jsonLine({ workspace, forgotten: taken })}\n`);
  else if (taken.length === 0) terminal.print("There was nothing to forget.\n");
  for (const { words } of settings.output === "text" ? taken : [])
    terminal.print(`Asked about again from the next session on: ${visibleLine(words)}\n`);
  return exitCodes.done;
}
