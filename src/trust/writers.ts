/**
 * Running commands that can write, recorded for every Toolwright process with what each of them cannot change. A command
 * is recorded before it reads what is trusted, and a trusted item looks here after it was approved: so either the
 * command sees the approval, or the item sees the command.
 */

import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { mostStateFileBytes } from "../base/bounds.ts";
import { randomHex } from "../base/crypto.ts";
import { type Expected, errorMessage, refuse } from "../base/expected.ts";
import { isObject, parseJson } from "../base/json.ts";
import { isWithin } from "../base/paths.ts";
import { makeDirectorySync } from "../base/safe-fs/own-files.ts";
import { readSmallFile } from "../base/safe-fs/small-file.ts";
import type { Profile } from "../protocol/fact-words.ts";
import { namesIn } from "../safety/on-disk.ts";
import { type HeldPlace, heldPlaces, isAround, placesWithin } from "../safety/sandbox/held-places.ts";
import { liveDirectories, ownDirectory } from "../safety/sandbox/runs.ts";
import { heldByTrust } from "./held-files.ts";

/** The time that an item waits for a command that is just being started, in milliseconds. */
const startingMs = 2_000;

type WritingCommand = { workspace: string; profile: Profile; command: string };

/** `holds`: by path, what stood there when the command began, and how it was held. Undefined: it is just starting. */
type Writer = WritingCommand & { id: string; holds?: ReadonlyMap<string, string> };

/** `held`: what the command must be kept from changing; call `ended` when it can change nothing any more. */
export function recordWriter(
  stateDir: string,
  writing: WritingCommand,
): Expected<{ held: string[]; ended: () => void }> {
  const directory = join(ownDirectory(stateDir), "writers");
  const id = randomHex(8);
  const path = join(directory, id);
  const write = (record: object): void => writeFileSync(path, JSON.stringify(record), { mode: 0o600 });
  try {
    makeDirectorySync(directory, 0o700);
    const command = writing.command.slice(0, longestCommand).toWellFormed();
    write({ ...writing, command });
    const held = heldByTrust(stateDir);
    const places = placesWithin(heldPlaces(held), writing);
    // What another command can still change may be exchanged before it is mounted.
    const others = writersNow(stateDir).filter((one) => one.id !== id);
    const sure = places.filter((place) => others.every((other) => couldNot(other, place)));
    write({ ...writing, command, holds: sure.map((place) => [place.path, markOf(place)]) });
    return { ok: true, value: { held, ended: () => rmSync(path, { force: true }) } };
  } catch (error) {
    rmSync(path, { force: true });
    const problem = `The command was not run, because it could not be recorded: ${errorMessage(error)}.`;
    return refuse(problem);
  }
}

const longestCommand = 200;

/** Why something that runs these paths may not start now, in words that follow "because". Paths are absolute. */
export async function whyChangeable(stateDir: string, paths: readonly string[]): Promise<string | undefined> {
  if (paths.length === 0) return undefined;
  const places = heldPlaces(paths);
  const linked = places.find(({ links }) => links > 1);
  if (linked)
    return `${linked.path} is one file under several names (hard links), so it could be changed under another: make it a file of its own, with \`cp\` and \`mv\``;
  const until = Date.now() + startingMs;
  for (;;) {
    const able = writersNow(stateDir).filter((writer) => places.some((place) => !couldNot(writer, place)));
    const [writer] = able.filter(({ holds }) => holds !== undefined || Date.now() >= until);
    if (writer)
      return `the command \`${writer.command}\`, begun before this was approved or last changed, still runs and could change it: end that command first`;
    if (able.length === 0) return undefined;
    await delay(2);
  }
}

const markOf = ({ as, identity }: HeldPlace): string => `${as} ${identity}`;

function couldNot(writer: Writer, place: HeldPlace): boolean {
  if (isAround(place, writer)) return false;
  if (placesWithin([place], writer).length === 0) return true;
  if (writer.holds?.get(place.path) === markOf(place)) return true;
  return [...(writer.holds ?? [])].some(
    ([path, mark]) => mark.startsWith("whole ") && path !== place.path && isWithin(path, place.path),
  );
}

function writersNow(stateDir: string): Writer[] {
  return liveDirectories(stateDir).flatMap((run) => {
    const directory = join(run, "writers");
    return namesIn(directory).flatMap((id) => writerAt(join(directory, id), id) ?? []);
  });
}

/** One that cannot be read is just being written; undefined if it has ended. */
function writerAt(path: string, id: string): Writer | undefined {
  const read = readSmallFile(path, mostStateFileBytes);
  if (read.ok && read.value === undefined) return undefined;
  const json = read.ok && read.value ? parseJson(new TextDecoder().decode(read.value)) : undefined;
  if (!json?.ok || !isObject(json.value)) return { id, workspace: "/", profile: "open", command: "…" };
  const { workspace, profile, command, holds } = json.value;
  return {
    id,
    workspace: typeof workspace === "string" ? workspace : "/",
    profile: profile === "build" || profile === "git" || profile === "install" ? profile : "open",
    command: typeof command === "string" ? command : "…",
    ...(Array.isArray(holds) ? { holds: new Map(holds.flatMap(holdOf)) } : {}),
  };
}

const holdOf = (one: unknown): [string, string][] =>
  Array.isArray(one) ? [[String(one[0]), String(one[1])]] : [];
