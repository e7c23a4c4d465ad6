/** The calls of a step pass here in the order they were written. Nothing else knows who waits for whom. */

import { availableParallelism } from "node:os";
import { Slots } from "../../base/slots.ts";
import { type Access, Turnstile } from "../../base/turnstile.ts";
import type { Does } from "../../protocol/facts.ts";
import { mostAheadForCore } from "../bounds.ts";

/** The properties of a call that matter here. */
export type CallNature = {
  does: Does;
  /** A command that was understood and only reads. */
  onlyReads: boolean;
  /** The call keeps running in a terminal after its result. */
  lasts: boolean;
  /** The call types into a terminal. */
  types: boolean;
  /** An extension checks the call before it runs. */
  isGuarded: boolean;
  /** The call is a question to the person. */
  asks: boolean;
};

type QueuePlace = {
  access: Access;
  /** The call is decided and asked about before its turn comes. */
  isDecidedEarly: boolean;
  asks: boolean;
};

type PassingCall<Decided> = {
  nature: CallNature;
  isPlanning: boolean;
  /** `isDue`: its turn has come, and what was judged before may have changed. */
  decide: (isDue: boolean) => Promise<Decided>;
  takeTurn: (decided: Decided) => Promise<void>;
};

let counted: number | undefined;
/** Counted once: Node reads a file of the system for it, and each step needs it. */
const cores = (): number => (counted ??= availableParallelism());

export class CallTurnstile {
  readonly #lock = new Turnstile();
  /** Places for commands that run before their turn. */
  readonly placesAhead = new Slots(mostAheadForCore * cores());
  /** The calls that are queued or running: later ones may depend on them. */
  readonly #ahead = new Set<QueuePlace>();
  #understood: Promise<unknown> = Promise.resolve();
  #asked: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  /** A call waits for a person: calls behind it leave the queue until the next step. */
  close(): void {
    this.#isClosed = true;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Resolves when all calls so far are understood and queued. */
  get understood(): Promise<unknown> {
    return this.#understood;
  }

  /** One after the other: understanding the first command takes longer, and later calls must not overtake it. */
  understand<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#understood.then(work);
    this.#understood = done.catch(() => undefined);
    return done;
  }

  /** Calls are decided side by side; `turnToAsk` resolves when each ahead was asked about or needs no question. */
  decide<T>(work: (turnToAsk: Promise<unknown>) => Promise<T>): Promise<T> {
    const turnToAsk = this.#asked;
    const deciding = work(turnToAsk);
    const bothOver = (): Promise<unknown> => turnToAsk;
    this.#asked = deciding.then(bothOver, bothOver);
    return deciding;
  }

  async pass<Decided>(call: PassingCall<Decided>, signal: AbortSignal): Promise<void> {
    const place = placeInQueue(call.nature, [...this.#ahead], call.isPlanning);
    const deciding = place.isDecidedEarly ? call.decide(false) : undefined;
    deciding?.catch(() => undefined); // awaited when the call's turn comes
    this.#ahead.add(place);
    const turn = async (): Promise<void> => {
      if (!this.#isClosed) await call.takeTurn(await (deciding ?? call.decide(true)));
    };
    try {
      await this.#lock.pass(place.access, turn, signal);
    } finally {
      this.#ahead.delete(place);
      // Wait for a question in progress, or the next step would ask it a second time.
      await deciding?.catch(() => undefined);
    }
  }
}

export const placeInQueue = (
  call: CallNature,
  ahead: readonly QueuePlace[],
  isPlanning: boolean,
): QueuePlace => ({
  access: isExclusive(call) ? "exclusive" : "shared",
  isDecidedEarly: isDecidedEarly(call, ahead, isPlanning),
  asks: call.asks,
});

/** A read-only command runs where nothing can be changed; calls on a terminal must run one after the other. */
function isExclusive({ does, onlyReads, lasts, types, isGuarded }: CallNature): boolean {
  if (types) return true;
  if (does === "read") return false;
  return !onlyReads || lasts || isGuarded;
}

function isDecidedEarly(
  { does, types, isGuarded }: CallNature,
  ahead: readonly QueuePlace[],
  isPlanning: boolean,
): boolean {
  // A reply may change the call's purpose; plan mode's denials need not wait for it.
  if (!isPlanning && ahead.some((place) => place.asks)) return false;
  const changes = ahead.filter(({ access }) => access === "exclusive");
  if (changes.length === 0) return true;
  // People are asked in call order; reads rarely need a question, so they hold up no other call.
  if (!changes.every((place) => place.isDecidedEarly)) return false;
  // Calls ahead may change which program reads typed text; extensions must see the files as those calls left them.
  return does === "execute" && !types && !isGuarded;
}
