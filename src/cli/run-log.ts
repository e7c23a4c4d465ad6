/** Logs a run as a whole: its command, version and directory, its exit code, and the errors it reported. */

import { platform, release } from "node:os";
import type { Expected } from "../base/expected.ts";
import { version } from "../configuration/options/version.ts";
import type { LogSink } from "../runtime/observing/log-file.ts";
import { timeOf } from "../runtime/observing/log-lines.ts";
import { openLog } from "../runtime/observing/observers.ts";
import type { ProcessTerminal } from "../tui/process-terminal.ts";
import { type CliContext, complain } from "./cli-context.ts";

/**
 * Runs the command with log lines before and after. If the log cannot be opened, returns the problem without running.
 */
export async function withRunLog(
  command: string,
  context: CliContext,
  run: (context: CliContext) => Promise<number>,
): Promise<Expected<number>> {
  const log = await openLog(context.settings, context.terminal.env, (problem) =>
    complain(context.terminal, problem),
  );
  if (!log.ok) return log;
  log.value(beginning(command, context));
  const heard = withComplaints(context, log.value);
  const end = (exitCode?: number): void =>
    log.value({ at: timeOf(Date.now()), what: "run-end", pid: process.pid, exitCode });
  try {
    const code = await run(heard);
    end(code);
    return { ok: true, value: code };
  } catch (error) {
    const words = error instanceof Error ? (error.stack ?? error.message) : String(error);
    log.value({ at: timeOf(Date.now()), what: "exception", pid: process.pid, words });
    end();
    throw error;
  }
}

function beginning(command: string, { settings }: CliContext): object {
  const { model, mode, dialect, telemetry } = settings;
  return {
    at: timeOf(Date.now()),
    what: "run-start",
    pid: process.pid,
    command,
    version,
    node: process.versions.node,
    system: `${platform()} ${release()} ${process.arch}`,
    settings: { model, mode, dialect, telemetry: telemetry === "off" ? "off" : "on" },
  };
}

/** Copies each one-line error shown to people into the log. */
function withComplaints(context: CliContext, log: LogSink): CliContext {
  const report = (text: string): void => {
    const [, words] = /^toolwright: ([^\n]*)\n$/u.exec(text) ?? []; // only our own messages have this form
    if (words !== undefined) log({ at: timeOf(Date.now()), what: "complaint", words });
    context.terminal.report(text);
  };
  // Inherits the original's getters, which read the process only when accessed.
  const terminal: ProcessTerminal = Object.create(context.terminal, { report: { value: report } });
  return { ...context, terminal };
}
