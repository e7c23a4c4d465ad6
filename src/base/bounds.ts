/** Limits of everything that can grow: the one table from which the code takes its figures. */

import { type Area, gib, kib, mib, minutes } from "./bound.ts";
import { hooks, instructions, skills, telemetry } from "./bounds/addons.ts";
import { attachments } from "./bounds/attachments.ts";
import { gateway } from "./bounds/gateway.ts";
import { languages } from "./bounds/languages.ts";
import { lmServer } from "./bounds/lm-server.ts";
import { mcpServer } from "./bounds/mcp-server.ts";
import { model } from "./bounds/model.ts";
import { page } from "./bounds/page.ts";
import { remote } from "./bounds/remote.ts";
import { screen } from "./bounds/screen.ts";
import { subagents } from "./bounds/subagents.ts";
import { servers } from "./bounds/tool-servers.ts";
import { commands, terminals, tools } from "./bounds/tools.ts";
import { trust } from "./bounds/trust.ts";
import { checks, web } from "./bounds/web.ts";

/** The bounds by area. Search depths of algorithms are not limits on memory and stay in the code that uses them. */
export const bounds = {
  session: {
    looseTime: {
      of: "age of stored content that no fact refers to",
      most: 24 * 60 * minutes,
      unit: "milliseconds",
      beyond: "it is deleted at the next opportunity",
    },
    lease: {
      of: "silence of a process that holds a session and cannot be inspected",
      most: 60_000,
      unit: "milliseconds",
      beyond: "it is presumed dead, and the session can be opened elsewhere",
    },
    absentPerson: {
      of: "time for which a person who left still counts as present (a page may be reloading)",
      most: 15_000,
      unit: "milliseconds",
      beyond: "with `--when-away deny`, requests for approval are denied",
    },
    restingSession: {
      of: "idle time of a session that a gateway has open",
      most: 30_000,
      unit: "milliseconds",
      beyond: "the gateway closes it, and reopens it on the next request; followers notice nothing",
    },
    restingWorkspace: {
      of: "time without an open session before a gateway releases a workspace",
      most: 600_000,
      unit: "milliseconds",
      beyond:
        "its resources are released, at the latest after as long again; its next session reads the settings afresh",
    },
    windowFacts: {
      of: "facts of an open session held in memory",
      most: 4096,
      unit: "count",
      beyond: "older facts are read from the database on demand",
    },
    windowText: {
      of: "text of the facts of an open session held in memory",
      most: 8 * mib,
      unit: "characters",
      beyond: "older facts are read from the database on demand",
    },
    pageFacts: {
      of: "facts read from the database at once",
      most: 256,
      unit: "count",
      beyond: "they are read in pages",
    },
    pageText: {
      of: "text of the facts read from the database at once",
      most: 8 * mib,
      unit: "characters",
      beyond: "the page ends with the fact that reaches the limit",
    },
    sharedPages: {
      of: "pages of a session's facts kept for followers that catch up with it at the same time",
      most: 8,
      unit: "count",
      beyond: "the oldest one is dropped, and read again for whoever still needs it",
    },
    sharedFacts: {
      of: "facts of such a page",
      most: 128,
      unit: "count",
      beyond: "they are read in pages",
    },
    followedFacts: {
      of: "facts read from the database at once for one follower",
      most: 16,
      unit: "count",
      beyond: "they are read in pages",
    },
    followedText: {
      of: "text of the facts read from the database at once for one follower",
      most: 256 * kib,
      unit: "characters",
      beyond: "the page ends with the fact that reaches the limit",
    },
    factText: {
      of: "a string inside a stored fact",
      most: 16 * kib,
      unit: "bytes",
      beyond: "it is stored separately, once for all facts that contain it",
    },
    followerSignals: {
      of: "signals waiting for one slow follower of a session",
      most: 256,
      unit: "count",
      beyond:
        "the oldest are dropped; the follower gets the open text again in full, and the rest from the facts",
    },
    followerText: {
      of: "text of the signals waiting for one slow follower of a session",
      most: mib,
      unit: "characters",
      beyond:
        "the oldest are dropped; the follower gets the open text again in full, and the rest from the facts",
    },
    signalText: {
      of: "output of one command between two batches of signals",
      most: mib,
      unit: "characters",
      beyond: "the older part is not shown live; the result contains what is kept of it",
    },
    waitingMessages: {
      of: "messages queued behind a running request",
      most: 100,
      unit: "count",
      beyond: "another message is refused, with advice",
    },
    promptHooks: {
      of: "time that hooks take to examine a message",
      most: 2 * minutes,
      unit: "milliseconds",
      beyond: "they are ended, and their `onFailure` setting decides",
    },
    knownMessages: {
      of: "message ids remembered to recognise a message that is sent twice",
      most: 256,
      unit: "count",
      beyond: "the oldest are forgotten",
    },
    bundleBytes: {
      of: "a session exported to, or imported from, one file",
      most: gib,
      unit: "bytes",
      beyond: "contents beyond it are left out, and the export says so; a larger file is refused",
    },
    bundleLine: {
      of: "one line of an exported session",
      most: 128 * mib,
      unit: "bytes",
      beyond: "longer content is left out, and the export says so; a file with a longer line is refused",
    },
    databaseWait: {
      of: "wait for other processes that write to the database",
      most: 5_000,
      unit: "milliseconds",
      beyond: "the write fails with advice, and nothing is stored",
    },
  },
  undo: {
    keptAfterFile: {
      of: "new content of one changed file, stored next to the old content",
      most: mib,
      unit: "bytes",
      beyond: "it is read from the disk when needed, if it is still there",
    },
    keptAfter: {
      of: "new contents of all files of one change, stored next to the old contents",
      most: 32 * mib,
      unit: "bytes",
      beyond: "the others are read from the disk when needed, if they are still there",
    },
    keptImages: {
      of: "stored contents for undo and staged changes, all sessions together",
      most: gib,
      unit: "bytes",
      beyond: "the oldest are dropped; those changes can no longer be undone",
    },
    fileBytes: {
      of: "a file that can be changed, staged or undone",
      most: 64 * mib,
      unit: "bytes",
      beyond: "the change is refused",
    },
    comparedBytes: {
      of: "a file whose single hunks can be undone",
      most: 8 * mib,
      unit: "bytes",
      beyond: "it can only be undone as a whole",
    },
    stagedChanges: {
      of: "staged changes of a session",
      most: 50,
      unit: "count",
      beyond: "the oldest token expires",
    },
    stagedTime: {
      of: "time in which a staged change can be applied",
      most: 10 * minutes,
      unit: "milliseconds",
      beyond: "its token expires, and the change must be staged again",
    },
    lockWait: {
      of: "wait for other processes that change the same files",
      most: 30_000,
      unit: "milliseconds",
      beyond: "the change fails, and nothing is written",
    },
    recordEntries: {
      of: "files and directories recorded before a command that runs without a layer",
      most: 50_000,
      unit: "count",
      beyond: "changes to the rest cannot be undone, and the result says so",
    },
    recordNamedBytes: {
      of: "contents recorded before a command without a layer: files that it names",
      most: 256 * mib,
      unit: "bytes",
      beyond: "changes to the rest cannot be undone, and the result says so",
    },
    recordOtherBytes: {
      of: "contents recorded before a command without a layer: other files that are not in git",
      most: 16 * mib,
      unit: "bytes",
      beyond: "changes to the rest cannot be undone, and the result says so",
    },
    recordChangedBytes: {
      of: "contents of the files that a command without a layer changed",
      most: 512 * mib,
      unit: "bytes",
      beyond: "changes to the rest cannot be undone, and the result says so",
    },
    recordMemory: {
      of: "recorded contents held in memory between commands without a layer",
      most: 64 * mib,
      unit: "bytes",
      beyond: "the rest is read again",
    },
    gitTime: {
      of: "one git command that Toolwright runs to learn about files",
      most: 20_000,
      unit: "milliseconds",
      beyond: "it is stopped, and less is known about the files",
    },
    gitOutput: {
      of: "output of one such git command",
      most: 512 * mib,
      unit: "bytes",
      beyond: "it is stopped, and less is known about the files",
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
  hooks,
  trust,
  instructions,
  skills,
  subagents,
  servers,
  languages,
  web,
  telemetry,
  checks,
  files: {
    pathLevels: {
      of: "levels of a path in the workspace",
      most: 160,
      unit: "count",
      beyond: "the path is refused",
    },
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
      beyond: "the repository counts as unusual, and commands can only read it",
    },
    masked: {
      of: "a settings file in which secrets are masked",
      most: 64 * kib,
      unit: "bytes",
      beyond: "the whole file is hidden",
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
      beyond: "it is renamed, replacing the previous one, and a new file is begun",
    },
    logWords: {
      of: "the text of a warning or failure in the log file",
      most: 500,
      unit: "characters",
      beyond: "the rest is left out",
    },
    grants: {
      of: "permissions stored for a project",
      most: 4 * mib,
      unit: "bytes",
      beyond: "none of them apply, and a warning says so",
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
