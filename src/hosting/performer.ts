/** What a process does with the sessions that it runs: opens them, and carries out what is asked of them. */

import { withDeadline } from "../base/async.ts";
import { type Expected, refuse } from "../base/expected.ts";
import { isSameProcess, type ProcessIdentity } from "../base/process-identity.ts";
import type { Command, CommandOutcome } from "../protocol/commands.ts";
import type { ContentPart } from "../protocol/messages.ts";
import type { LiveSession } from "../runtime/live-session.ts";
import { mayMeanMore, meantBy } from "../runtime/messages/expand-message.ts";
import type { MessageReader } from "../runtime/messages/take-message.ts";
import { noSuchSession } from "../runtime/open-session.ts";
import type { CheckoutPlace, WorkOutcome } from "../session/checkouts/checkouts.ts";
import { StoreError } from "../session/store.ts";
import { type HostParts, openStored } from "./host-parts.ts";
import type { HostedSessions } from "./hosted-sessions.ts";
import { type NewSession, NoSuchSession, type SlashCommands } from "./session-host.ts";
import {
  type AskName,
  type AskOutcomes,
  beginsWork,
  type SessionAsk,
  type TurnPerformer,
} from "./turn-engine.ts";

export function performerOf(parts: HostParts): TurnPerformer {
  const { sessions } = parts;
  const handlers = handlersFor(parts);
  return {
    perform: (session, ask) => performAsk(handlers, session, ask),
    async goOn(session, dead) {
      const taken = dead ? await takeOver(parts, session, dead) : { ok: true as const, value: null };
      if (!taken.ok) return taken;
      const gone = await useStored(parts, session, (live) => live.command({ type: "go-on" }));
      return gone.ok ? { ok: true, value: null } : gone;
    },
    idle: async (session) => sessions.live(session)?.idle(),
    isOpen: (session) => sessions.live(session) !== undefined,
    release: (session) => sessions.close(session),
    drain: (mostMs) => drainSessions(sessions, mostMs),
  };
}

type AskHandlers = {
  [Name in AskName]: (session: string, ask: SessionAsk<Name>) => Promise<AskOutcomes[Name]>;
};

const performAsk = <Name extends AskName>(
  handlers: AskHandlers,
  session: string,
  ask: SessionAsk<Name>,
): Promise<AskOutcomes[Name]> => handlers[ask.name](session, ask);

function handlersFor(parts: HostParts): AskHandlers {
  return {
    create: (id, { which }) => createSession(parts, id, which),
    command: (id, { command }) => carryOut(parts, id, command),
    review: (id, { turn }) => using(parts, id, (live) => live.review(turn)),
    settings: (id) =>
      using(parts, id, async ({ mode, model, reasoning }) => ({
        ok: true,
        value: { mode, model: model.name, reasoning },
      })),
    outcome: (id, ask) => using(parts, id, (live) => outcomeOf(parts, live, ask)),
    context: (id) => using(parts, id, async (live) => ({ ok: true, value: await live.context() })),
    "slash-commands": (id) => using(parts, id, ({ state }) => slashCommandsIn(parts, state.workspace)),
  };
}

async function createSession(parts: HostParts, id: string, which: NewSession): Promise<Expected<null>> {
  const { runtimes, sessions, lent, checkouts } = parts;
  if (sessions.isStopping) return stops;
  const {
    workspace: _,
    repository: __,
    ref: ___,
    subdirectory: ____,
    title,
    servers,
    owner,
    ...chosen
  } = which;
  const place = await placeOf(parts, id, which);
  if (!place.ok) return place;
  const { workspace, checkout } = place.value;
  lent.lend({ session: id }, servers ?? {});
  const opened = await runtimes.use(workspace, (runtime) =>
    runtime.open({ ...chosen, by: owner?.person, id, checkout }),
  );
  if (!opened.ok) {
    lent.lend({ session: id }, {});
    if (checkout) await checkouts?.removeOf(workspace);
    return opened;
  }
  sessions.adopt(opened.value);
  if (title !== undefined && title.trim() !== "")
    await opened.value.command({ type: "rename", title, by: owner?.person });
  return { ok: true, value: null };
}

/** A directory that is there, or a checkout of its own. */
async function placeOf(
  { setup, checkouts }: HostParts,
  id: string,
  { workspace, repository, ref, subdirectory }: NewSession,
): Promise<Expected<{ workspace: string; checkout?: CheckoutPlace["checkout"] }>> {
  const isInDirectory = repository === undefined;
  if (isInDirectory && (ref !== undefined || subdirectory !== undefined))
    return refuse("A ref or a subdirectory goes with a repository: name that, too.");
  if (isInDirectory && workspace !== undefined && (await checkouts?.holds(workspace)))
    return refuse("That directory is the checkout of a session: go on with that one, or with a copy of it.");
  if (isInDirectory) return { ok: true, value: { workspace: workspace ?? setup.workspace } };
  if (workspace !== undefined) return refuse("Name a workspace or a repository, not both.");
  if (!checkouts) return refuse("This program makes no checkouts: name a directory.");
  return checkouts.make(id, { repository, ref, subdirectory });
}

