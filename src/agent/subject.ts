/** What a decision is about: a call in the file system's terms, so that no spelling of a path gets around a rule. */
import { realpathSync } from "node:fs";
import { relative, resolve, sep } from "node:path";
import { insideWorkspace, isWithin } from "../base/paths.ts";
import { type Change, modeOf } from "../base/safe-fs/image.ts";
import type { SessionState } from "../protocol/session-state.ts";
import type { Call } from "../protocol/messages.ts";
import { isContaining } from "../safety/containment.ts";
import type { Subject } from "../safety/decide.ts";
import { judgeCommand } from "../safety/judge.ts";
import { isAtLeast, type Judgement } from "../safety/judgement.ts";
import { judgeReach } from "../safety/reach.ts";
import { escapeIn, type Typed, typedInto } from "../tools/terminal/typed.ts";
import type { PreparedCall, Tool } from "../tools/tool.ts";
import type { TurnRoom } from "./room.ts";

type Job = {
  call: Call;
  tool: Tool;
  prepared: PreparedCall;
  typed?: Typed;
  judgement?: Judgement;
  stages: boolean;
};

/** Its paths both as they are written (without "." and "..") and as they are behind all symbolic links. */
export async function subjectOf(
  { call, tool, prepared, typed, judgement, stages }: Job,
  changes: readonly Change[],
  { workspace, log }: Pick<TurnRoom, "workspace" | "log">,
): Promise<Subject> {
  const places = await Promise.all(prepared.paths.map((path) => placeOf(workspace, path)));
  const directory = typed ? placeIn(workspace, typed.directory ?? workspace) : (places[0]?.real ?? ".");
  const paths = places.flatMap(({ written, real }) => (real === undefined ? [written] : [written, real]));
  const does = typed?.isLost ? "read" : (prepared.does ?? tool.does);
  const command = typed ? typed.line : prepared.command;
  const readOnly = changes.filter(isReadOnly).map(({ path }) => path);
  return {
    tool: tool.name,
    does,
    paths: [...new Set([...paths, ...changes.map((change) => change.path)])],
    ...(command === undefined ? {} : { command }),
    ...(command === undefined || directory === "." ? {} : { directory }),
    ...(judgement ? { judgement } : {}),
    ...(stages ? { stages } : {}),
    ...(prepared.token === undefined
      ? {}
      : { applies: true, ofCommand: isOfCommand(prepared.token, log.state) }),
    ...(prepared.lasting ? { lasting: true } : {}),
    ...(typed?.runsIn ? { runsIn: typed.runsIn } : {}),
    ...(typed?.program === undefined ? {} : { into: typed.program }),
    ...(readOnly.length === 0 ? {} : { readOnly }),
    guessed: [...(call.repairs ?? []), ...(prepared.repairs ?? [])].some((repair) => repair.guess === true),
  };
}

function isOfCommand(token: string, { staged, calls }: SessionState): boolean {
  const origin = staged.get(token)?.callId;
  return origin !== undefined && calls.get(origin)?.start?.does === "execute";
}

/** Only what is changed or removed: nobody has made a new file read-only yet. */
function isReadOnly({ before }: Change): boolean {
  const mode = before?.kind === "file" ? modeOf(before) : undefined;
  return mode !== undefined && (mode & 0o222) === 0;
}

type Place = { written: string; real: string | undefined };

async function placeOf(workspace: string, path: string): Promise<Place> {
  const place = await insideWorkspace(workspace, path);
  const absolute = resolve(workspace, path);
  const written = isWithin(workspace, absolute) ? relative(workspace, absolute) || "." : absolute;
  return { written: written.split(sep).join("/"), real: place.ok ? place.value.relative : undefined };
}

type Around = Pick<TurnRoom, "workspace" | "home" | "environment">;

/** What the call types into a terminal, if it does. */
export function typedBy(
  { command, typesInto }: PreparedCall,
  { terminals, ...around }: Around & Pick<TurnRoom, "terminals">,
): Typed | undefined {
  if (typesInto === undefined) return undefined;
  const typed = typedInto(terminals.get(typesInto), command);
  const isAtShell = typed.line !== undefined && typed.line === typed.text;
  const line = isAtShell ? undefined : lineBehind(typed, around);
  return line === undefined ? typed : { ...typed, line };
}

/**
 * Programs can run commands for whoever types (`!ls`), and may end before they have read all: then the shell behind them
 * gets it. What would be dangerous there counts; how much so depends on whether anything contains it.
 */
function lineBehind({ text, runsIn }: Typed, around: Omit<Around, "environment">): string | undefined {
  if (text === undefined) return undefined;
  const escaped = escapeIn(text);
  if (escaped === undefined && runsIn && isContaining(runsIn)) return undefined;
  const line = escaped ?? text;
  const { severity, destroysOutside } = judgeCommand(line, { ...around, directory: around.workspace });
  return isAtLeast(severity, escaped === undefined ? "critical" : "high") || destroysOutside
    ? line
    : undefined;
}

/** What is understood of the call's command, if it has one. At once: its place in the queue depends on it. */
export function judgementOf(
  prepared: PreparedCall,
  typed: Typed | undefined,
  around: Around,
): Judgement | undefined {
  const command = typed ? typed.line : prepared.command;
  if (command === undefined) return undefined;
  const { workspace, home, environment } = around;
  const directory = typed ? (typed.directory ?? workspace) : directoryIn(workspace, prepared.paths[0] ?? ".");
  const surroundings = { home, workspace, directory };
  const place = { around: surroundings, path: environment["PATH"] ?? "" };
  return judgeReach(judgeCommand(command, surroundings), place);
}

/** A30: what lies outside is clamped to the root. */
function directoryIn(workspace: string, path: string): string {
  try {
    const real = realpathSync.native(resolve(workspace, path));
    return isWithin(workspace, real) ? real : workspace;
  } catch {
    return workspace;
  }
}

/** A shell that is there already may stand outside. */
function placeIn(workspace: string, directory: string): string {
  const place = isWithin(workspace, directory) ? relative(workspace, directory) || "." : directory;
  return place.split(sep).join("/");
}
