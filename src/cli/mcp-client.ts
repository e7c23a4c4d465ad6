/** `toolwright mcp list`, `login NAME` and `accept NAME`: the external tool servers that sessions use here. */

import { spawn } from "node:child_process";
import { visibleLine } from "../base/visible-text.ts";
import {
  acceptServer,
  inspectServers,
  logInAt,
  type ToolServerReport,
} from "../runtime/addons/tool-server-report.ts";
import { exitCodes, type CliContext, usageError, failWith } from "./cli-context.ts";

/** Exit code 1 if a server does not work, 2 for wrong usage. */
export async function runMcpClient(context: CliContext, words: readonly string[]): Promise<number> {
  const [what, name, more] = words;
  if (what === "add") return usageError(context.terminal, await howToAdd(context, words.slice(1)));
  if (more !== undefined)
    return usageError(context.terminal, `toolwright mcp ${what} takes one name, and "${more}" is more.`);
  switch (what) {
    case "list":
      return name === undefined
        ? list(context)
        : usageError(context.terminal, "toolwright mcp list takes no further arguments.");
    case "login":
      return name === undefined ? usageError(context.terminal, which("login")) : login(context, name);
    case "accept":
      return name === undefined ? usageError(context.terminal, which("accept")) : accept(context, name);
    default:
      return usageError(
        context.terminal,
        `There is no toolwright mcp ${visibleLine(what ?? "")}: list shows the tool servers, login NAME logs in to one, accept NAME approves its changes; without a word it offers sessions to other agents.`,
      );
  }
}

/** Prints what to add, to the existing file or one to create: what a server runs is for a person to read. */
async function howToAdd(
  { settings }: CliContext,
  [name = "NAME", ...what]: readonly string[],
): Promise<string> {
  const { configFileOf } = await import("../configuration/config-places.ts");
  const path = await configFileOf("user", settings);
  const [first = "PROGRAM", ...args] = what;
  const server = /^https?:/u.test(first)
    ? { url: first }
    : { command: first, ...(args.length > 0 ? { args } : {}) };
  const entry = JSON.stringify({ mcpServers: { [name]: server } });
  return `Tool servers are added in ${path}: put ${entry} there, as with other agents. \`toolwright mcp list\` then tries it.`;
}

const which = (what: string): string =>
  `Which server? toolwright mcp ${what} NAME; toolwright mcp list shows them.`;

async function list({ terminal, settings }: CliContext): Promise<number> {
  const { servers, problems } = await inspectServers(settings, terminal.env);
  for (const problem of problems) terminal.report(`! ${visibleLine(problem)}\n`);
  if (settings.output !== "text") terminal.print(`${JSON.stringify(servers)}\n`);
  else if (servers.length === 0)
    terminal.print(
      visibleLine(`There are no tool servers. ${await howToAdd({ terminal, settings }, [])}`) + "\n",
    );
  else
    terminal.print(
      `${servers
        .flatMap((server) => lines(server, settings.verbose ? Infinity : mostShown))
        .map(visibleLine)
        .join("\n")}\n`,
    );
  const isWell = servers.every(({ state }) => state === "ready" || state === "untrusted");
  return isWell && problems.length === 0 ? exitCodes.done : exitCodes.failed;
}

/** `most` limits the tools that are listed by name. */
function lines(server: ToolServerReport, most: number): string[] {
  const { name, where, what, state, words, tools, resources, prompts } = server;
  const shown = tools.slice(0, most);
  const left = tools.length - shown.length;
  return [
    `${name}  ${state}: ${words}`,
    `  ${what}  (${where})`,
    ...shown.map(
      ({ name: tool, reads, changed }) =>
        `  ${tool}${reads ? "  only reads" : ""}${changed ? "  has changed since it was first used" : ""}`,
    ),
    ...(left > 0 ? [`  … and ${left} more tools: --verbose lists them`] : []),
    ...(resources > 0 ? [`  resources: ${resources}`] : []),
    ...(prompts.length > 0 ? [`  prompts: ${prompts.map((prompt) => `/${prompt}`).join(", ")}`] : []),
  ];
}

const mostShown = 20;

async function login({ terminal, settings }: CliContext, name: string): Promise<number> {
  const controller = new AbortController();
  const release = terminal.onSignal(() => controller.abort(new Error("interrupted")));
  try {
    const done = await logInAt(settings, terminal.env, {
      name,
      signal: controller.signal,
      show: (address) => {
        terminal.print(
          `Log in at ${visibleLine(name)} in a browser on this machine:\n\n  ${visibleLine(address)}\n\n`,
        );
        if (terminal.outputIsTerminal) openInBrowser(address);
      },
    });
    if (!done.ok) return failWith(terminal, done.problem);
    const words = done.value.isNew ? `Logged in at ${name}.` : `${name} wants no login.`;
    terminal.print(`${visibleLine(words)}\n`);
    return exitCodes.done;
  } catch (error) {
    if (controller.signal.aborted) return exitCodes.interrupted;
    throw error;
  } finally {
    release();
  }
}

/** Without a browser, the address printed above is enough. */
function openInBrowser(address: string): void {
  const command = process.platform === "darwin" ? "open" : "xdg-open";
  if (process.platform === "win32" || !/^https?:/u.test(address)) return;
  const child = spawn(command, [address], { stdio: "ignore", detached: true });
  child.once("error", () => {});
  child.unref();
}

async function accept({ terminal, settings }: CliContext, name: string): Promise<number> {
  const accepted = await acceptServer(settings, terminal.env, name);
  if (!accepted.ok) return failWith(terminal, accepted.problem);
  const tools = accepted.value.join(", ");
  const words = tools === "" ? `Nothing of ${name} has changed.` : `Approved as they are now: ${tools}.`;
  terminal.print(`${visibleLine(words)}\n`);
  return exitCodes.done;
}
