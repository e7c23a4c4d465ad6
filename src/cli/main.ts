/** The command line: parses the options, loads only what the command needs, and returns the exit code. */

import { type Expected, errorMessage } from "../base/expected.ts";
import { visibleLine } from "../base/visible-text.ts";
import { loadConfig, type Config } from "../configuration/config.ts";
import { parseArguments, type Arguments } from "../configuration/options/arguments.ts";
import { commands } from "../configuration/options/commands.ts";
import type { HelpSubject } from "../configuration/options/help-asked.ts";
import { processTerminal, type ProcessTerminal } from "../tui/process-terminal.ts";
import { complain, exitCodes, type CliContext, usageError, failWith } from "./cli-context.ts";
import { mendHome } from "./own-home.ts";

/** Never throws: an error becomes one line on standard error. Flushes all output. */
export async function runCli(argv: string[], terminal: ProcessTerminal = processTerminal()): Promise<number> {
  const parsed = parseArguments(argv, terminal.env);
  const code = parsed.ok ? await runOrComplain(parsed.value, terminal) : usageError(terminal, parsed.problem);
  await terminal.flushed();
  return parsed.ok && terminal.outputGone.aborted ? outputLost(parsed.value, terminal, code) : code;
}

async function runOrComplain(parsed: Arguments, terminal: ProcessTerminal): Promise<number> {
  const { flags, help } = parsed;
  try {
    if (help !== undefined) return await showHelp(terminal, help);
    if (flags.version) return await showVersion(terminal);
    const home = mendHome(terminal.env);
    if (!home.ok) return usageError(terminal, home.problem);
    if (home.value !== undefined) terminal.report(`! ${visibleLine(home.value)}\n`);
    const settings = await loadSettings(parsed, terminal);
    return settings.ok
      ? await runCommand(parsed, { terminal, settings: settings.value })
      : await withoutSettings(parsed, terminal, settings.problem);
  } catch (error) {
    complain(terminal, errorMessage(error));
    if (flags.verbose && error instanceof Error && error.stack) terminal.report(`${error.stack}\n`);
    return exitCodes.failed;
  }
}

/** Without valid settings only doctor starts, which reports the problem as one of its findings, and what can mend it. */
async function withoutSettings(
  parsed: Arguments,
  terminal: ProcessTerminal,
  problem: string,
): Promise<number> {
  const { env, cwd } = terminal;
  const { command, words } = parsed;
  const isMending = command === "config" && ["set", "unset", "path", "schema"].includes(words[0] ?? "");
  const bare =
    command === "doctor" || isMending
      ? await loadConfig({ arguments: parsed, env, cwd, withoutFiles: true })
      : undefined;
  if (!bare?.ok) return usageError(terminal, problem);
  if (isMending) return runCommand(parsed, { terminal, settings: bare.value });
  return (await import("./doctor/doctor.ts")).runDoctor(
    { terminal, settings: bare.value },
    { problem, flags: parsed.flags },
  );
}

/** A reader that went away is not our error; a full disk behind standard output is. */
function outputLost({ command, flags, help }: Arguments, terminal: ProcessTerminal, code: number): number {
  const reason: unknown = terminal.outputGone.reason;
  if (reason instanceof Error && "code" in reason && reason.code === "EPIPE") return code;
  const hasSession = command === "chat" && flags.noSave !== true && flags.version !== true && !help;
  const next = hasSession
    ? "the session is kept, see `toolwright sessions`"
    : "free some space, or write it elsewhere";
  return failWith(terminal, `Standard output could not be written (${errorMessage(reason)}): ${next}.`);
}

async function showHelp(terminal: ProcessTerminal, about: HelpSubject): Promise<number> {
  const { usualWidth, widthFor } = await import("../configuration/options/help-words.ts");
  const width = terminal.outputIsTerminal ? widthFor(terminal.columns()) : usualWidth;
  terminal.print(await helpAbout(about, width));
  return exitCodes.done;
}

async function helpAbout(about: HelpSubject, width: number): Promise<string> {
  if (about !== "overview" && about !== "everything")
    return (await import("../configuration/options/command-help.ts")).commandHelp(about, width);
  const { helpText, everythingText } = await import("../configuration/options/help.ts");
  return about === "overview" ? helpText(width) : everythingText(width);
}

async function showVersion(terminal: ProcessTerminal): Promise<number> {
  const { version } = await import("../configuration/options/version.ts");
  terminal.print(`toolwright ${version}\n`);
  return exitCodes.done;
}

const loadSettings = (parsed: Arguments, { env, cwd }: ProcessTerminal): Promise<Expected<Config>> =>
  loadConfig({ arguments: parsed, env, cwd });

