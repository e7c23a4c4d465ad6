/** The seam between whoever serves sessions and whoever runs their turns: this process, or workers on any machine. */

import type { ContextReport } from "../agent/context/report.ts";
import type { Expected } from "../base/expected.ts";
import type { ProcessIdentity } from "../base/process-identity.ts";
import type { Command, CommandOutcome } from "../protocol/commands.ts";
import type { Review } from "../runtime/undoing.ts";
import type { OutcomeWanted, WorkOutcome } from "../session/checkouts/checkouts.ts";
import type { EngineFigures } from "./figures.ts";
import type { NewSession, SessionSettings, SlashCommands } from "./session-host.ts";

/** What can be asked of a session that must be open for it: plain data, which may cross to another machine. */
type SessionAsks = {
  create: { which: NewSession };
  command: { command: Command };
  review: { turn?: number };
  outcome: { wanted: OutcomeWanted; by?: string };
  settings: object;
  context: object;
  "slash-commands": object;
};

/** What comes back, by what was asked; plain data as well. */
export type AskOutcomes = {
  create: Expected<null>;
  command: CommandOutcome;
  review: Expected<Review>;
  outcome: Expected<WorkOutcome>;
  settings: Expected<SessionSettings>;
  context: Expected<ContextReport>;
  "slash-commands": Expected<SlashCommands>;
};

export type AskName = keyof SessionAsks;
export type SessionAsk<Name extends AskName = AskName> = {
  [One in Name]: { name: One } & SessionAsks[One];
}[Name];

/** These start new work: refused while a host stops, and where a tenant's limit is reached. */
export const beginsWork: ReadonlySet<Command["type"]> = new Set(["send", "go-on", "compact"]);

/** What a process does with the sessions that it runs. */
export interface TurnPerformer {
  /** Opens the session if necessary. */
  perform<Name extends AskName>(session: string, ask: SessionAsk<Name>): Promise<AskOutcomes[Name]>;
  /** Opens the session, also if this dead process is still noted as its holder, and lets its open turn go on. */
  goOn(session: string, dead?: ProcessIdentity): Promise<Expected<null>>;
  /** Resolves when nothing runs in the session: the turn is over, or it waits for a person. Rejects when it failed. */
  idle(session: string): Promise<void>;
  isOpen(session: string): boolean;
  /** Closes it, so that another process may open it. */
  release(session: string): Promise<void>;
  /** Accepts no more requests; resolves when nothing runs any more, or after this many milliseconds. */
  drain(mostMs: number): Promise<void>;
}

/** One owner a session, and what was submitted goes on elsewhere after a death. */
export interface TurnEngine {
  /** Hands over what is asked, in order, to the process that runs the session, or to one that may. */
  submit<Name extends AskName>(session: string, ask: SessionAsk<Name>): Promise<AskOutcomes[Name]>;
  /** From now on this process runs what is submitted. Call once. */
  work(performer: TurnPerformer): Promise<void>;
  /** Which of these sessions are run by this engine now, and where: words for people. */
  owner(sessions: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Of all machines together; undefined if this process is all there is. */
  figures(): Promise<EngineFigures | undefined>;
  /** Lets the session's open turn go on although nobody asked for anything, as after a death. */
  wake(session: string): Promise<void>;
  /** Takes nothing new; resolves when nothing runs here any more, or after this many milliseconds. */
  drain(mostMs: number): Promise<void>;
  close(): Promise<void>;
}
