/**
 * Tool calls made directly by a client: each runs as a request in one of our sessions, so that it is decided on,
 * contained, logged and undoable like a model's call.
 */

import { randomUUID } from "node:crypto";
import { type Expected, errorMessage, refuse } from "../base/expected.ts";
import type { JsonObject } from "../base/json.ts";
import type { SessionHost } from "../hosting/session-host.ts";
import type { Command } from "../protocol/commands.ts";
import type { ChangedFile, Entry, FactOf, Mode, Signal } from "../protocol/facts.ts";
import { askedId, type PersonQuestion, notePending, type Pending } from "../view/person-questions.ts";
import { refusalOf } from "../view/question-forms.ts";
import { mcpServerBounds, mostCallsTogether } from "./bounds.ts";
import type { CallsToMake } from "./caller-model.ts";
import { isUnasked as nobodyAsked } from "./outcome.ts";

/** Sessions in which the MCP server carries out calls at once, while others wait for a person. */
const mostLanes = 4;
/** Requests of MCP clients recorded in one session. */
const mostCallsInSession = 500;

type DirectCall = {
  name: string;
  input: JsonObject;
  /** The call only reads, so it may share a request with other such calls. */
  reads: boolean;
  /** Whether the client can ask a person. */
  canAsk: boolean;
  heard: (event: Entry | Signal) => void;
};

export type CallStop =
  | {
      type: "ended";
      session: string;
      turn: number;
      result: FactOf<"result">;
      changes: ChangedFile[];
      /** Denied because no person could be asked. */
      isUnasked: boolean;
    }
  | { type: "waits"; session: string; asked: readonly PersonQuestion[] }
  /** The call could not be started. */
  | { type: "failed"; problem: string };

type DirectCallState = DirectCall & {
  id: string;
  session: string;
  pending: Pending;
  changes: ChangedFile[];
  isUnasked: boolean;
  stop?: CallStop;
  isCancelled: boolean;
  wake: () => void;
};

/** A session for direct calls, which runs one request at a time. */
type Lane = { session: string | undefined; requests: number; batch: readonly DirectCallState[] };

type DirectSetup = { host: SessionHost; toMake: CallsToMake; mode: Mode };

const { waiting } = mcpServerBounds;

export class DirectCalls {
  readonly host: SessionHost;
  readonly #setup: DirectSetup;
  readonly #lanes: Lane[] = [];
  readonly #queue: DirectCallState[] = [];
  /** Calls that a client may still ask about. */
  readonly #made = new Map<string, DirectCallState>();
  readonly #sessions = new Set<string>();
  readonly #closing = new AbortController();
  #changed: string | undefined;

  constructor(setup: DirectSetup) {
    this.#setup = setup;
    this.host = setup.host;
  }

  /** The session in which a call changed something last; before any change, the first one. */
  get session(): string | undefined {
    return this.#changed ?? this.#lanes.find(({ session }) => session !== undefined)?.session;
  }

  /** Whether this is a session for direct calls. */
  has(id: string): boolean {
    return this.#sessions.has(id);
  }

  /** Returns the id for `stop` and `cancel`. */
  begin(call: DirectCall): Expected<string> {
    if (this.#closing.signal.aborted) return refuse("The server is stopping.");
    if (this.#queue.length >= waiting.most)
      return refuse(`${waiting.most} calls wait already. Make this one again when some are done.`);
    const id = `mcp_${randomUUID()}`;
    const rest = {
      session: "",
      pending: new Map(),
      changes: [],
      isUnasked: false,
      isCancelled: false,
      wake: () => undefined,
    };
    const made: DirectCallState = { ...call, ...rest, id };
    this.#made.set(id, made);
    this.#queue.push(made);
    this.#pump();
    return { ok: true, value: id };
  }

  /** Resolves when the call has ended or waits for a person; undefined for an unknown id. */
  async stop(id: string): Promise<CallStop | undefined> {
    const made = this.#made.get(id);
    if (!made) return undefined;
    while (!made.stop && made.pending.size === 0)
      await new Promise<void>((resolve) => {
        made.wake = resolve;
      });
    if (!made.stop) return { type: "waits", session: made.session, asked: [...made.pending.values()] };
    this.#made.delete(id);
    return made.stop;
  }

  /** From here on the question is open no more, although the fact of its answer may not have been heard yet. */
  async answer(id: string, asked: PersonQuestion, command: Command): Promise<void> {
    const made = this.#made.get(id);
    if (!made) return;
    await this.host.command(made.session, command);
    if (made.pending.get(askedId(asked)) === asked) made.pending.delete(askedId(asked));
  }

  /** The caller no longer waits for this call. A batch shared with other callers keeps running. */
  cancel(id: string): void {
    const made = this.#made.get(id);
    if (!made) return;
    made.isCancelled = true;
    if (made.stop) return void this.#made.delete(id);
    const at = this.#queue.indexOf(made);
    if (at !== -1) {
      this.#queue.splice(at, 1);
      return this.#over(made, { type: "failed", problem: "Cancelled before it began." });
    }
    const lane = this.#lanes.find(({ batch }) => batch.includes(made));
    if (lane?.session !== undefined && lane.batch.every((one) => one.isCancelled || one.stop))
      this.host.command(lane.session, { type: "interrupt" }).catch(() => undefined);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    for (const made of this.#queue.splice(0))
      this.#over(made, { type: "failed", problem: "The server was stopped." });
    await this.host.close();
  }

  /** Uses the first free session; a further one only while all earlier ones wait for a person. */
  #pump(): void {
    while (this.#queue.length > 0 && !this.#closing.signal.aborted) {
      const free = this.#freeLane();
      if (!free) return;
      free.batch = this.#nextBatch();
      void this.#carryOut(free).finally(() => {
        free.batch = [];
        this.#pump();
      });
    }
  }