/** The same arguments for another workspace. */
const withCwd = (parsed: Arguments, cwd: string): Arguments => ({
  ...parsed,
  flags: { ...parsed.flags, cwd },
});

async function runCommand(parsed: Arguments, context: CliContext): Promise<number> {
  if (context.settings.log === undefined || unlogged.includes(parsed.command))
    return dispatch(parsed, context);
  const { withRunLog } = await import("./run-log.ts");
  const ran = await withRunLog(parsed.command, context, (told) => dispatch(parsed, told));
  if (ran.ok) return ran.value;
  return failWith(context.terminal, ran.problem);
}

/** They tell and mend what is wrong with the settings, such as a log that cannot be written. */
const unlogged: readonly Arguments["command"][] = ["doctor", "config"];

function dispatch(parsed: Arguments, context: CliContext): Promise<number> {
  const { command, words } = parsed;
  const takesWords = commands.every((one) => one.name !== command || "takes" in one);
  if (!takesWords && words.length > 0)
    return Promise.resolve(
      usageError(
        context.terminal,
        `toolwright ${command} takes no further arguments, and "${words[0]}" is one: see toolwright ${command} --help.`,
      ),
    );
  const settingsFor = (cwd: string) => loadSettings(withCwd(parsed, cwd), context.terminal);
  return runs[command](context, { ...parsed, settingsFor });
}

type CommandArguments = Arguments & {
  /** Reads the settings of another workspace. */
  settingsFor: (cwd: string) => Promise<Expected<Config>>;
};
type CommandRunner = (context: CliContext, asked: CommandArguments) => Promise<number>;

/** The module that each command loads and runs. */
const runs: Readonly<Record<Arguments["command"], CommandRunner>> = {
  chat: async (context, { words, flags }) => {
    const problem = flags.gitBranch === "session" ? await branchProblem(context) : undefined;
    if (problem !== undefined) return usageError(context.terminal, problem);
    return context.settings.prompt === undefined && context.settings.input === "text"
      ? chat(context, words.join(" "))
      : headless({ ...context, given: flags }, words);
  },
  demo: (context) => demo(context),
  resume: (context, { words }) => resume(context, words),
  init: (context) => init(context),
  config: async (context, asked) => (await import("./config.ts")).runConfig(context, asked),
  completion: async (context, asked) =>
    (await import("./completion/completion.ts")).runCompletion(context, asked),
  fork: async (context, { words, flags }) =>
    (await import("./sessions/sessions.ts")).runSessions(context, { words: ["fork", ...words], flags }),
  models: async (context) => (await import("./models.ts")).runModels(context),
  login: async (context, { words }) => (await import("./login.ts")).runLogin(context, words),
  logout: async (context, { words }) => (await import("./login.ts")).runLogout(context, words),
  doctor: async (context, { flags }) => (await import("./doctor/doctor.ts")).runDoctor(context, { flags }),
  context: async (context) => (await import("./context.ts")).runContext(context),
  probe: async (context, { words, flags }) =>
    (await import("./probe.ts")).runProbe(context, { words, flags }),
  sessions: async (context, asked) => (await import("./sessions/sessions.ts")).runSessions(context, asked),
  checkpoints: async (context) => (await import("./changes/diff.ts")).runCheckpoints(context),
  diff: async (context, asked) => (await import("./changes/diff.ts")).runDiff(context, asked),
  undo: takesBack("undo"),
  redo: takesBack("redo"),
  keep: takesBack("keep"),
  explain: async (context, { words }) => (await import("./inspecting/explain.ts")).runExplain(context, words),
  policy: async (context, asked) => (await import("./inspecting/policy.ts")).runPolicy(context, asked),
  inspect: async (context, asked) => (await import("./inspecting/inspect.ts")).runInspect(context, asked),
  trust: async (context, { words }) => (await import("./trust/trust.ts")).runTrust(context, words),
  serve: async (context, asked) => (await import("./serving/serve.ts")).runServe(context, asked),
  worker: async (context, asked) => (await import("./serving/worker.ts")).runWorker(context, asked),
  admin: async (context, asked) => (await import("./admin.ts")).runAdmin(context, asked),
  "lm-server": async (context, asked) =>
    (await import("./serving/lm-server-words.ts")).runLmServerWords(context, asked),
  acp: async (context, asked) => (await import("./serving/acp.ts")).runAcp(context, asked),
  mcp: async (context, asked) =>
    asked.words.length > 0
      ? (await import("./mcp-client.ts")).runMcpClient(context, asked.words)
      : (await import("./serving/mcp-server.ts")).runMcpServer(context, asked),
};

