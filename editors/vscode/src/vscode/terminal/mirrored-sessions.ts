/** Follows the sessions of this folder once something has run in them, and mirrors their commands in a terminal each. */

import { realpath } from "node:fs/promises";
import type * as vscode from "vscode";
import { errorMessage } from "../../../../../src/base/expected.ts";
import type { SessionValue } from "../../../../../src/client.ts";
import { CommandMirror } from "../../common/terminal/command-mirror.ts";
import type { Core } from "../feature-context.ts";
import { SessionTerminal } from "./session-terminal.ts";

/** Sessions whose news are watched. */
const mostWatched = 50;
/** Facts before the newest from which a session is followed: the command that runs has begun in them. */
const factsBefore = 40;

type MirrorSetup = { folder: string; isWanted: () => boolean; log: vscode.LogOutputChannel };

export class MirroredSessions {
  readonly #setup: MirrorSetup;
  readonly #core: Core;
  readonly #closing = new AbortController();
  readonly #followed = new Set<string>();
  /** By session; the one that has run something last comes last. */
  readonly #terminals = new Map<string, SessionTerminal>();

  /** Watches until it is disposed. */
  constructor(core: Core, setup: MirrorSetup) {
    this.#core = core;
    this.#setup = setup;
    this.#quietly(this.#watch());
  }

  /** False: nothing has run here. */
  showNewest(): boolean {
    const newest = [...this.#terminals.values()].at(-1);
    newest?.show();
    return newest !== undefined;
  }

  dispose(): void {
    this.#closing.abort();
    for (const terminal of this.#terminals.values()) terminal.dispose();
  }

  async #watch(): Promise<void> {
    const workspace = await realpath(this.#setup.folder);
    for await (const { sessions } of this.#core.live.watch(mostWatched, this.#closing.signal))
      for (const session of sessions)
        if (session.workspace === workspace && isAtWork(session) && !this.#followed.has(session.id))
          this.#quietly(this.#mirror(session));
  }

  async #mirror({ id, title, facts }: SessionValue): Promise<void> {
    this.#followed.add(id);
    const mirror = new CommandMirror();
    const where = { after: Math.max(0, facts - factsBefore), signal: this.#closing.signal };
    let isClosed = false;
    const open = (): SessionTerminal =>
      new SessionTerminal({
        title: `Toolwright: ${title}`,
        interrupt: () => this.#quietly(this.#core.live.command(id, { type: "interrupt", by: "VS Code" })),
        closed: () => {
          isClosed = true; // the user does not want to see it
          this.#terminals.delete(id);
        },
      });
    for await (const event of this.#core.live.follow(id, where))
      for (const piece of mirror.take(event)) {
        if (isClosed || !this.#setup.isWanted()) continue;
        const terminal = this.#terminals.get(id) ?? open();
        if (piece.type === "begin") this.#terminals.delete(id);
        this.#terminals.set(id, terminal);
        terminal.add(piece);
      }
  }

  #quietly(work: Promise<unknown>): void {
    work.catch((error: unknown) => this.#setup.log.debug(`The terminal's mirror: ${errorMessage(error)}`));
  }
}

const isAtWork = ({ standing }: SessionValue): boolean => standing === "running" || standing === "waiting";
