/** Classifies a path by its place, which decides how severe it is to write, delete or read there. */

import { basename, dirname } from "node:path/posix";
import { starPattern } from "../../base/star-pattern.ts";
import { absolutePath } from "../command-line/shell.ts";
import { type Flow, unknown } from "../command-line/word.ts";
import { namesIn } from "../dangers/parts.ts";
import type { Around } from "../dangers/program.ts";
import { isSecretAtHome } from "../sandbox/home-index.ts";
import { secretPlaces } from "../secret-places.ts";
import { canonicalName, mayMatch } from "./names.ts";
import {
  type PlaceRow,
  publicNames,
  regenerable,
  secretAnywhere,
  trustedAnywhere,
  trustedAtHome,
} from "./place-rows.ts";
import { labelAnywhere, labelOf, placeTable } from "./place-table.ts";

const trusted = { atHome: placeTable(trustedAtHome), anywhere: placeTable(trustedAnywhere) };
/** Of those that a path names by itself. */
const secretsBelow = (root: string): PlaceRow[] =>
  secretPlaces.flatMap(({ path, label }) =>
    label !== undefined && path.startsWith(root) ? [{ path: path.slice(root.length), label }] : [],
  );

const secret = {
  atHome: placeTable(secretsBelow("~/")),
  anywhere: placeTable(secretAnywhere),
  inSystem: placeTable(secretsBelow("/")),
};
/** Pattern characters of a name count as letters here: all that it may stand for is to be public. */
const isPublic = publicNames.map(starPattern);
const hidden = placeTable(trustedAtHome.filter(({ path }) => path.startsWith(".")));
const madeAgain = placeTable(regenerable);

/** The kinds of places, roughly from the outside in. */
export type PlaceKind =
  | "nothing" // /dev/null and the like
  | "network" // /dev/tcp/host/port
  | "device"
  | "kernel" // /proc, /sys
  | "root"
  | "system"
  | "temporary"
  | "home" // a whole home directory, or all of them
  | "at-home" // a file or directory directly in a home directory
  | "in-home"
  | "workspace" // the root of the workspace
  | "above-workspace"
  | "in-workspace"
  | "git" // .git and everything in it
  | "elsewhere"
  | "unknown";

export type PathPlace = {
  readonly kind: PlaceKind;
  /** For display: the path, with "…" for unknown parts. */
  readonly shown: string;
  /** Absolute, if known; patterns and unknown names stay in it. */
  readonly path: string | undefined;
  /** Not the place itself is meant but everything in it, or an entry whose name is unknown. */
  readonly isContents: boolean;
  readonly trust?: string;
  readonly secret?: string;
  readonly isRegenerable: boolean;
  /** A directory next to the workspace could have this name. */
  readonly isBeside?: boolean;
};