const branchProblem = async ({ settings, terminal }: CliContext): Promise<string | undefined> =>
  (await import("../runtime/asked-branch.ts")).askedBranchProblem(settings.workspace, terminal.env);

function takesBack(command: "undo" | "redo" | "keep"): CommandRunner {
  return async (context, { words, flags }) =>
    (await import("./changes/undo.ts")).runUndo(context, { command, words, flags });
}

async function headless(context: CliContext, words: readonly string[]): Promise<number> {
  if (words.length > 0)
    return usageError(
      context.terminal,
      context.settings.prompt === undefined
        ? `Requests come by standard input here, and "${words[0]}" is not one of them: give the first one with -p.`
        : `-p has its prompt already, and "${words[0]}" follows it: put the whole prompt in quotes.`,
    );
  return (await import("./headless/headless.ts")).runHeadless(context);
}

/**
 * A conversation needs a terminal at both ends. Otherwise piped text is a request, as with -p. Without that, a message
 * and a configuration, the demo runs instead.
 */
async function chat(context: CliContext, first: string): Promise<number> {
  const { terminal, settings } = context;
  if (terminal.inputIsPiped) {
    const { readPrompt } = await import("./headless/piped-input.ts");
    const prompt = first === "" ? "-" : first;
    const piped = await readPrompt(prompt, terminal);
    if (!piped.ok) return usageError(terminal, piped.problem);
    const { text, attached } = piped.value;
    if (text.trim() !== first.trim() || attached.length > 0)
      return (await import("./headless/headless.ts")).runHeadless(
        { terminal, settings: { ...settings, prompt } },
        piped.value,
      );
  }
  const unprompted = promptOnly(settings);
  if (unprompted !== undefined) return usageError(terminal, unprompted);
  if (isPerson(terminal)) return converse(context, first);
  const isBare = first === "" && !settings.continue && settings.resume === undefined;
  if (isBare && (await lacksModel(context))) return demo(context);
  return usageError(
    terminal,
    'A conversation needs a terminal: use -p "…" for a single request, or -p - to read the prompt from standard input.',
  );
}

const isPerson = ({ inputIsTerminal, outputIsTerminal }: ProcessTerminal): boolean =>
  inputIsTerminal && outputIsTerminal;

/** Whoever begins without a model is asked for one first. */
async function converse(context: CliContext, first: string): Promise<number> {
  const { settings, model } = context;
  const isChosen = settings.model !== undefined || settings.offlineModel || model !== undefined;
  const begun = isChosen ? undefined : await offerModels(context);
  if (begun?.type === "left") return begun.code;
  return (await import("./conversation/conversation.ts")).converse(begun?.context ?? context, first);
}

const offerModels = async (context: CliContext) =>
  (await import("./conversation/first-run.ts")).firstRun(context, () => demo(context));

/** Continues a session in a conversation: the one that is named, else the newest of this workspace. */
async function resume(context: CliContext, [id, more]: readonly string[]): Promise<number> {
  if (more !== undefined)
    return usageError(
      context.terminal,
      `toolwright resume takes one session, and "${more}" is more: toolwright --resume ${id} "…" also says something to it.`,
    );
  const which = id === undefined ? { continue: true } : { continue: false, resume: id };
  return chat({ ...context, settings: { ...context.settings, ...which } }, "");
}

/** A conversation that begins with the request of `/init`; without a terminal, that request alone. */
async function init(context: CliContext): Promise<number> {
  if (isPerson(context.terminal)) return converse(context, "/init");
  const { initRequest } = await import("./conversation/init-command.ts");
  const settings = { ...context.settings, prompt: initRequest };
  return (await import("./headless/headless.ts")).runHeadless({ ...context, settings });
}

/** Options that a conversation has no use for. */
function promptOnly(settings: CliContext["settings"]): string | undefined {
  if (settings.attach.length > 0)
    return '--attach needs a prompt: add -p "…"; in a conversation write @path, or /attach';
  if (settings.output !== "text") return `--output ${settings.output} needs a prompt: add -p "…"`;
  const [flag] = Object.entries({
    timeout: settings.timeoutMs,
    "output-file": settings.outputFile,
    "json-schema": settings.jsonSchema,
    goal: settings.goal,
    "ask-on": settings.askOn,
    fork: settings.fork || undefined,
    "no-save": settings.noSave || undefined,
  }).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  return flag === undefined ? undefined : `--${flag} needs a prompt: add -p "…"`;
}

async function lacksModel(context: CliContext): Promise<boolean> {
  const { missingModel } = await import("./model-table.ts");
  return (await missingModel(context)) !== undefined;
}

async function demo({ terminal, settings }: CliContext): Promise<number> {
  const { runDemo } = await import("./demo.ts");
  return runDemo(terminal, settings);
}
