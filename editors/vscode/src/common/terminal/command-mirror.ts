/** The commands of a session as they run: what was started, what it prints, and how it ended, from facts and signals. */

import type { Entry, FactOf, Signal } from "../../../../../src/client.ts";
import { terminalToolName } from "../tools/terminal-tool-name.ts";

export type MirrorPiece =
  | { type: "begin"; callId: string; command: string }
  | { type: "output"; callId: string; text: string }
  /** `exit` is missing where it did not end by itself; `words` say why. */
  | { type: "end"; callId: string; isOk: boolean; exit?: number; words: string };

type MirroredCommand = {
  command: string;
  hasBegun: boolean;
  /** Characters of its output that were shown. */
  shown: number;
};

type ResultLike = Pick<FactOf<"result">, "callId" | "outcome" | "content">;

/** It runs in a terminal that the user sees. */
const isShownThere = (tool: string): boolean => tool.endsWith(`__${terminalToolName}`);

/** Calls that were not heard of from their beginning are left out. */
export class CommandMirror {
  readonly #commands = new Map<string, MirroredCommand>();

  take(event: Entry | Signal): MirrorPiece[] {
    switch (event.type) {
      case "call":
        return isShownThere(event.call.name) ? [] : this.#called(event.call.id, event.call.input["command"]);
      case "approval-answered":
        return this.#called(event.callId, event.command);
      case "call-start":
        return event.does === "execute" ? this.#begun(event.callId) : [];
      case "output-delta":
        return [...this.#begun(event.callId), ...this.#printed(event)];
      case "command-tried":
        return this.#ended({ callId: event.callId, ...event.result });
      case "result":
        return this.#ended(event);
      case "turn-end":
        this.#commands.clear();
        return [];
      default:
        return [];
    }
  }

  /** The model's command, or what a person made of it before it ran. */
  #called(callId: string, command: unknown): MirrorPiece[] {
    const known = this.#commands.get(callId);
    if (typeof command === "string" && !known?.hasBegun)
      this.#commands.set(callId, { command, hasBegun: false, shown: 0 });
    return [];
  }

  #begun(callId: string): MirrorPiece[] {
    const command = this.#commands.get(callId);
    if (!command || command.hasBegun) return [];
    command.hasBegun = true;
    return [{ type: "begin", callId, command: command.command }];
  }

  /** After a broken connection it is told again from its start; what a slow connection dropped is missing. */
  #printed({ callId, offset, text }: Signal & { type: "output-delta" }): MirrorPiece[] {
    const command = this.#commands.get(callId);
    if (!command) return [];
    const more = text.slice(Math.max(0, command.shown - offset));
    const gap = offset > command.shown ? "\n[…]\n" : "";
    command.shown = Math.max(command.shown, offset + text.length);
    return more === "" ? [] : [{ type: "output", callId, text: gap + more }];
  }

  /** Its last words say how it ended. Output that was never streamed is shown now. */
  #ended({ callId, outcome, content }: ResultLike): MirrorPiece[] {
    const command = this.#commands.get(callId);
    this.#commands.delete(callId);
    if (!command?.hasBegun) return [];
    const texts = content.flatMap((part) => (part.type === "text" ? [part] : []));
    const words = texts.at(-1)?.text ?? "";
    const printed = texts.slice(0, -1).flatMap((part) => (part.for === "model" ? [] : [part.text]));
    const exit = /^Exit code: (\d+)$/u.exec(words)?.[1];
    const late: MirrorPiece[] =
      command.shown === 0 && printed.length > 0 ? [{ type: "output", callId, text: printed.join("\n") }] : [];
    return [
      ...late,
      {
        type: "end",
        callId,
        isOk: outcome === "ok",
        ...(exit === undefined ? {} : { exit: Number(exit) }),
        words,
      },
    ];
  }
}
