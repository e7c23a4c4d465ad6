/** Describes a call in file-system terms for the decision, so that no spelling of a path gets around a rule. */

import { isAbsolute, relative, resolve, sep } from "node:path";
import { insideWorkspace, isWithin } from "../../base/paths.ts";
import { type Change, modeOf } from "../../base/safe-fs/image.ts";
import type { ToolCall, RepeatedFrom } from "../../protocol/messages.ts";
import type { SessionState } from "../../protocol/session-state.ts";
import type { Subject } from "../../safety/decide.ts";
import type { Judgement } from "../../safety/judgement.ts";
import { realPath } from "../../safety/on-disk.ts";
import type { TypedInput } from "../../tools/terminal/typed-input.ts";
import type { PreparedCall, Tool } from "../../tools/tool.ts";
import type { TurnContext } from "../turn-context.ts";

type SubjectCall = {
  call: ToolCall;
  tool: Tool;
  prepared: PreparedCall;
  typed?: TypedInput;
  judgement?: Judgement;
  stages: boolean;
};

/** Paths both as written (without "." and "..") and with all symbolic links resolved. */
export async function subjectOf(
  { call, tool, prepared, typed, judgement, stages }: SubjectCall,
  changes: readonly Change[],
  { workspace, log }: Pick<TurnContext, "workspace" | "log">,
): Promise<Subject> {
  const places = await Promise.all(prepared.paths.map((path) => placeOf(workspace, path)));
  const directory = typed ? placeIn(workspace, typed.directory ?? workspace) : (places[0]?.real ?? ".");
  const paths = places.flatMap(({ written, real }) => (real === undefined ? [written] : [written, real]));
  const does = typed?.isLost ? "read" : (prepared.does ?? tool.does);
  const command = typed ? typed.line : prepared.command;
  const watched = log.state.calls.get(call.id)?.hookAsks;
  const readOnly = changes.filter(isReadOnly).map(({ path }) => path);
  return {
    tool: tool.name,
    does,
    ...(tool.definition === undefined ? {} : { definition: tool.definition }),
    paths: [...new Set([...paths, ...changes.map((change) => change.path)])],
    ...(command === undefined ? {} : { command }),
    ...(prepared.as === undefined ? {} : { as: prepared.as }),
    ...(prepared.hosts === undefined ? {} : { hosts: prepared.hosts }),
    ...(prepared.outside?.length ? { outside: prepared.outside.map(asLedTo) } : {}),
    ...triedBefore(call, prepared, log.state),
    ...(command === undefined || directory === "." ? {} : { directory }),
    ...(judgement ? { judgement } : {}),
    ...(stages ? { stages } : {}),
    ...(prepared.token === undefined
      ? {}
      : { applies: true, ofCommand: isOfCommand(prepared.token, log.state) }),
    ...(watched === undefined ? {} : { watched }),
    ...(tool.askedEachTime === undefined ? {} : { askedEachTime: tool.askedEachTime }),
    ...(prepared.lasting ? { lasting: true } : {}),
    ...(prepared.delegates ? { delegates: true } : {}),
    ...(typed?.runsIn ? { runsIn: typed.runsIn } : {}),
    ...(typed?.program === undefined ? {} : { into: typed.program }),
    ...(readOnly.length === 0 ? {} : { readOnly }),
    ...(call.repeats === undefined ? {} : { repeats: repeatedWords(call.repeats, log.state) }),
    guessed: [...(call.repairs ?? []), ...(prepared.repairs ?? [])].some((repair) => repair.guess === true),
  };
}

/** A person is asked about the place that a link leads to. */
const asLedTo = (outside: string): string => (isAbsolute(outside) ? (realPath(outside) ?? outside) : outside);

/** An earlier run of the same command that the sandbox refused something. */
function triedBefore(
  { id }: ToolCall,
  { command, title }: PreparedCall,
  { calls }: SessionState,
): Pick<Subject, "tried"> {
  if (command === undefined) return {};
  for (const known of [...calls.values()].toReversed()) {
    if (known.call.id === id || known.start?.title !== title) continue;
    const refused = known.result?.refused ?? [];
    if (refused.length > 0) return { tried: { refused, changed: known.applied?.changes.length ?? 0 } };
  }
  return {};
}

function repeatedWords(from: RepeatedFrom, { calls }: SessionState): string {
  if ("file" in from) return `the attached ${from.file}`;
  const known = calls.get(from.callId);
  const title = known?.start?.title ?? "";
  return `the result of ${title === "" ? (known?.call.name ?? "a call") : title}`;
}

function isOfCommand(token: string, { staged, calls }: SessionState): boolean {
  const origin = staged.get(token)?.callId;
  return origin !== undefined && calls.get(origin)?.start?.does === "execute";
}

/** Applies only to changes and deletions: a new file has no read-only mode yet. */
function isReadOnly({ before }: Change): boolean {
  const mode = before?.kind === "file" ? modeOf(before) : undefined;
  return mode !== undefined && (mode & 0o222) === 0;
}

type WrittenPath = { written: string; real: string | undefined };

async function placeOf(workspace: string, path: string): Promise<WrittenPath> {
  const place = await insideWorkspace(workspace, path);
  const absolute = resolve(workspace, path);
  const written = isWithin(workspace, absolute) ? relative(workspace, absolute) || "." : absolute;
  return { written: written.split(sep).join("/"), real: place.ok ? place.value.relative : undefined };
}

/** The shell of an existing terminal may be outside the workspace. */
function placeIn(workspace: string, directory: string): string {
  const place = isWithin(workspace, directory) ? relative(workspace, directory) || "." : directory;
  return place.split(sep).join("/");
}
