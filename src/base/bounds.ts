/** Everything that can grow, and where it ends: one table, from which the code takes its figures. */
import { type Area, gib, kib, mib, minutes } from "./bound.ts";
import { gateway } from "./bounds-gateway.ts";
import { lmServer } from "./bounds-lm-server.ts";
import { page } from "./bounds-page.ts";
import { remote } from "./bounds-remote.ts";
import { commands, terminals, tools } from "./bounds-tools.ts";

/** By area. How deep and how far something is looked through is no matter of memory, and stands where it is looked through. */
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
    restingSession: {
      of: "rest of a session that a gateway has open, with nothing running in it",
      most: 30_000,
      unit: "milliseconds",
      beyond: "it is closed, and opened again when something is asked of it; who follows it notices nothing",
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
      beyond:
        "the oldest are dropped; a text that is being written is told whole once more, the facts tell the rest",
    },
    followerText: {
      of: "text of those signals",
      most: mib,
      unit: "characters",
      beyond:
        "the oldest are dropped; a text that is being written is told whole once more, the facts tell the rest",
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
  model: {
    quickTime: {
      of: "looking for a model server on this computer",
      most: 300,
      unit: "milliseconds",
      beyond: "it counts as not there",
    },
    windowTime: {
      of: "asking how large a model's window is",
      most: 2_000,
      unit: "milliseconds",
      beyond: "the usual size is assumed",
    },
    connectTime: {
      of: "connecting to a server",
      most: 10_000,
      unit: "milliseconds",
      beyond: "it counts as not there",
    },
    silence: {
      of: "silence of a server, before its answer and within it",
      most: 120_000,
      unit: "milliseconds",
      beyond: "the answer has failed; it may be asked for again",
    },
    localSilence: {
      of: "silence of a server on this computer",
      most: 600_000,
      unit: "milliseconds",
      beyond: "the answer has failed; it may be asked for again",
    },
    documentSilence: {
      of: "silence of a server that is asked what it has",
      most: 30_000,
      unit: "milliseconds",
      beyond: "it counts as not there",
    },
    retryWait: {
      of: "waiting because a server asks for it",
      most: 60_000,
      unit: "milliseconds",
      beyond: "the request fails and says how long the server wants",
    },
    answerBytes: {
      of: "one streamed answer",
      most: 256 * mib,
      unit: "bytes",
      beyond: "it is cut off; the request fails",
    },
    wholeBytes: {
      of: "one answer that does not stream",
      most: 64 * mib,
      unit: "bytes",
      beyond: "it is cut off, and cannot be read",
    },
    eventText: {
      of: "one event of a stream",
      most: 64 * mib,
      unit: "characters",
      beyond: "the stream cannot be read; the answer has failed",
    },
    errorBytes: {
      of: "the text of a server's error",
      most: mib,
      unit: "bytes",
      beyond: "the rest is not read",
    },
    pageBytes: {
      of: "a web page that comes instead of an answer",
      most: 64 * kib,
      unit: "bytes",
      beyond: "the rest is not read",
    },
    documentBytes: {
      of: "a list of models and the like",
      most: 32 * mib,
      unit: "bytes",
      beyond: "the rest is not read, and so it cannot be used",
    },
    callText: {
      of: "one call that is written as text",
      most: 8 * mib,
      unit: "characters",
      beyond: "the call cannot be used, which the model is told",
    },
    textCalls: {
      of: "calls written as text in one answer",
      most: 32,
      unit: "count",
      beyond: "the rest of them are refused, which the model is told",
    },
  },
  tools,
  commands,
  terminals,
  gateway,
  remote,
  page,
  lmServer,
  screen: {
    judgedText: {
      of: "a command line on the standard input of inspect",
      most: 4 * mib,
      unit: "bytes",
      beyond: "it is refused",
    },
    versionTime: {
      of: "asking a program for its version",
      most: 5_000,
      unit: "milliseconds",
      beyond: "it counts as not there",
    },
    blocks: {
      of: "blocks of a conversation that a line-by-line surface holds",
      most: 2000,
      unit: "count",
      beyond: "the oldest are forgotten; they are on the screen already",
    },
    typedAhead: {
      of: "what is typed while nothing is asked for",
      most: mib,
      unit: "characters",
      beyond: "more is not taken, which is told",
    },
    pasted: {
      of: "one text that is pasted",
      most: 4 * mib,
      unit: "characters",
      beyond: "the rest is dropped, which its mark says",
    },
    pastes: {
      of: "texts that were pasted and may be sent again",
      most: 16 * mib,
      unit: "characters",
      beyond: "the oldest are forgotten: their marks are then sent as they are",
    },
    typedLines: {
      of: "lines that the arrow keys bring back",
      most: 200,
      unit: "count",
      beyond: "the oldest are forgotten",
    },
    pipedBytes: {
      of: "a prompt from a pipe",
      most: 8 * mib,
      unit: "bytes",
      beyond: "it is refused, with advice",
    },
    pipedSilence: {
      of: "silence of a pipe that nobody named",
      most: 2_000,
      unit: "milliseconds",
      beyond: "the prompt does without it",
    },
  },
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
  files: "Our own files",
};