/** A worker that died is no longer in the way, also where its machine cannot tell that it is dead. */
async function takeOver(parts: HostParts, id: string, dead: ProcessIdentity): Promise<Expected<null>> {
  const { setup, sessions } = parts;
  const [summary, holder] = await Promise.all([setup.store.get(id), setup.store.holder(id)]);
  if (!summary) throw new NoSuchSession(noSuchSession(id));
  const takesOver = holder !== undefined && isSameProcess(holder.process, dead);
  if (!takesOver || sessions.live(id)) return { ok: true, value: null };
  const opened = await openStored(parts, id, true);
  if (!opened.ok) return opened;
  sessions.adopt(opened.value);
  return { ok: true, value: null };
}

async function outcomeOf(
  { checkouts }: HostParts,
  live: LiveSession,
  { wanted, by }: Pick<SessionAsk<"outcome">, "wanted" | "by">,
): Promise<Expected<WorkOutcome>> {
  if (live.isWorking)
    return refuse(
      "Something runs in this session. Wait until it is done, or interrupt it, before its work is taken.",
    );
  const outcome = await checkouts?.outcome(live.state, wanted);
  if (!outcome?.ok) return outcome ?? refuse("This program makes no checkouts.");
  const { branch, commit } = outcome.value;
  if (wanted.as !== "patch" && branch !== undefined)
    await live.log.append({ type: "work-delivered", as: wanted.as, branch, commit, by });
  return outcome;
}

async function carryOut(parts: HostParts, id: string, command: Command): Promise<CommandOutcome> {
  if (parts.sessions.isStopping && beginsWork.has(command.type)) return stops;
  const used = await useStored(parts, id, (live) => live.command(command, readingIn(parts, live)));
  return used.ok ? used.value : used;
}

/** A session deleted at the moment it is opened fails in the store: report it as missing instead. */
async function useStored<T>(
  { setup: { store }, sessions }: HostParts,
  id: string,
  work: (live: LiveSession) => Promise<T>,
): Promise<Expected<T>> {
  try {
    return await sessions.use(id, work);
  } catch (error) {
    if (!(error instanceof StoreError) || (await store.get(id))) throw error;
    throw new NoSuchSession(noSuchSession(id));
  }
}

/**
 * Drops a client's claim of what was typed: it would let people see other words than the model gets. Only the expansion
 * done here may set it.
 */
function asTyped(part: ContentPart): ContentPart {
  if (part.type !== "text" || part.typed === undefined) return part;
  const { typed: _, ...told } = part;
  return told;
}

/**
 * Expands messages as a terminal does, but only files inside the workspace: the sender is unknown, so the text may come
 * from someone else.
 */
function readingIn({ runtimes }: HostParts, { state, log }: LiveSession): MessageReader {
  return async (sent, signal) => {
    const content = sent.map(asTyped);
    if (!mayMeanMore(content)) return { ok: true, value: [...content] };
    const meant = await runtimes.use(state.workspace, ({ fileCommands: commands, workspace, objection }) =>
      meantBy(content, { commands, workspace, objection }, { onlyInside: true, signal }),
    );
    if (!meant.ok) return meant;
    const { content: told, called } = meant.value;
    if (called?.unheeded !== undefined)
      await log.append({
        type: "warning",
        code: "command-head",
        text: `/${called.name}: ${called.unheeded}`,
      });
    return { ok: true, value: told };
  };
}

export const slashCommandsIn = (
  { runtimes }: HostParts,
  workspace: string,
): Promise<Expected<SlashCommands>> =>
  runtimes.use(workspace, async ({ fileCommands }) => ({ ok: true, value: await fileCommands.list() }));

async function using<T>(
  parts: HostParts,
  id: string,
  work: (live: LiveSession) => Promise<Expected<T>>,
): Promise<Expected<T>> {
  const used = await useStored(parts, id, work);
  return used.ok ? used.value : used;
}

const stops = { ok: false as const, problem: "This server is shutting down. Try again after it restarts." };

/** Refuses new work from now on; resolves when nothing runs any more, or after `mostMs` milliseconds. */
async function drainSessions(sessions: HostedSessions, mostMs: number): Promise<void> {
  sessions.stop();
  await withDeadline(Promise.allSettled(sessions.all().map((live) => live.idle())), mostMs);
}
