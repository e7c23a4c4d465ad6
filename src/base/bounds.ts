/** Everything that can grow, and where it ends: one table, from which the code takes its figures. */

import { type Area, gib, kib, mib, minutes } from "./bound.ts";
import * as addons from "./bounds-addons.ts";
import { attachments } from "./bounds-attachments.ts";
import { gateway } from "./bounds-gateway.ts";
import { languages } from "./bounds-languages.ts";
import { lmServer } from "./bounds-lm-server.ts";
import { mcpServer } from "./bounds-mcp-server.ts";
import { model } from "./bounds-model.ts";
import { page } from "./bounds-page.ts";
import { remote } from "./bounds-remote.ts";
import { screen } from "./bounds-screen.ts";
import { subagents } from "./bounds-subagents.ts";
import { commands, terminals, tools } from "./bounds-tools.ts";
import { checks, web } from "./bounds-web.ts";

/**
 * By area. How deep and how far something is looked through is no matter of memory, and stands where it is looked
 * through.
 */
export const bounds = {
  session: {
    looseTime: {
      of: "for how long a content waits for the fact that names it",
      most: 24 * 60 * minutes,
      unit: "milliseconds",
      beyond: "it is deleted at the next opportunity",
    },
    lease: {
      of: "silence of a process that holds a session and cannot be looked at",
      most: 60_000,
      unit: "milliseconds",
      beyond: "it is taken for dead, and the session is free",
    },
    absentPerson: {
      of: "how long somebody who could answer counts as there after leaving: a page may be loading anew",
      most: 15_000,
      unit: "milliseconds",
      beyond: "what would be asked is denied",
    },
    restingSession: {
      of: "rest of a session that a gateway has open, with nothing running in it",
      most: 30_000,
      unit: "milliseconds",
      beyond: "it is closed, and opened again when something is asked of it; who follows it notices nothing",
    },
    restingWorkspace: {
      of: "rest of a workspace of a gateway, with no session open in it",
      most: 600_000,
      unit: "milliseconds",
      beyond:
        "what is held for it is let go, at the latest after as long again; its next session reads its settings anew",
    },
    windowFacts: {
      of: "facts of an open session that are held in memory",
      most: 4096,
      unit: "count",
      beyond: "older ones are read from the database where they are asked for",
    },
    windowText: {
      of: "text of those facts",
      most: 8 * mib,
      unit: "characters",
      beyond: "older ones are read from the database where they are asked for",
    },
    pageFacts: {
      of: "facts that are read from the database at once",
      most: 256,
      unit: "count",
      beyond: "they are read in pages",
    },
    pageText: {
      of: "text of facts that are read from the database at once",
      most: 8 * mib,
      unit: "characters",
      beyond: "the page ends with the fact that reaches it",
    },
    followedFacts: {
      of: "such facts for one reader, who may be slow",
      most: 16,
      unit: "count",
      beyond: "they are read in pages",
    },
    followedText: {
      of: "text of facts that are read for one reader, who may be slow",
      most: 256 * kib,
      unit: "characters",
      beyond: "the page ends with the fact that reaches it",
    },
    factText: {
      of: "one text within a stored fact",
      most: 16 * kib,
      unit: "bytes",
      beyond: "it is stored beside the facts, once for all that have the same",
    },
    followerSignals: {
      of: "signals that wait for one slow reader of a session",
      most: 256,
      unit: "count",
      beyond: "the oldest are dropped; the open text is told whole again, the facts tell the rest",
    },
    followerText: {
      of: "text of those signals",
      most: mib,
      unit: "characters",
      beyond: "the oldest are dropped; the open text is told whole again, the facts tell the rest",
    },
    signalText: {
      of: "output of one command between two batches of signals",
      most: mib,
      unit: "characters",
      beyond: "the older part is not shown live; the result has what is kept of it",
    },
    waitingMessages: {
      of: "messages that wait for a running request",
      most: 100,
      unit: "count",
      beyond: "another one is refused with advice",
    },
    promptHooks: {
      of: "what hooks take to look at a message",
      most: 2 * minutes,
      unit: "milliseconds",
      beyond: "they are ended, and what their settings say of a failure holds",
    },
    knownMessages: {
      of: "ids of messages by which one that is sent again is known",
      most: 256,
      unit: "count",
      beyond: "the oldest are forgotten",
    },
    bundleBytes: {
      of: "a session that is exported to one file, or imported",
      most: gib,
      unit: "bytes",
      beyond: "contents beyond it are left out, which is told; a larger file is refused",
    },
    bundleLine: {
      of: "one line of that file",
      most: 128 * mib,
      unit: "bytes",
      beyond: "a content beyond it is left out, which is told; a file with a longer one is refused",
    },
    databaseWait: {
      of: "waiting for other processes that write to the database",
      most: 5_000,
      unit: "milliseconds",
      beyond: "the write fails with advice, and nothing of it is stored",
    },
  },
  undo: {
    keptAfterFile: {
      of: "the new content of one changed file that is kept beside the old one",
      most: mib,
      unit: "bytes",
      beyond: "it is read from the disk when it is needed, as long as it stands there",
    },
    keptAfter: {
      of: "the new contents of all files of one change",
      most: 32 * mib,
      unit: "bytes",
      beyond: "the others are read from the disk, as long as they stand there",
    },
    keptImages: {
      of: "contents kept for undo and staged changes, of all sessions",
      most: gib,
      unit: "bytes",
      beyond: "the oldest are dropped; those changes cannot be taken back any more",
    },
    fileBytes: {
      of: "one file that can be changed, staged or taken back",
      most: 64 * mib,
      unit: "bytes",
      beyond: "the change is refused",
    },
    comparedBytes: {
      of: "files whose lines are put side by side to take parts back",
      most: 8 * mib,
      unit: "bytes",
      beyond: "they are taken back whole",
    },
    stagedChanges: {
      of: "staged changes of a session",
      most: 50,
      unit: "count",
      beyond: "the oldest token cannot be used any more",
    },
    stagedTime: {
      of: "for how long a staged change can be applied",
      most: 10 * minutes,
      unit: "milliseconds",
      beyond: "it must be staged anew",
    },
    lockWait: {
      of: "waiting for others who change the same files",
      most: 30_000,
      unit: "milliseconds",
      beyond: "the change fails, and nothing is written",
    },
    recordEntries: {
      of: "files and directories looked at before a command without a layer",
      most: 50_000,
      unit: "count",
      beyond: "what a command changes beyond them cannot be taken back, which is told",
    },
    recordNamedBytes: {
      of: "contents read before it, of files that it names",
      most: 256 * mib,
      unit: "bytes",
      beyond: "what a command changes beyond them cannot be taken back, which is told",
    },
    recordOtherBytes: {
      of: "contents read before it, of other files that git does not have",
      most: 16 * mib,
      unit: "bytes",
      beyond: "what a command changes beyond them cannot be taken back, which is told",
    },
    recordChangedBytes: {
      of: "contents of files that it changed",
      most: 512 * mib,
      unit: "bytes",
      beyond: "what it changed beyond them cannot be taken back, which is told",
    },
    recordMemory: {
      of: "contents of them that are held in memory between commands",
      most: 64 * mib,
      unit: "bytes",
      beyond: "the others are read again",
    },
    gitTime: {
      of: "one question to git",
      most: 20_000,
      unit: "milliseconds",
      beyond: "git is stopped, and less is known about the files",
    },
    gitOutput: {
      of: "what git answers to it",
      most: 512 * mib,
      unit: "bytes",
      beyond: "git is stopped, and less is known about the files",
    },
  },
  model,
  tools,
  commands,
  terminals,
  gateway,
  remote,
  page,
  lmServer,
  screen,
  mcpServer,
  attachments,
  hooks: addons.hooks,
  trust: addons.trust,
  instructions: addons.instructions,
  skills: addons.skills,
  subagents,
  servers: addons.servers,
  languages,
  web,
  telemetry: addons.telemetry,
  checks,
  files: {
    registries: {
      of: "a file that names package registries",
      most: 256 * kib,
      unit: "characters",
      beyond: "the rest is not read",
    },
    repository: {
      of: "a file in which git keeps its settings",
      most: 256 * kib,
      unit: "bytes",
      beyond: "the repository counts as an unusual one, which commands only read",
    },
    masked: {
      of: "a settings file in which secrets are masked",
      most: 64 * kib,
      unit: "bytes",
      beyond: "the file is hidden whole",
    },
    configuration: {
      of: "a configuration file",
      most: mib,
      unit: "bytes",
      beyond: "it is refused",
    },
    log: {
      of: "the log file",
      most: 32 * mib,
      unit: "bytes",
      beyond: "it is renamed, over the last one that was, and a new one is begun",
    },
    logWords: {
      of: "the words of a warning or a failure in the log file",
      most: 500,
      unit: "characters",
      beyond: "the rest is left out",
    },
    grants: {
      of: "what was allowed for a project",
      most: 4 * mib,
      unit: "bytes",
      beyond: "it allows nothing, which is told",
    },
  },
} satisfies Record<string, Area>;

export const areas: Readonly<Record<keyof typeof bounds, string>> = {
  session: "An open session",
  undo: "Undo and staged changes",
  model: "Talking to models",
  tools: "Tools",
  commands: "Commands",
  terminals: "Terminals",
  gateway: "The gateway",
  remote: "A client of a gateway",
  page: "The page",
  lmServer: "The language-model server",
  screen: "The command line",
  mcpServer: "The MCP server",
  attachments: "What is sent with a message",
  hooks: "Hooks",
  trust: "What a workspace brings along",
  instructions: "Instruction files",
  skills: "Skills, commands and agents",
  subagents: "Subagents",
  servers: "Tool servers (MCP)",
  languages: "Language servers",
  web: "The web",
  telemetry: "Telemetry",
  checks: "Checks of a project",
  files: "Our own files",
};
