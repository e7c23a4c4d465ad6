/** What a decision is about: a call in the file system's terms, so that no spelling of a path gets around a rule. */
import { realpathSync } from "node:fs";
import { relative, resolve, sep } from "node:path";
import { insideWorkspace, isWithin } from "../base/paths.ts";
import type { Call } from "../protocol/messages.ts";
import type { Subject } from "../safety/decide.ts";
import { judgeCommand } from "../safety/judge.ts";
import type { Judgement } from "../safety/judgement.ts";
import { judgeReach } from "../safety/reach.ts";
import type { Change } from "../tools/change.ts";
import type { PreparedCall, Tool } from "../tools/tool.ts";
import type { TurnRoom } from "./room.ts";

type Job = { call: Call; tool: Tool; prepared: PreparedCall; judgement?: Judgement };

/** Its paths both as they are written (without "." and "..") and as they are behind all symbolic links. */
export async function subjectOf(
  { call, tool, prepared, judgement }: Job,
  changes: readonly Change[],
  { workspace }: Pick<TurnRoom, "workspace">,
): Promise<Subject> {
  const places = await Promise.all(prepared.paths.map((path) => placeOf(workspace, path)));
  const directory = places[0]?.real ?? ".";
  const paths = places.flatMap(({ written, real }) => (real === undefined ? [written] : [written, real]));
  const { command } = prepared;
  return {
    tool: tool.name,
    does: tool.does,
    paths: [...new Set([...paths, ...changes.map((change) => change.path)])],
    ...(command === undefined ? {} : { command }),
    ...(command === undefined || directory === "." ? {} : { directory }),
    ...(judgement ? { judgement } : {}),
    guessed: [...(call.repairs ?? []), ...(prepared.repairs ?? [])].some((repair) => repair.guess === true),
  };
}

type Place = { written: string; real: string | undefined };

async function placeOf(workspace: string, path: string): Promise<Place> {
  const place = await insideWorkspace(workspace, path);
  const absolute = resolve(workspace, path);
  const written = isWithin(workspace, absolute) ? relative(workspace, absolute) || "." : absolute;
  return { written: written.split(sep).join("/"), real: place.ok ? place.value.relative : undefined };
}

type Around = Pick<TurnRoom, "workspace" | "home" | "environment">;

/** What is understood of the call's command, if it has one. At once: its place in the queue depends on it. */
export function judgementOf({ command, paths }: PreparedCall, around: Around): Judgement | undefined {
  if (command === undefined) return undefined;
  const { workspace, home, environment } = around;
  const directory = directoryIn(workspace, paths[0] ?? ".");
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
