/** Terminals of the user's own shell, opened for commands that they allowed there, and used again while they are idle. */

import * as vscode from "vscode";
import type { Expected } from "../../../../../src/base/expected.ts";
import {
  runInShell,
  type ShellCommand,
  type ShellOutcome,
  type ShellRequest,
  type UserShell,
} from "../../common/tools/user-shell.ts";
import { inEnglishOnly } from "../../common/translate.ts";
import { workspaceFolder } from "../tools/workspace-paths.ts";

const interruptKey = "\u0003";

type OwnTerminal = {
  terminal: vscode.Terminal;
  shell: UserShell;
  /** A command of ours is about to begin in it, or is watched. */
  isTaken: boolean;
  /** What runs in it, also of the user's; a command whose end is never told stays here, and the terminal is left alone. */
  running: Map<vscode.TerminalShellExecution, (exit: number | undefined) => void>;
  integrated: () => void;
  closed: (exit: number | undefined) => void;
};

export class UserTerminals implements vscode.Disposable {
  readonly #own = new Map<vscode.Terminal, OwnTerminal>();
  /** Listens before anything begins: the end of a short command comes at once. */
  readonly #listening = vscode.Disposable.from(
    vscode.window.onDidChangeTerminalShellIntegration(({ terminal }) =>
      this.#own.get(terminal)?.integrated(),
    ),
    vscode.window.onDidStartTerminalShellExecution(({ terminal, execution }) => {
      const running = this.#own.get(terminal)?.running;
      if (running && !running.has(execution)) running.set(execution, () => undefined);
    }),
    vscode.window.onDidEndTerminalShellExecution(({ terminal, execution, exitCode }) => {
      const running = this.#own.get(terminal)?.running;
      running?.get(execution)?.(exitCode);
      running?.delete(execution);
    }),
    vscode.window.onDidCloseTerminal((terminal) => {
      this.#own.get(terminal)?.closed(terminal.exitStatus?.code);
      this.#own.delete(terminal);
    }),
  );

  /** Shows the terminal without taking the focus. */
  async run(request: ShellRequest): Promise<Expected<ShellOutcome>> {
    const own = [...this.#own.values()].find(isIdle) ?? this.#open();
    own.isTaken = true;
    own.terminal.show(true);
    try {
      const ran = await runInShell(own.shell, request);
      if (own.terminal.shellIntegration === undefined) own.terminal.dispose(); // it is of no use to us
      return ran;
    } finally {
      own.isTaken = false;
    }
  }

  dispose(): void {
    this.#listening.dispose();
  }

  #open(): OwnTerminal {
    const terminal = vscode.window.createTerminal({
      name: vscode.l10n.t("Toolwright: your shell"),
      iconPath: new vscode.ThemeIcon("terminal"),
      isTransient: true,
      ...cwd(workspaceFolder()),
    });
    const { promise: ready, resolve: integrated } = Promise.withResolvers<void>();
    const { promise: closed, resolve: close } = Promise.withResolvers<number | undefined>();
    const running: OwnTerminal["running"] = new Map();
    const shell: UserShell = {
      ready,
      closed,
      name: () => terminal.state.shell,
      begin: (line) => begin(terminal, line, running),
      interrupt: () => terminal.sendText(interruptKey, false),
    };
    const own: OwnTerminal = { terminal, shell, isTaken: false, running, integrated, closed: close };
    this.#own.set(terminal, own);
    return own;
  }
}

const cwd = (folder: string | undefined): { cwd?: string } => (folder === undefined ? {} : { cwd: folder });

const isIdle = ({ isTaken, running }: OwnTerminal): boolean => !isTaken && running.size === 0;

function begin(terminal: vscode.Terminal, line: string, running: OwnTerminal["running"]): ShellCommand {
  const integration = terminal.shellIntegration;
  if (!integration) throw new Error(inEnglishOnly("The terminal does not tell of its commands any more."));
  const { promise: ended, resolve } = Promise.withResolvers<number | undefined>();
  const execution = integration.executeCommand(line);
  const output = execution.read(); // at once: what is printed before is lost
  running.set(execution, resolve);
  return { ended, output };
}
