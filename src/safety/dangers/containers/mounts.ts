/** Directories of this machine that are mounted into a container, which can then access them. */

import { posix } from "node:path";
import { isUnknown, type Word, withText } from "../../command-line/word.ts";
import { danger } from "../effect-makers.ts";
import type { Effect, Mount } from "../effect.ts";
import { isEngineSocket } from "../parts.ts";
import type { Around, Use } from "../program.ts";

/** `-v source:target[:ro]`, or `--mount type=bind,source=/x,target=/y,readonly`. */
function mountIn(word: Word): Mount | undefined {
  const field = (names: string): string | undefined =>
    new RegExp(`(?:^|,)(?:${names})(?:=|$|(?=,))([^,]*)`, "u").exec(word.text)?.[1];
  const given = field("source|src");
  if (given !== undefined) {
    const mode = field("readonly|ro");
    const isReadOnly = mode !== undefined && mode !== "false";
    return { source: withText(word, given), at: field("target|destination|dst") ?? "", isReadOnly };
  }
  const [source = "", at = "", ...access] = word.text.split(":");
  const isReadOnly = /(?:^|,)ro(?:,|$)/u.test(access.join(":"));
  return at === "" ? undefined : { source: withText(word, source), at, isReadOnly };
}

export function mountEffects(volume: Word, around: Around): Effect[] {
  const mount = mountIn(volume);
  if (mount) return sharedPlaceEffects(mount.source, { isReadOnly: mount.isReadOnly, around });
  return isUnknown(volume) ? [unknownMount] : [];
}

/** The directories of this machine that a container sees, and where. A name without a slash is the engine's own. */
export const mountsOf = (use: Use): Mount[] =>
  use.values("v", "volume", "mount").flatMap((word) => {
    const mount = mountIn(word);
    if (!mount?.at.startsWith("/") || !/^[./~\0]/u.test(mount.source.text)) return [];
    return [{ ...mount, at: posix.normalize(mount.at) }];
  });

const unknownMount = danger("high", "which directory the container gets is only known when it runs");

export function sharedPlaceEffects(
  source: Word,
  { isReadOnly, around }: { isReadOnly: boolean; around: Around },
): Effect[] {
  if (isEngineSocket(source))
    return [danger("critical", "it gives the container engine away, which is root on this machine")];
  if (isUnknown(source) && !/^[./~]/u.test(source.text))
    return [unknownMount, { type: "reads", path: source }];
  if (!/^[./~\0]|^[A-Za-z]:[\\/]/u.test(source.text)) return [];
  const path = absolute(source.text, around);
  const isWhole = path !== undefined && isWholePlace(path, { isReadOnly, home: around.home });
  return [
    ...(isWhole ? [danger("critical", "it gives the container a whole part of this machine")] : []),
    isReadOnly ? { type: "reads", path: source } : { type: "writes", path: source, how: "edits" },
    { type: "reads", path: source },
  ];
}

function absolute(text: string, { home, directory }: Around): string | undefined {
  if (text.startsWith("~")) return posix.normalize(text.replace(/^~(?=\/|$)/u, home));
  if (text.startsWith("/")) return posix.normalize(text);
  return directory === undefined ? undefined : posix.join(directory, text);
}

const systemPlaces =
  /^\/(?:etc|usr|bin|sbin|lib|lib32|lib64|boot|sys|proc|dev|root|var|run|opt|private|System|Library)(?:\/|$)/u;
const rootPlaces =
  /^\/(?:root|boot|proc|sys|dev|var\/run|run|var\/lib(?:\/docker|\/kubelet|\/containers)?|etc\/kubernetes)?$/u;

/** Root, the whole home directory, the machine's own places, or any part of the system to change. */
function isWholePlace(path: string, { isReadOnly, home }: { isReadOnly: boolean; home: string }): boolean {
  const place = path.length > 1 ? path.replace(/(?<!\/)\/+$/u, "") : path;
  const isHome = place === home || home.startsWith(`${place}/`);
  return isHome || rootPlaces.test(place) || (!isReadOnly && systemPlaces.test(place));
}
