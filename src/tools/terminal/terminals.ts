/** The terminals of a session: shells and programs that outlive the call that started them. */

import { randomHex } from "../../base/crypto.ts";
import { type Expected, refuse } from "../../base/expected.ts";
import { guardProcesses } from "../../base/process-guard.ts";
import { runVariable } from "../../base/process.ts";
import { type OpenPty, openPty } from "../../base/terminal/pty.ts";
import { directoryOf, readerOf } from "../../base/terminal/reader.ts";
import { terminalBounds } from "../bounds.ts";
import { type LiveTerminal, openTerminal, type TerminalStart } from "./live-terminal.ts";

/** Ended terminals that can still be read. */
export const mostEnded = 16;

const mostTerminals = terminalBounds.running.most;

export type PreparedStart = Omit<TerminalStart, "name" | "run">;

export class Terminals {
  readonly #open: OpenPty;
  /** The common prefix of the marks of all processes started here. */
  #mark: string | undefined;
  #started = 0;
  #releaseGuard: (() => void) | undefined;
  /** By name; an ended terminal stays readable until its name is reused. */
  readonly #byName = new Map<string, LiveTerminal>();
  /** Ended terminals whose name was reused: processes they left running end with the session. */
  readonly #former: LiveTerminal[] = [];
  #isClosed = false;

  constructor(open: OpenPty = openPty) {
    this.#open = open;
  }

  get(name: string): LiveTerminal | undefined {
    return this.#byName.get(name);
  }

  all(): LiveTerminal[] {
    return [...this.#byName.values()];
  }

  /** The directory of the program that would read typed input; undefined if none reads or the system does not tell. */
  directoryOf(name: string): string | undefined {
    const { pid, pty, end } = this.#byName.get(name) ?? {};
    if (pid === undefined || end) return undefined;
    const reader = readerOf(pid, pty?.device);
    return reader.kind === "reads" ? directoryOf(reader.pid) : undefined;
  }

  /** `prepare` puts the program into the sandbox; it is called only if there is room for another terminal. */
  async start(
    name: string,
    prepare: () => Promise<Expected<PreparedStart>>,
  ): Promise<Expected<LiveTerminal>> {
    const running = this.all().filter(({ end }) => !end);
    if (running.length >= mostTerminals) {
      const names = running.map((terminal) => terminal.name).join(", ");
      return refuse(`${mostTerminals} terminals run already (${names}); kill one first.`);
    }
    const prepared = await prepare();
    if (!prepared.ok) return prepared;
    // Created with the first terminal: other sessions are spared loading the random generator, which takes
    // milliseconds.
    this.#mark ??= randomHex(16);
    this.#releaseGuard ??= guardProcesses(`${runVariable}=${this.#mark}`);
    this.#started += 1;
    const run = `${this.#mark}.${this.#started}`;
    const opened = await openTerminal({ name, run, ...prepared.value }, this.#open);
    if (!opened.ok) return opened;
    const former = this.#byName.get(name);
    if (former) this.#former.push(former);
    this.#byName.delete(name);
    this.#byName.set(name, opened.value);
    await this.#forgetOldest();
    if (this.#isClosed) await this.close();
    return opened;
  }

  /** Ended terminals are sometimes read again, but a long session need not retain them all. */
  async #forgetOldest(): Promise<void> {
    const ended = [...this.#former, ...this.all().filter(({ end: over }) => over)];
    for (const terminal of ended.slice(0, Math.max(0, ended.length - mostEnded))) {
      const place = this.#former.indexOf(terminal);
      if (place === -1) this.#byName.delete(terminal.name);
      else this.#former.splice(place, 1);
      await end(terminal);
    }
  }

  /** Ends all terminals, with every process they started. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#former, ...this.#byName.values()].map(end));
    this.#releaseGuard?.();
  }
}

async function end(terminal: LiveTerminal): Promise<void> {
  await terminal.kill();
  const finished = await terminal.takeAftermath();
  await finished?.settled?.();
}
