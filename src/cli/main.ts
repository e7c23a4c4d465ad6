/** The command line: parses the options, loads only what the command needs, and returns the exit code. */

import { type Expected, errorMessage } from "../base/expected.ts";
import { loadConfig, type Config } from "../configuration/config.ts";
import { parseArguments, type Arguments } from "../configuration/options/arguments.ts";
import { commands } from "../configuration/options/commands.ts";
import type { HelpSubject } from "../configuration/options/help-asked.ts";
import { complain, exitCodes, type CliContext, usageError } from "./cli-context.ts";
import { processTerminal, type Terminal } from "./terminal.ts";

/** Never throws: an error becomes one line on standard error. Flushes all output. */
export async function runCli(argv: string[], terminal: Terminal = processTerminal()): Promise<number> {
  const code = await runOrComplain(argv, terminal);
  await terminal.flushed();
  return terminal.outputGone.aborted ? outputLost(terminal, code) : code;
}

async function runOrComplain(argv: string[], terminal: Terminal): Promise<number> {
  const parsed = parseArguments(argv, terminal.env);
  if (!parsed.ok) return usageError(terminal, parsed.problem);
  const { flags, help } = parsed.value;
  try {
    if (help !== undefined) return await showHelp(terminal, help);
    if (flags.version) return await showVersion(terminal);
    const settings = await loadSettings(parsed.value, terminal);
    return settings.ok
      ? await runCommand(parsed.value, { terminal, settings: settings.value })
      : await withoutSettings(parsed.value, terminal, settings.problem);
  } catch (error) {
    complain(terminal, errorMessage(error));
    if (flags.verbose && error instanceof Error && error.stack) terminal.report(`${error.stack}\n`);
    return exitCodes.failed;
  }
}

/** Without valid settings only doctor starts: it reports the problem as one of its findings. */
async function withoutSettings(parsed: Arguments, terminal: Terminal, problem: string): Promise<number> {
  const { env, cwd } = terminal;
  const bare =
    parsed.command === "doctor"
      ? await loadConfig({ arguments: parsed, env, cwd, withoutFiles: true })
      : undefined;
  if (!bare?.ok) return usageError(terminal, problem);
  return (await import("./doctor/doctor.ts")).runDoctor(
    { terminal, settings: bare.value },
    { problem, flags: parsed.flags },
  );
}

/** A reader that went away is not our error; a full disk behind standard output is. */
function outputLost(terminal: Terminal, code: number): number {
  const reason: unknown = terminal.outputGone.reason;
  if (reason instanceof Error && "code" in reason && reason.code === "EPIPE") return code;
  complain(
    terminal,
    `Standard output could not be written (${String(reason)}): the session is kept, see \`toolwright sessions\`.`,
  );
  return exitCodes.failed;
}

async function showHelp(terminal: Terminal, about: HelpSubject): Promise<number> {
  terminal.print(await helpAbout(about));
  return exitCodes.done;
}

async function helpAbout(about: HelpSubject): Promise<string> {
  if (about !== "everything" && about !== "options")
    return (await import("../configuration/options/command-help.ts")).commandHelp(about);
  const { helpText, optionsText } = await import("../configuration/options/help.ts");
  return about === "options" ? optionsText() : helpText();
}

async function showVersion(terminal: Terminal): Promise<number> {
  const { version } = await import("../configuration/options/version.ts");
  terminal.print(`toolwright ${version}\n`);
  return exitCodes.done;
}

const loadSettings = (parsed: Arguments, { env, cwd }: Terminal): Promise<Expected<Config>> =>
  loadConfig({ arguments: parsed, env, cwd });

/** The same arguments for another workspace. */
const withCwd = (parsed: Arguments, cwd: string): Arguments => ({
  ...parsed,
  flags: { ...parsed.flags, cwd },
});

async function runCommand(parsed: Arguments, room: CliContext): Promise<number> {
  // Doctor reports an unwritable log as a finding.
  if (room.settings.log === undefined || parsed.command === "doctor") return dispatch(parsed, room);
  const { withRunLog } = await import("./run-log.ts");
  const ran = await withRunLog(parsed.command, room, (told) => dispatch(parsed, told));
  if (ran.ok) return ran.value;
  complain(room.terminal, ran.problem);
  return exitCodes.failed;
}

function dispatch(parsed: Arguments, room: CliContext): Promise<number> {
  const { command, words, flags } = parsed;
  const takesWords = commands.every((one) => one.name !== command || "takes" in one);
  if (!takesWords && words.length > 0)
    return Promise.resolve(
      usageError(
        room.terminal,
        `toolwright ${command} takes no further arguments, and "${words[0]}" is one: see toolwright ${command} --help.`,
      ),
    );
  const settingsFor = (cwd: string) => loadSettings(withCwd(parsed, cwd), room.terminal);
  return runs[command](room, { words, flags, settingsFor });
}