/** Classifies a path as a program receives it. Never throws. */
export function placeOf(text: string, around: Around): PathPlace {
  const shown = text.replaceAll(unknown, "…");
  const path = resolvePath(text, around);
  if (path === undefined)
    return {
      kind: "unknown",
      shown,
      path,
      isContents: false,
      isRegenerable: false,
      ...qualitiesByName(text),
    };
  const names = path.split("/").filter((name) => name !== "");
  const last = names.at(-1) ?? "";
  const isContents = names.length > 0 && coversAll(last);
  const inner = isContents ? names.slice(0, -1) : names;
  const kind = kindOf(inner, { isContents, around });
  return {
    kind,
    shown,
    path,
    isContents,
    ...qualities(inner, around),
    isRegenerable: isMadeAgain(inner, around),
    isBeside: besides.has(kind) && !/^\.|[*?[\0]/u.test(last) && dirname(path) === dirname(around.workspace),
  };
}

const besides: ReadonlySet<PlaceKind> = new Set(["at-home", "in-home", "elsewhere", "temporary"]);

/** Absolute, possibly with unknown names in it; undefined if its beginning is unknown. */
function resolvePath(text: string, { home, directory }: Around): string | undefined {
  const plain = text.replace(/^file:\/\//u, "");
  if (plain.startsWith(unknown)) return undefined;
  // A program gets "~" only from quotes or code, and some expand it themselves.
  const expanded = plain === "~" || plain.startsWith("~/") ? home + plain.slice(1) : plain;
  return absolutePath(expanded.replaceAll(unknown, unknownName), directory)?.replaceAll(unknownName, unknown);
}

const unknownName = "\u{10FFFC}";

/** `*`, `.*`, `**` or a completely unknown name: any entry may be meant. */
const coversAll = (name: string): boolean =>
  name === unknown || (name.includes("*") && /^[.*?]*(?:\[[!^]?\.\])?[.*?]*$/u.test(name));

const systemTop =
  namesIn(`bin boot dev etc lib lib32 lib64 libx32 opt proc root run sbin srv sys usr var System Library
    Applications Volumes private cores nix snap efi mnt media lost+found Users home tmp`);
const systemOwned = new Set(
  namesIn("bin boot etc lib lib32 lib64 libx32 run sbin usr System Library Applications nix snap efi"),
);

type KindContext = { isContents: boolean; around: Around };

function kindOf(names: readonly string[], asked: KindContext): PlaceKind {
  const [top = ""] = names;
  if (names.length === 0) return "root";
  const kinds = topsLike(top).map((name) => kindBelow([name, ...names.slice(1)], asked));
  return kinds.find((kind) => gravest.includes(kind)) ?? kinds[0] ?? "elsewhere";
}

const gravest: readonly PlaceKind[] = ["root", "home", "system", "device"];

/** The top-level directories that a pattern may match. */
const topsLike = (top: string): readonly string[] => {
  if (!/[*?[]/u.test(top)) return [top];
  const found = systemTop.filter((name) => mayMatch(top, name));
  return found.length > 0 ? found : [top];
};

function kindBelow(names: readonly string[], asked: KindContext): PlaceKind {
  const { around } = asked;
  const [top = "", second = ""] = names;
  const path = `/${names.join("/")}`;
  if (top === "dev") return deviceKind(names);
  if (top === "proc" || top === "sys") return "kernel";
  const inWorkspace = workspaceKind(path, names, around);
  if (inWorkspace && inWorkspace !== "above-workspace") return inWorkspace;
  const home = homeDepth(names, around);
  if (home !== undefined) return home;
  if (inWorkspace) return inWorkspace;
  if (isTemporary(names)) return "temporary";
  if (systemOwned.has(top)) return "system";
  if (top === "var") return second === "www" || second === "log" ? "elsewhere" : "system";
  if (names.length === 1 && systemTop.includes(top)) return "system";
  return "elsewhere";
}

function deviceKind(names: readonly string[]): PlaceKind {
  const [, name = ""] = names;
  if (names.length === 1) return "system";
  if (/^(?:null|zero|full|u?random|stdin|stdout|stderr|tty|fd|ptmx|console)$/u.test(name)) return "nothing";
  if (name === "tcp" || name === "udp") return "network";
  if (name === "shm" || name === "mqueue") return "temporary";
  return /^pts$/u.test(name) ? "nothing" : "device";
}

function workspaceKind(path: string, names: readonly string[], { workspace }: Around): PlaceKind | undefined {
  if (path === workspace) return "workspace";
  if (
    names.some(isGitName) &&
    (path.startsWith(`${workspace}/`) || names.some((name) => canonicalName(name) === ".git"))
  )
    return "git";
  if (workspace !== "/" && path.startsWith(`${workspace}/`)) return "in-workspace";
  return workspace.startsWith(path === "/" ? path : `${path}/`) ? "above-workspace" : undefined;
}

const isGitName = (name: string): boolean =>
  canonicalName(name) === ".git" || (mayMatch(name, ".git") && name !== unknown && !/^[*?]+$/u.test(name));

function homeDepth(names: readonly string[], { home }: Around): PlaceKind | undefined {
  const own = home.split("/").filter((name) => name !== "");
  const isOwn =
    own.length > 0 &&
    own.every(
      (name, at) => names[at] === name || (names[at]?.includes("*") && mayMatch(names[at] ?? "", name)),
    );
  const depth = isOwn ? names.length - own.length : depthOfOthers(names);
  if (depth === undefined) return undefined;
  if (depth <= 0) return "home";
  return depth === 1 ? "at-home" : "in-home";
}

/** Other users' home directories count, too: their files are not ours to delete. */
function depthOfOthers([top = "", ...rest]: readonly string[]): number | undefined {
  if (top === "root") return rest.length;
  if (top !== "home" && top !== "Users") return undefined;
  return rest.length - 1;
}

const isTemporary = ([top = "", second = "", third = ""]: readonly string[]): boolean => {
  if (top === "tmp" || (top === "var" && second === "tmp")) return true;
  return (
    top === "private" && (second === "tmp" || second === "var") && (second === "tmp" || third === "folders")
  );
};

/** Whether it is a shared temporary directory itself, rather than something in it. */
export const isTemporaryRoot = ({ path = "", isContents }: PathPlace): boolean =>
  !isContents && /^\/(?:private\/)?(?:tmp|var\/tmp|var\/folders|dev\/shm)$/u.test(path);

type Qualities = Pick<PathPlace, "trust" | "secret">;

function qualities(names: readonly string[], around: Around): Qualities {
  const atHome = belowHome(names, around);
  const trust = (atHome && labelOf(trusted.atHome, atHome)) ?? labelAnywhere(trusted.anywhere, names);
  return { ...(trust === undefined ? {} : { trust }), ...secretOf(names, atHome, around) };
}

function secretOf(
  names: readonly string[],
  atHome: readonly string[] | undefined,
  { workspace }: Around,
): Pick<PathPlace, "secret"> {
  const last = names.at(-1)?.toLowerCase() ?? "";
  if (isPublic.some((fits) => fits(last))) return {};
  const isOurs = `/${names.join("/")}/`.startsWith(`${workspace}/`);
  const label =
    (atHome && (labelOf(secret.atHome, atHome) ?? (isOurs ? undefined : labelByRule(atHome)))) ??
    labelOf(
      secret.inSystem,
      names.map((name) => name.replaceAll(unknown, "0")),
    ) ??
    labelAnywhere(secret.anywhere, names);
  return label === undefined ? {} : { secret: label };
}

/** Patterns that may mean anything say nothing about secrets. */
const labelByRule = (atHome: readonly string[]): string | undefined =>
  !atHome.some((name) => /[*?[\]]/u.test(name) || name.includes(unknown)) && isSecretAtHome(atHome, "by-name")
    ? "a place that holds secrets"
    : undefined;

/** Classifies a relative path in an unknown directory by its names alone. */
function qualitiesByName(text: string): Qualities {
  const names = text.split("/").filter((name) => name !== "" && name !== unknown);
  const [first = ""] = names;
  if (first === "" || /^[*?.]+$/u.test(first)) return {};
  const label = labelAnywhere(secret.anywhere, names) ?? labelOf(secret.atHome, names);
  const trust = labelAnywhere(trusted.anywhere, names) ?? labelOf(hidden, names);
  return { ...(trust === undefined ? {} : { trust }), ...(label === undefined ? {} : { secret: label }) };
}

/** The path's names below a home directory, if it lies in one. */
function belowHome(names: readonly string[], { home }: Around): readonly string[] | undefined {
  const own = home.split("/").filter((name) => name !== "");
  if (own.length > 0 && own.every((name, at) => mayMatch(names[at] ?? "", name)))
    return names.slice(own.length);
  const depth = depthOfOthers(names);
  return depth === undefined ? undefined : names.slice(names.length - Math.max(0, depth));
}

function isMadeAgain(names: readonly string[], { workspace }: Around): boolean {
  const root = workspace.split("/").filter((name) => name !== "");
  const inside = root.every((name, at) => names[at] === name) ? names.slice(root.length) : [];
  return labelAnywhere(madeAgain, inside) !== undefined;
}

export const nameOf = (place: PathPlace): string => basename(place.path ?? place.shown);

/** What the content of a file at this place carries. */
export function flowsOfPlace({
  kind,
  secret,
  path = "",
}: Pick<PathPlace, "kind" | "secret" | "path">): readonly Flow[] {
  if (/^\/dev\/(?:zero|full|u?random)$/u.test(path)) return ["endless"];
  if (secret !== undefined) return ["secret"];
  if (kind === "network") return ["network"];
  return privateKinds.has(kind) ? ["private"] : [];
}

const privateKinds: ReadonlySet<PlaceKind> = new Set([
  "home",
  "at-home",
  "in-home",
  "elsewhere",
  "root",
  "kernel",
]);
