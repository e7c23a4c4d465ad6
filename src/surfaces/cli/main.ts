/** The command line: reads the options, loads what the command needs and nothing else, and returns the exit code. */
import type { Parsed } from "../../base/json.ts";
import { loadConfig, type Config } from "../../runtime/config.ts";
import { parseArguments, type Arguments } from "../../runtime/arguments.ts";
import type { HelpAsked } from "../../runtime/help-asked.ts";
import { complain, complainOf, exitCodes, type CliRoom } from "./room.ts";
import { processTerminal, type Terminal } from "./terminal.ts";

/** Never throws: what goes wrong is one line on standard error. Everything printed is flushed. */
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
      ? await dispatch(parsed.value, { terminal, settings: settings.value })
      : usageError(terminal, settings.problem);
  } catch (error) {
    complainOf(terminal, error, flags.verbose === true);
    return exitCodes.failed;
  }
}

function usageError(terminal: Terminal, problem: string): number {
  complain(terminal, problem);
  return exitCodes.usage;
}

/** A reader that has gone away is no error of ours; a full disk behind standard output is. */
function outputLost(terminal: Terminal, code: number): number {
  const reason: unknown = terminal.outputGone.reason;
  if (reason instanceof Error && "code" in reason && reason.code === "EPIPE") return code;
  complain(
    terminal,
    `Standard output could not be written (${String(reason)}): the session is kept, see \`toolwright sessions\`.`,
  );
  return exitCodes.failed;
}

async function showHelp(terminal: Terminal, about: HelpAsked): Promise<number> {
  const text =
    about === "everything"
      ? (await import("../../runtime/help.ts")).helpText()
      : (await import("../../runtime/command-help.ts")).commandHelp(about);
  terminal.print(text);
  return exitCodes.done;
}

async function showVersion(terminal: Terminal): Promise<number> {
  const { version } = await import("../../runtime/version.ts");
  terminal.print(`toolwright ${version}\n`);
  return exitCodes.done;
}

const loadSettings = (parsed: Arguments, { env, cwd }: Terminal): Promise<Parsed<Config>> =>
  loadConfig({ arguments: parsed, env, cwd });

/** The same in another workspace. */
const withCwd = (parsed: Arguments, cwd: string): Arguments => ({
  ...parsed,
  flags: { ...parsed.flags, cwd },
});

async function dispatch(parsed: Arguments, room: CliRoom): Promise<number> {
  const { command, words } = parsed;
  if (command === "inspect") {
    const { runInspect } = await import("./inspect.ts");
    return runInspect(room, { words, flags: parsed.flags });
  }
  if (command === "explain") return (await import("./explain.ts")).runExplain(room, words);
  if (command === "policy") {
    const { runPolicy } = await import("./policy.ts");
    return runPolicy(room, { words, flags: parsed.flags });
  }
  if (command === "sessions") {
    const { runSessions } = await import("./sessions.ts");
    return runSessions(room, { words, flags: parsed.flags });
  }
  if (command === "diff") return (await import("./diff.ts")).runDiff(room, { words, flags: parsed.flags });
  if (command === "undo" || command === "redo" || command === "keep") {
    const { runUndo } = await import("./undo.ts");
    return runUndo(room, { command, words, flags: parsed.flags });
  }
  if (command === "serve") {
    const settingsFor = (cwd: string) => loadSettings(withCwd(parsed, cwd), room.terminal);
    return (await import("./serve.ts")).runServe(room, { words, flags: parsed.flags, settingsFor });
  }
  if (command === "probe") return (await import("./probe.ts")).runProbe(room, words);
  if (command !== "chat" && words.length > 0)
    return usageError(
      room.terminal,
      `toolwright ${command} takes no further words, and "${words[0]}" is one: see toolwright --help.`,
    );
  switch (command) {
    case "chat":
      return room.settings.prompt === undefined ? chat(room, words.join(" ")) : headless(room, words);
    case "models":
      return (await import("./models.ts")).runModels(room);
    case "checkpoints":
      return (await import("./diff.ts")).runCheckpoints(room);
    case "context":
      return (await import("./context.ts")).runContext(room);
    case "doctor":
      return (await import("./doctor.ts")).runDoctor(room);
    case "lm-server":
      return (await import("./lm-server.ts")).runLmServer(room);
    case "demo":
      return demo(room);
    default:
      return command satisfies never;
  }
}

async function headless(room: CliRoom, words: readonly string[]): Promise<number> {
  if (words.length > 0)
    return usageError(
      room.terminal,
      `-p has its prompt already, and "${words[0]}" stands beside it: put the whole prompt in quotes.`,
    );
  return (await import("./headless.ts")).runHeadless(room);
}

/** A conversation needs a terminal at both ends. Without one, and with nothing asked or set up, the demo shows what there is. */
async function chat(room: CliRoom, first: string): Promise<number> {
  const { terminal, settings } = room;
  if (terminal.inputIsTerminal && terminal.outputIsTerminal)
    return (await import("./conversation.ts")).converse(room, { first, demo: () => demo(room) });
  const isBare = first === "" && !settings.continue && settings.resume === undefined;
  if (isBare && (await lacksModel(room))) return demo(room);
  return usageError(
    terminal,
    'A conversation needs a terminal, and there is none: give the prompt with -p "…", or -p - to pipe it in.',
  );
}

async function lacksModel(room: CliRoom): Promise<boolean> {
  const { missingModel } = await import("./model-table.ts");
  return (await missingModel(room)) !== undefined;
}

async function demo({ terminal }: Pick<CliRoom, "terminal">): Promise<number> {
  const { runDemo } = await import("./demo.ts");
  return runDemo(terminal);
}
