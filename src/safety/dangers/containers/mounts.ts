/** Directories of this machine that are mounted into a container, which can then access them. */

import { posix } from "node:path";
import { isUnknown, type Word, withText } from "../../command-line/word.ts";
import { danger } from "../effect-makers.ts";
import type { Effect, Mount } from "../effect.ts";
import { cutAt, isEngineSocket } from "../parts.ts";
import type { Around, Use } from "../program.ts";

/** `-v source:target[:ro]`. A source without a slash is a volume managed by the engine. */
export function mounted(volume: Word, around: Around): Effect[] {
  const parts = cutAt(volume, ":");
  if (!parts || parts.after.text === "") return isUnknown(volume) ? [unknownMount] : [];
  const access = parts.after.text.split(":").slice(1).join(":");
  return given(parts.before, { isReadOnly: /(?:^|,)ro(?:,|$)/u.test(access), around });
}

/** The directories of this machine that a container sees, and where. */
export const mountsOf = (use: Use): Mount[] => [
  ...use.values("v", "volume").flatMap(mountOfVolume),
  ...use.values("mount").flatMap(mountOfSettings),
];

function mountOfVolume(volume: Word): Mount[] {
  const parts = cutAt(volume, ":");
  if (!parts) return [];
  const [at = "", access = ""] = parts.after.text.split(":");
  return mountOf(parts.before, at, /(?:^|,)ro(?:,|$)/u.test(access));
}

function mountOfSettings(settings: Word): Mount[] {
  const fields = new Map(settings.text.split(",").map((field) => splitField(field)));
  const source = fields.get("source") ?? fields.get("src");
  const at = fields.get("target") ?? fields.get("destination") ?? fields.get("dst");
  if (source === undefined || at === undefined) return [];
  const mode = fields.get("readonly") ?? fields.get("ro");
  return mountOf(withText(settings, source), at, mode !== undefined && mode !== "false");
}

/** A name without a slash is a volume managed by the engine. */
const mountOf = (source: Word, at: string, isReadOnly: boolean): Mount[] =>
  at.startsWith("/") && /^[./~\0]/u.test(source.text)
    ? [{ source, at: posix.normalize(at), isReadOnly }]
    : [];

/** `--mount type=bind,source=/x,target=/y,readonly`. */
export function mountedBySettings(settings: Word, around: Around): Effect[] {
  const fields = new Map(settings.text.split(",").map((field) => splitField(field)));
  const source = fields.get("source") ?? fields.get("src");
  if (source === undefined) return [];
  const mode = fields.get("readonly") ?? fields.get("ro");
  const isVolume =
    fields.get("type") === "volume" || (fields.get("type") === undefined && !source.includes("/"));
  return isVolume
    ? []
    : given(withText(settings, source), { isReadOnly: mode !== undefined && mode !== "false", around });
}

const splitField = (field: string): [string, string] => {
  const at = field.indexOf("=");
  return at < 0 ? [field, ""] : [field.slice(0, at), field.slice(at + 1)];
};

const unknownMount = danger("high", "which directory the container gets is only known when it runs");

export function given(
  source: Word,
  { isReadOnly, around }: { isReadOnly: boolean; around: Around },
): Effect[] {
  if (isEngineSocket(source))
    return [danger("critical", "it gives the container engine away, which is root on this machine")];
  if (isUnknown(source) && !/^[./~]/u.test(source.text))
    return [unknownMount, { type: "reads", path: source }];
  if (!/^[./~\0]|^[A-Za-z]:[\\/]/u.test(source.text)) return [];
  const path = absolute(source.text, around);
  const what = path === undefined ? undefined : wholePlace(path, { isReadOnly, home: around.home });
  return [
    ...(what === undefined ? [] : [danger("critical", `it gives the container ${what}`)]),
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

function wholePlace(
  path: string,
  { isReadOnly, home }: { isReadOnly: boolean; home: string },
): string | undefined {
  const place = path.length > 1 ? path.replace(/(?<!\/)\/+$/u, "") : path;
  if (place === "/") return "the whole machine";
  if (place === home || home.startsWith(`${place}/`)) return "your whole home directory";
  if (rootPlaces.test(place)) return "the machine's own directories";
  return !isReadOnly && systemPlaces.test(place) ? "a directory of the system to change" : undefined;
}
