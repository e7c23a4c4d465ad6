/** Gives a session its language servers: tools, and diagnostics after each change. Starts nothing until needed. */

import { join, posix } from "node:path";
import { LongWorks } from "../../base/long-work.ts";
import type { Fact } from "../../protocol/facts.ts";
import type { Tool } from "../../tools/tool.ts";
import type { AddonPart, AddonContext, AddonOpener } from "../part.ts";
import { detect } from "./detect.ts";
import { getDiagnostics } from "./get-diagnostics.ts";
import type { AskLanguages } from "./language-tools.ts";
import type { Languages, Waits } from "./languages.ts";
import {
  type KnownLanguageServer,
  knownServers,
  unknownNames,
  unknownWords,
  type Launch,
  launchesOf,
  rootOf,
  serverOf,
} from "./launches.ts";
import { renameSymbol } from "./rename-symbol.ts";
import { type ServerRow, serverRows } from "./rows.ts";
import type { LanguageServerSettings } from "./settings.ts";
import { findDefinition, findReferences } from "./symbol-tools.ts";

/** Replaces the known servers and the usual waits. */
type LanguageServersHow = { rows?: readonly ServerRow[] | undefined; waits?: Waits | undefined };

/** Undefined if the user disabled them, and for subagents, which use their parent's. */
export const openLanguageServers =
  (
    configured: LanguageServerSettings | undefined,
    { rows = serverRows, waits }: LanguageServersHow = {},
  ): AddonOpener =>
  (context) => {
    if (context.parent !== undefined) return undefined;
    for (const name of unknownNames(rows, configured))
      context.warn(
        "language-server",
        `${unknownWords(name)}. Correct the name, or give it "command" and "files".`,
      );
    const servers = knownServers(rows, configured);
    return servers.length === 0 ? undefined : partOf({ servers, waits }, context);
  };

type LanguagesOpening = { servers: readonly KnownLanguageServer[]; waits: Waits | undefined };

function partOf({ servers, waits }: LanguagesOpening, context: AddonContext): AddonPart {
  const allowed = allowedServers(servers, context);
  const isOurs = (path: string): boolean => allowed.isFor(path) && !context.isCheckedElsewhere(path);
  let opened: Languages | undefined;
  let turn = 0;
  let seen: ReadonlyMap<string, unknown> = new Map();
  const work = async () => {
    const module = await import("./servers.ts");
    opened ??= module.openLanguages(context, servers, waits);
    return { module, languages: opened };
  };
  const works = new LongWorks();
  const ask: AskLanguages = async (question) => {
    const loaded = await work();
    return works.during("language servers", () => question(loaded));
  };
  const tools = toolsOver(ask);
  return {
    ready: async () => void allowed.all(),
    tools: () => offeredTools(tools, allowed.all(), opened),
    // A server that indexes for a minute is nobody's business until somebody waits for it.
    works: () => (works.all().length > 0 ? (opened?.all().flatMap((server) => server.works()) ?? []) : []),
    async symbols(query, signal) {
      if (!opened) return [];
      const { module, languages } = await work();
      return module.symbolsNamed(languages, query, signal);
    },
    onlyLooks: () => true,
    async beforeChange({ files }) {
      const paths = files.map(({ path }) => path).filter(isOurs);
      // Ahead of time only: what fails here, as when the workspace has gone, fails after the change again, and is told.
      if (paths.length > 0)
        work()
          .then(({ languages }) => languages.prepare(paths))
          .catch(() => undefined);
      return { facts: [] };
    },
    async afterChange({ changes }, signal) {
      if (!opened && !changes.some(({ path }) => isOurs(path))) return { facts: [], words: [] };
      const how = { recent: [...seen.keys()], isServed: isOurs, signal };
      return { facts: [], words: await ask(({ languages }) => languages.changed(changes, how)) };
    },
    async beforeAsk(state) {
      seen = state.seen;
      if (state.turn !== turn) opened?.beginTurn();
      turn = state.turn;
      return (await opened?.late())?.map(asFact) ?? [];
    },
    async beforeEnd(_end, signal) {
      const late = opened ? await ask(({ languages }) => languages.lateInTheEnd(signal)) : [];
      if (late.length === 0) return { facts: [] };
      return { facts: [], veto: late.map(({ words }) => words).join("\n") };
    },
    close: async () => opened?.close(),
  };
}

const asFact = ({ name, words }: { name: string; words: string }): Fact => ({
  type: "context-added",
  from: "server",
  name,
  text: words,
});

type Tools = { problems: readonly Tool[]; places: readonly Tool[] };

const toolsOver = (ask: AskLanguages): Tools => ({
  problems: [getDiagnostics(ask)],
  places: [findDefinition(ask), findReferences(ask), renameSymbol(ask)],
});

/** Definitions for permission rules and for past calls; executing them always fails. */
export const languageTools: readonly Tool[] = Object.values(
  toolsOver(() => Promise.reject(new Error("There is no language server here."))),
).flat();

/** Until a server has reported its capabilities, those typical of its kind are assumed. */
function offeredTools(
  { problems, places }: Tools,
  allowed: readonly KnownLanguageServer[],
  opened: Languages | undefined,
): readonly Tool[] {
  if (allowed.length === 0) return [];
  const running = opened?.all().flatMap(({ running: server }) => server?.can ?? []) ?? [];
  const can =
    running.length === 0
      ? allowed.some((server) => !onlyProblems(server))
      : running.some(({ definition }) => definition);
  return can ? [...problems, ...places] : problems;
}

const onlyProblems = ({ programs }: KnownLanguageServer): boolean =>
  programs.length > 0 && programs.every((program) => program.onlyProblems === true);

type AllowedServers = {
  /** Servers that need no consent or have it; the others are put on the waiting list. */
  all: () => KnownLanguageServer[];
  /** Whether a server may run for this file, given relative to the workspace. */
  isFor: (path: string) => boolean;
};

/** Tracks which language servers may run in this workspace. */
function allowedServers(servers: readonly KnownLanguageServer[], context: AddonContext): AllowedServers {
  /** The possible launches of each server, as last determined. */
  const found = new Map<KnownLanguageServer, readonly Launch[]>();
  const find = (server: KnownLanguageServer, path: string): void => {
    const root = rootOf(server, join(context.workspace, path), context.workspace);
    found.set(server, launchesOf(server, root, context));
  };
  for (const { server, where } of detect(servers, context.workspace)) find(server, posix.join(where, "x"));
  const allowed = new Set<KnownLanguageServer>();
  /** A person may have consented since the last check. */
  const may = (server: KnownLanguageServer): boolean => {
    if (allowed.has(server)) return true;
    const launches = found.get(server) ?? [];
    const isAllowed = launches.some(({ needs }) => needs === undefined || context.trust.allows(needs));
    if (isAllowed) allowed.add(server);
    return isAllowed;
  };
  return {
    all: () => [...found.keys()].filter(may),
    isFor(path) {
      const server = serverOf(servers, path);
      if (!server) return false;
      // Since the last check the server may have been installed, or the first file of this kind added.
      if (!allowed.has(server)) find(server, path);
      return may(server);
    },
  };
}