type CommandArguments = Pick<Arguments, "words" | "flags"> & {
  /** Reads the settings of another workspace. */
  settingsFor: (cwd: string) => Promise<Expected<Config>>;
};
type CommandRunner = (room: CliContext, asked: CommandArguments) => Promise<number>;

/** The module that each command loads and runs. */
const runs: Readonly<Record<Arguments["command"], CommandRunner>> = {
  chat: (room, { words, flags }) =>
    room.settings.prompt === undefined
      ? chat(room, words.join(" "))
      : headless({ ...room, given: flags }, words),
  demo: (room) => demo(room),
  models: async (room) => (await import("./models.ts")).runModels(room),
  login: async (room, { words }) => (await import("./login.ts")).runLogin(room, words),
  logout: async (room, { words }) => (await import("./login.ts")).runLogout(room, words),
  doctor: async (room, { flags }) => (await import("./doctor/doctor.ts")).runDoctor(room, { flags }),
  context: async (room) => (await import("./context.ts")).runContext(room),
  probe: async (room, { words }) => (await import("./probe.ts")).runProbe(room, words),
  sessions: async (room, asked) => (await import("./sessions/sessions.ts")).runSessions(room, asked),
  checkpoints: async (room) => (await import("./changes/diff.ts")).runCheckpoints(room),
  diff: async (room, asked) => (await import("./changes/diff.ts")).runDiff(room, asked),
  undo: takesBack("undo"),
  redo: takesBack("redo"),
  keep: takesBack("keep"),
  explain: async (room, { words }) => (await import("./inspecting/explain.ts")).runExplain(room, words),
  policy: async (room, asked) => (await import("./inspecting/policy.ts")).runPolicy(room, asked),
  inspect: async (room, asked) => (await import("./inspecting/inspect.ts")).runInspect(room, asked),
  trust: async (room, { words }) => (await import("./trust/trust.ts")).runTrust(room, words),
  serve: async (room, asked) => (await import("./serving/serve.ts")).runServe(room, asked),
  "lm-server": async (room, asked) =>
    (await import("./serving/lm-server-words.ts")).runLmServerWords(room, asked),
  mcp: async (room, asked) =>
    asked.words.length > 0
      ? (await import("./mcp-client.ts")).runMcpClient(room, asked.words)
      : (await import("./serving/mcp-server.ts")).runMcpServer(room, asked),
};

function takesBack(command: "undo" | "redo" | "keep"): CommandRunner {
  return async (room, { words, flags }) =>
    (await import("./changes/undo.ts")).runUndo(room, { command, words, flags });
}

async function headless(room: CliContext, words: readonly string[]): Promise<number> {
  if (words.length > 0)
    return usageError(
      room.terminal,
      `-p has its prompt already, and "${words[0]}" follows it: put the whole prompt in quotes.`,
    );
  return (await import("./headless.ts")).runHeadless(room);
}

/**
 * A conversation needs a terminal at both ends. Otherwise piped text is a request, as with -p. Without that, a message
 * and a configuration, the demo runs instead.
 */
async function chat(room: CliContext, first: string): Promise<number> {
  const { terminal, settings } = room;
  if (terminal.inputIsPiped) {
    const { readPrompt } = await import("./piped-input.ts");
    const prompt = first === "" ? "-" : first;
    const piped = await readPrompt(prompt, terminal);
    if (!piped.ok) return usageError(terminal, piped.problem);
    const { text, attached } = piped.value;
    if (text.trim() !== first.trim() || attached.length > 0)
      return (await import("./headless.ts")).runHeadless(
        { terminal, settings: { ...settings, prompt } },
        piped.value,
      );
  }
  const unprompted = promptOnly(settings);
  if (unprompted !== undefined) return usageError(terminal, unprompted);
  if (terminal.inputIsTerminal && terminal.outputIsTerminal)
    return (await import("./conversation/conversation.ts")).converse(room, { first, demo: () => demo(room) });
  const isBare = first === "" && !settings.continue && settings.resume === undefined;
  if (isBare && (await lacksModel(room))) return demo(room);
  return usageError(
    terminal,
    'A conversation needs a terminal: use -p "…" for a single request, or -p - to read the prompt from standard input.',
  );
}

/** Options that a conversation has no use for. */
function promptOnly({ attach, output, timeoutMs }: CliContext["settings"]): string | undefined {
  if (attach.length > 0)
    return '--attach needs a prompt: add -p "…"; in a conversation write @path, or /attach';
  if (output !== "text") return `--output ${output} needs a prompt: add -p "…"`;
  return timeoutMs === undefined ? undefined : '--timeout needs a prompt: add -p "…"';
}

async function lacksModel(room: CliContext): Promise<boolean> {
  const { missingModel } = await import("./model-table.ts");
  return (await missingModel(room)) !== undefined;
}

async function demo({ terminal }: Pick<CliContext, "terminal">): Promise<number> {
  const { runDemo } = await import("./demo.ts");
  return runDemo(terminal);
}
