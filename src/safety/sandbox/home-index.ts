/** Finds the places in a home directory that hold secrets by rule. Looks again only at what has changed. */

import { type Dirent, lstatSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { madeOnce } from "../../base/last-made.ts";
import { isWithin } from "../../base/paths.ts";
import { lastingSignature } from "../../base/safe-fs/status.ts";
import { isEnvironmentFile } from "../environment-files.ts";
import { isDirectory, realPath, statusOf } from "../on-disk.ts";
import { skippedDirectories } from "./protected-places.ts";
import { isSecretDirectory, isSecretName, shownAs } from "./secret-rules.ts";
import { type Secret, secrets } from "./secrets.ts";

/** Absolute paths. */
type HomeIndex = { look(): readonly Secret[] };

/** `settings`: below a dot directory of the home, where every file is judged; `plain`: only by name. */
type DirectoryKind = "settings" | "plain";
type HomeStep = { path: string; kind: DirectoryKind; depth: number };
type JudgedFile = { signature: string; shown: Secret["shown"] | undefined };
type HomeDirectory = { signature: string | undefined; names: Dirent[]; files: Map<string, JudgedFile> };

const mostDirectories = { settings: 1_200, plain: 800 } as const;
const deepest = { settings: 5, plain: 4 } as const;
/** A directory with more is data: its files are judged by their names only. */
const mostFiles = 400;
/** A directory of a program's own with more hidden files is hidden whole. */
const mostHidden = 24;

/** What programs fetch, build or install for themselves: many files, and builds need them. */
const fetched =
  /^\.?(?:cache[sd]?\w*|.*cache|node_modules|registry|packages|repository|versions|installs?|toolchains?|s?bin|lib\w*|include|src|sdks?|pkg|mod|dists?|store|downloads?|extensions|themes|fonts|icons|applications|man|docs?|locale|shims|git|models|blobs|snapshots|logs?|objects|wrapper|daemon|native|site-packages|python.*|lazy|mason|trash|gems|rubies|env(?:ironment)?s|virtualenvs|venvs?|tools|crashpad|shadercache)$/iu;
const ordinaryNames =
  /^(?:lib|tools?|src|pkg|mod|include|docs?|env(?:ironment)?s|store|models|daemon|native|man)$/iu;
/** Of these only the first level is looked at. */
const runtimes = new Set(
  `.rustup .nvm .pyenv .rbenv .nodenv .goenv .jenv .volta .asdf .sdkman .deno .bun .cabal .stack .ghcup .opam .elan
  .juliaup .npm .pnpm-store .yarn .gradle .m2 .ivy2 .sbt .nuget .dotnet .android .oh-my-zsh .vscode-server .vim .emacs.d
  .rye .pixi .conda .mix .hex .conan .vcpkg .platformio .espressif .cargo .swiftpm .local .rubies .agents .agent`.split(
    /\s+/u,
  ),
);
/** Settings and state of programs that keep to the XDG directories. */
const roots = [".config", ".local/share", ".local/state", "Library/Application Support"];

/**
 * A look that took long is not repeated for `patience` times as long: commands cannot change the home, so only what a
 * person does meanwhile is seen later.
 */
export function indexHome(home: string, workspace: string, patience = 20): HomeIndex {
  const known = new Map<string, HomeDirectory>();
  const rows = new Set(
    secrets.flatMap(({ path }) => (path.startsWith("~/") ? [join(home, path.slice(2))] : [])),
  );
  let last: { found: readonly Secret[]; until: number } | undefined;
  return {
    look() {
      const begun = performance.now();
      if (last && begun < last.until) return last.found;
      const search: HomeSearch = {
        home,
        known,
        rows,
        workspace,
        found: [],
        ownerOnlyIsUsual: hidesAll(home),
      };
      walk(stepsFrom(home, search), search);
      const now = performance.now();
      last = { found: search.found, until: now + (now - begun) * patience };
      return search.found;
    },
  };
}

/** The one of this process. */
export const knownHome = madeOnce(64, (home: string, workspace: string) => indexHome(home, workspace));

type HomeSearch = {
  home: string;
  known: Map<string, HomeDirectory>;
  rows: ReadonlySet<string>;
  workspace: string;
  found: Secret[];
  ownerOnlyIsUsual: boolean;
};

/** With a umask of 077 every file is its owner's only, which then says nothing. */
function hidesAll(home: string): boolean {
  const modes = [
    ".bashrc",
    ".profile",
    ".bash_profile",
    ".zshrc",
    ".gitconfig",
    ".vimrc",
    ".inputrc",
  ].flatMap((name) => lstatSync(join(home, name), { throwIfNoEntry: false })?.mode ?? []);
  return modes.length > 1 && modes.every((mode) => (mode & 0o077) === 0);
}

function stepsFrom(home: string, search: HomeSearch): HomeStep[] {
  const top = directoryAt(home, search);
  if (top === undefined) return [];
  judgeFiles({ path: home, kind: "settings", depth: 0 }, top, search, isOfHome);
  const below = top.names.filter((entry) => entry.isDirectory());
  const links = top.names.filter(
    (entry) =>
      entry.isSymbolicLink() &&
      /^\.(?!config$)/u.test(entry.name) &&
      !runtimes.has(entry.name) &&
      !fetched.test(entry.name),
  );
  const dots = below.filter(({ name }) => name.startsWith(".") && name !== ".config");
  return [
    ...roots.map((name): HomeStep => ({
      path: targetAtHome(join(home, name), search) ?? join(home, name),
      kind: "settings",
      depth: 1,
    })),
    ...links.flatMap(({ name }) =>
      behindLink(join(home, name), { path: home, kind: "settings", depth: 0 }, search),
    ),
    ...dots.map(({ name }): HomeStep => ({
      path: join(home, name),
      kind: "settings",
      depth: runtimes.has(name) || fetched.test(name) ? deepest.settings : 1,
    })),
    ...below
      .filter(({ name }) => !name.startsWith("."))
      .map(({ name }): HomeStep => ({ path: join(home, name), kind: "plain", depth: 1 })),
  ];
}

const isOfHome = (name: string): boolean => name.startsWith(".") || isEnvironmentFile(name);

/** Level by level, so that a cap never leaves out what is near the home. */
function walk(first: readonly HomeStep[], search: HomeSearch): void {
  const left = { ...mostDirectories } as Record<DirectoryKind, number>;
  let level = first;
  while (level.length > 0) {
    level = level.flatMap((step) => {
      const isOurs = search.rows.has(step.path) || step.path === search.workspace;
      if (isOurs || (left[step.kind] -= 1) < 0) return [];
      return visit(step, search);
    });
  }
}

function visit(step: HomeStep, search: HomeSearch): HomeStep[] {
  const directory = directoryAt(step.path, search);
  if (directory === undefined) return [];
  if (step.kind === "settings" && isSecretDirectory(basename(step.path))) {
    search.found.push({ path: step.path, shown: "hidden" });
    return [];
  }
  const before = search.found.length;
  judgeFiles(step, directory, search, () => true);
  // Each hidden place costs a mount.
  if (step.kind === "settings" && search.found.length - before > mostHidden) {
    search.found.splice(before, Infinity, { path: step.path, shown: "hidden" });
    return [];
  }
  if (step.depth >= deepest[step.kind]) return [];
  return directory.names.flatMap((entry): HomeStep[] => {
    const path = join(step.path, entry.name);
    if (skippedDirectories.has(entry.name) || isFetched(entry.name, step.path, search)) return [];
    if (entry.isSymbolicLink()) return step.kind === "settings" ? behindLink(path, step, search) : [];
    if (!entry.isDirectory()) return [];
    return [{ path, kind: step.kind, depth: step.depth + 1 }];
  });
}

/** The managers of dot files keep a directory elsewhere in the home. */
function behindLink(path: string, { depth }: HomeStep, search: HomeSearch): HomeStep[] {
  const target = targetAtHome(path, search);
  if (target === undefined || !isDirectory(target)) return [];
  if (!isSecretDirectory(basename(path))) return [{ path: target, kind: "settings", depth: depth + 1 }];
  search.found.push({ path: target, shown: "hidden" });
  return [];
}

function fileAt(path: string, entry: Dirent, search: HomeSearch): string | undefined {
  if (entry.isFile() || !entry.isSymbolicLink()) return entry.isFile() ? path : undefined;
  const target = targetAtHome(path, search);
  return target !== undefined && statusOf(target)?.isFile() ? target : undefined;
}

/** Where the link leads, if that lies in the home and neither holds the workspace nor is in it. */
function targetAtHome(
  path: string,
  { home, workspace }: Pick<HomeSearch, "home" | "workspace">,
): string | undefined {
  const target = realPath(path);
  if (target === undefined || target === home || !isWithin(home, target)) return undefined;
  return isWithin(workspace, target) || isWithin(target, workspace) ? undefined : target;
}

/** Programs' settings may lie in directories with ordinary names. */
const isFetched = (name: string, directory: string, { home }: Pick<HomeSearch, "home">): boolean =>
  fetched.test(name) && !(ordinaryNames.test(name) && isWithin(join(home, ".config"), directory));

function judgeFiles(
  { path, kind }: HomeStep,
  { names, files }: HomeDirectory,
  search: HomeSearch,
  isMeant: (name: string) => boolean,
): void {
  const { rows, found, ownerOnlyIsUsual } = search;
  const isMany = names.length > mostFiles;
  for (const entry of names) {
    const { name } = entry;
    if (!isMeant(name) || rows.has(join(path, name))) continue;
    const at = fileAt(join(path, name), entry, search);
    if (at === undefined) continue;
    if (kind === "plain" || isMany) {
      if (kind === "plain" ? isEnvironmentFile(name) : isSecretName(name))
        found.push({ path: at, shown: "hidden" });
      continue;
    }
    const shown = judgeFile(at, name, { files, ownerOnlyIsUsual });
    if (shown !== undefined) found.push({ path: at, shown });
  }
}

function judgeFile(
  path: string,
  name: string,
  { files, ownerOnlyIsUsual }: { files: Map<string, JudgedFile>; ownerOnlyIsUsual: boolean },
): Secret["shown"] | undefined {
  const exact = lstatSync(path, { throwIfNoEntry: false, bigint: true });
  if (exact === undefined || !exact.isFile()) return undefined;
  const signature = lastingSignature(exact);
  const before = files.get(name);
  if (before && before.signature === signature) return before.shown;
  const file = { mode: Number(exact.mode), size: Number(exact.size) };
  const shown = shownAs(path, name, { file, ownerOnlyIsUsual });
  if (signature !== undefined) files.set(name, { signature, shown });
  return shown;
}

function directoryAt(path: string, { known }: HomeSearch): HomeDirectory | undefined {
  try {
    const stats = lstatSync(path, { bigint: true });
    if (!stats.isDirectory()) return undefined;
    const signature = lastingSignature(stats);
    const before = known.get(path);
    if (signature !== undefined && before?.signature === signature) return before;
    const directory = {
      signature,
      names: readdirSync(path, { withFileTypes: true }),
      files: before?.files ?? new Map<string, JudgedFile>(),
    };
    known.set(path, directory);
    return directory;
  } catch {
    return undefined; // not readable by us, so not by a command either
  }
}

/**
 * The rule for one path, for whoever judges what a command names: "by-name" without a look at the disk, "on-disk" also by
 * mode and content. `names`: below the home.
 */
export function isSecretAtHome(names: readonly string[], look: "by-name" | { home: string }): boolean {
  const [top = ""] = names;
  const name = names.at(-1) ?? "";
  if (isEnvironmentFile(name)) return true;
  const within = names.slice(0, -1);
  const isRuntime = runtimes.has(top) && !(top === ".local" && /^(?:share|state)$/u.test(names[1] ?? ""));
  if (
    !top.startsWith(".") ||
    isRuntime ||
    within.some((each) => fetched.test(each) && !(top === ".config" && ordinaryNames.test(each)))
  )
    return false;
  if (within.some(isSecretDirectory) || isSecretName(name)) return true;
  if (look === "by-name") return isSecretDirectory(name);
  const path = join(look.home, ...names);
  const stats = statusOf(path);
  if (!stats?.isFile()) return isSecretDirectory(name);
  return shownAs(path, name, { file: stats, ownerOnlyIsUsual: hidesAll(look.home) }) === "hidden";
}
