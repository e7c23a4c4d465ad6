/** Prompts that wait for the end of their turn. */

import type { StopReason } from "@agentclientprotocol/sdk";
import type { Entry, FactOf } from "../protocol/facts.ts";
import { failure } from "./request-errors.ts";

type TurnWait = { turn?: number; ended: PromiseWithResolvers<StopReason> };

export class TurnWaits {
  /** By the id of the prompt's message. */
  readonly #waits = new Map<string, TurnWait>();
  #lastReason: FactOf<"answer-end">["reason"] = "stop";

  /** Whether no prompt waits. */
  get isEmpty(): boolean {
    return this.#waits.size === 0;
  }

  isOwn(messageId: string): boolean {
    return this.#waits.has(messageId);
  }

  /**
   * Resolves when the turn of that message has ended and all that it said was told. `turn`: the message goes to this
   * one, which runs already.
   */
  begin(messageId: string, turn?: number): Promise<StopReason> {
    const wait = { ended: Promise.withResolvers<StopReason>(), turn };
    this.#waits.set(messageId, wait);
    return wait.ended.promise.finally(() => this.#waits.delete(messageId));
  }

  end(messageId: string, reason: StopReason): void {
    this.#waits.get(messageId)?.ended.resolve(reason);
  }

  /** The turn waits for the next prompt. */
  pause(turn: number): void {
    for (const wait of this.#waits.values()) if (wait.turn === turn) wait.ended.resolve("end_turn");
  }

  /** The messages whose turn has not begun. */
  get waiting(): string[] {
    return [...this.#waits].flatMap(([id, { turn }]) => (turn === undefined ? [id] : []));
  }

  heard(fact: Entry): void {
    switch (fact.type) {
      case "user-message":
      case "steer": {
        const wait = this.#waits.get(fact.id ?? fact.queued ?? "");
        if (wait) wait.turn = fact.turn;
        return;
      }
      case "message-withdrawn":
        return this.end(fact.id, "cancelled");
      case "answer-end":
        this.#lastReason = fact.reason;
        return;
      case "turn-end":
        for (const wait of this.#waits.values()) if (wait.turn === fact.turn) this.#settle(wait, fact);
        return;
      default:
    }
  }

  /** The session cannot be followed any more. */
  fail(problem: string): void {
    for (const { ended } of this.#waits.values()) ended.reject(failure(problem));
  }

  #settle({ ended }: TurnWait, { stopped, because, advice }: FactOf<"turn-end">): void {
    if (stopped === "done") ended.resolve(this.#lastReason === "refusal" ? "refusal" : "end_turn");
    else if (stopped === "interrupted") ended.resolve("cancelled");
    else if (stopped === "limit") ended.resolve("max_turn_requests");
    else if (this.#lastReason === "length") ended.resolve("max_tokens");
    else ended.reject(failure([because, advice].filter(Boolean).join(" ")));
  }
}
