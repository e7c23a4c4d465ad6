/**
 * The findings of `toolwright doctor` on language servers: which are installed, for what, and how to install the
 * others.
 */

import { join } from "node:path";
import { detect } from "./detect.ts";
import {
  type KnownLanguageServer,
  knownServers,
  launchesOf,
  type LaunchEnvironment,
  rootOf,
  unknownNames,
  unknownWords,
} from "./launches.ts";
import { type ServerRow, serverRows } from "./rows.ts";
import type { LanguageServerSettings } from "./settings.ts";

export type LanguageFinding = { check: string; state: "ok" | "warn"; words: string; fix?: string };

const check = "languages";

/** Starts nothing. A missing server is a warning only if the workspace has files for it. */
export function languageFindings(
  place: LaunchEnvironment,
  configured: LanguageServerSettings | undefined,
  rows: readonly ServerRow[] = serverRows,
): LanguageFinding[] {
  if (configured === false)
    return [{ check, state: "ok", words: "switched off in the configuration: changes are not checked" }];
  const servers = knownServers(rows, configured);
  const wanted = new Map(detect(servers, place.workspace).map(({ server, where }) => [server, where]));
  const found = servers.map((server) => ({
    server,
    words: foundWords(server, wanted.get(server) ?? ".", place),
  }));
  const there = found.flatMap(({ server, words }) =>
    words === undefined ? [] : [`${server.name} ${words}`],
  );
  const none = found.filter(({ words }) => words === undefined).map(({ server }) => server);
  const missing = none.filter(({ command }) => command === undefined);
  return [
    { check, state: "ok", words: there.length === 0 ? "no language server is found" : there.join("; ") },
    ...missing.filter((server) => wanted.has(server)).map(missingFinding),
    ...installable(missing.filter((server) => !wanted.has(server))),
    ...unknownNames(rows, configured).map(unknown),
    ...servers.flatMap((server) => settingsFindings(server, none.includes(server))),
  ];
}

function foundWords(
  server: KnownLanguageServer,
  where: string,
  place: LaunchEnvironment,
): string | undefined {
  const root = rootOf(server, join(place.workspace, where, "x"), place.workspace);
  const launches = launchesOf(server, root, place);
  const free = launches.find(({ needs }) => needs === undefined);
  const asked = launches.find(({ needs }) => needs !== undefined);
  const waits = asked && `${asked.command.join(" ")}, once you agree to it (\`toolwright trust\`)`;
  const words = [waits, free?.command.join(" ")].filter((one) => one !== undefined);
  return words.length === 0 ? undefined : `(${filesOf(server)}) by ${words.join(", else ")}`;
}

const filesOf = ({ files }: KnownLanguageServer): string => Object.keys(files).join(" ");

/** One line that lists servers this workspace has no need of. */
function installable(servers: readonly KnownLanguageServer[]): LanguageFinding[] {
  if (servers.length === 0) return [];
  const ways = servers.map(({ name, install }) => `${name} (${install})`);
  return [{ check, state: "ok", words: `not installed, and not needed here: ${ways.join("; ")}` }];
}

const unknown = (name: string): LanguageFinding => ({
  check,
  state: "warn",
  words: unknownWords(name),
  fix: 'correct the name, or give it "command" and "files"',
});

function settingsFindings(server: KnownLanguageServer, isMissing: boolean): LanguageFinding[] {
  const { name, command, files } = server;
  if (command === undefined) return [];
  if (Object.keys(files).length === 0) {
    const fix = `give it "files": the endings that it is for, like ".ts"`;
    return [
      { check, state: "warn", words: `"languageServers.${name}" is for no files, and never starts`, fix },
    ];
  }
  if (!isMissing) return [];
  const words = `"languageServers.${name}" cannot start: ${command[0]} is no program on the PATH outside the workspace`;
  return [{ check, state: "warn", words, fix: "install it, or write its whole path" }];
}

const missingFinding = (server: KnownLanguageServer): LanguageFinding => ({
  check,
  state: "warn",
  words: `the workspace holds files for ${server.name} (${filesOf(server)}), but no language server for them is found: edits of them are not checked`,
  fix: server.install,
});