  #freeLane(): Lane | undefined {
    for (const lane of this.#lanes) {
      if (lane.batch.length === 0) return lane;
      if (lane.batch.every(({ pending }) => pending.size === 0)) return undefined;
    }
    if (this.#lanes.length >= mostLanes) return undefined;
    const lane: Lane = { session: undefined, requests: 0, batch: [] };
    this.#lanes.push(lane);
    return lane;
  }

  /** One call, or several that only read. */
  #nextBatch(): DirectCallState[] {
    const [first] = this.#queue;
    if (!first) return [];
    const isLike = (made: DirectCallState): boolean =>
      made.reads && first.reads && made.canAsk === first.canAsk;
    const end = this.#queue.findIndex((made) => !isLike(made));
    const count = Math.min(end === -1 ? this.#queue.length : end, mostCallsTogether);
    return this.#queue.splice(0, Math.max(1, count));
  }

  async #carryOut(lane: Lane): Promise<void> {
    const { batch } = lane;
    try {
      const session = await this.#sessionOf(lane);
      if (!session.ok) return this.#failAll(batch, session.problem);
      for (const made of batch) made.session = session.value;
      const problem = await this.#makeIn(session.value, lane);
      this.#failAll(batch, problem ?? "It was broken off.");
    } catch (error) {
      this.#failAll(batch, errorMessage(error));
    }
  }

  async #sessionOf(lane: Lane): Promise<Expected<string>> {
    lane.requests += 1;
    if (lane.session !== undefined && lane.requests <= mostCallsInSession)
      return { ok: true, value: lane.session };
    const made = await this.host.create({ title: "Calls of another program (MCP)", mode: this.#setup.mode });
    if (!made.ok) return made;
    lane.session = made.value.id;
    this.#sessions.add(made.value.id);
    lane.requests = 1;
    return { ok: true, value: made.value.id };
  }

  /** Returns the problem if the request could not be started. */
  async #makeIn(id: string, { batch }: Lane): Promise<string | undefined> {
    const calls = batch.map(({ id: callId, name, input }) => ({ id: callId, name, input, source: "native" }));
    this.#setup.toMake.set(id, calls);
    const after = (await this.host.row(id))?.facts ?? 0;
    const names = [...new Set(batch.map(({ name }) => name))].join(", ");
    const text = `Another program calls ${names} through MCP.`;
    const sent = await this.host.command(id, { type: "send", content: [{ type: "text", text }] });
    if (!sent.ok) {
      this.#setup.toMake.delete(id);
      return sent.problem;
    }
    if (batch.every(({ isCancelled }) => isCancelled)) await this.host.command(id, { type: "interrupt" });
    const person = batch.some(({ canAsk }) => canAsk);
    for await (const event of this.host.follow(id, after, { signal: this.#closing.signal, person })) {
      const callId = "callId" in event ? event.callId : undefined;
      const made = batch.find(({ id: one }) => one === callId);
      if (made) this.#heard(made, event);
      else if (callId === undefined) this.#asked(batch, event);
      if (event.type === "turn-end") return undefined;
    }
    return undefined;
  }

  #heard(made: DirectCallState, event: Entry | Signal): void {
    made.heard(event);
    if (event.type === "change-applied") {
      made.changes.push(...event.changes);
      this.#changed = made.session;
    }
    if (event.type === "decision") made.isUnasked = nobodyAsked(event);
    if (event.type === "result") {
      const { session, changes, isUnasked } = made;
      this.#over(made, { type: "ended", session, turn: event.turn, result: event, changes, isUnasked });
    } else this.#asked([made], event);
  }

  #asked(batch: readonly DirectCallState[], event: Entry | Signal): void {
    for (const made of batch) {
      notePending(made.pending, event);
      const [first] = made.pending.values();
      if (!first) continue;
      if (made.canAsk && !made.isCancelled) made.wake();
      else if (event.type.endsWith("-asked")) this.#refuse(made.session, first);
    }
    if (event.type.endsWith("-asked")) this.#pump(); // other calls need not wait for a person
  }

  #refuse(session: string, asked: PersonQuestion): void {
    this.host.command(session, refusalOf(asked, "toolwright")).catch(() => undefined);
  }

  #failAll(batch: readonly DirectCallState[], problem: string): void {
    for (const made of batch) if (!made.stop) this.#over(made, { type: "failed", problem });
  }

  #over(made: DirectCallState, stop: CallStop): void {
    made.stop = stop;
    made.pending.clear();
    made.wake();
    if (made.isCancelled) this.#made.delete(made.id);
  }
}
