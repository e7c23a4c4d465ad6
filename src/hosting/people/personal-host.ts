/**
 * A session host as one person has it: every request passes here, and what may not be done never reaches the host. A
 * session that they may not read is one that does not exist.
 */

import { type Expected, refuse } from "../../base/expected.ts";
import { isWithin } from "../../base/paths.ts";
import { withoutUndefined } from "../../base/without-undefined.ts";
import { includes, rightFor, type Right, rights, signedBy } from "../../protocol/rights.ts";
import { noSuchSession } from "../../runtime/open-session.ts";
import { type Belonging, everybody } from "../../session/team.ts";
import type { HostFigures } from "../figures.ts";
import { existing } from "../hosted-runtimes.ts";
import { type HostedRow, NoSuchSession, type SessionHost } from "../session-host.ts";
import { may, mayAtAll, type Person, viewerOf } from "./may.ts";
import { type People, personId } from "./people.ts";

/** The person's role, the token or the sharing does not include what was asked. */
export class NotAllowed extends Error {
  override readonly name = "NotAllowed";
  constructor(right: Right) {
    super(`This needs the right to ${right}, which you do not have here.`);
  }
}

/** The token has expired or was revoked since it was shown. */
export class SignedOut extends Error {
  override readonly name = "SignedOut";
  constructor() {
    super("This token is no longer valid: log in again, or ask an administrator for another one.");
  }
}

type PersonalSetup = {
  host: SessionHost;
  people: People;
  /** Tells of the person afresh at each request: roles change, and tokens are revoked. */
  token: string;
  /** As admitted. */
  person: Person;
  /** Called when the token is found to be no longer valid. */
  signOut: () => void;
  /** Milliseconds between looks at whether a follower still may; replaced in tests. */
  lookMs?: number | undefined;
};

/** Longest time for which somebody follows on who no longer may, in milliseconds. */
const usualLookMs = 5_000;

const noFigures: HostFigures = { open: 0, working: 0, followers: 0, facts: 0, signals: 0 };

export function personalHost(setup: PersonalSetup): SessionHost {
  const { host, person } = setup;
  const guard = personalGuard(setup);
  return {
    workspace: person.role === "administrator" ? host.workspace : person.workspace,
    mode: host.mode,
    ...listing(setup, guard),
    ...reading(setup, guard),
    ...making(setup, guard),
    async lend(id, servers) {
      await guard.session(id, "manage");
      await host.lend(id, servers);
    },
    async lendIn(workspace, servers) {
      await guard.atAll("manage");
      return host.lendIn(workspace, servers);
    },
    openBuffers: () => refuseAlways(),
    /** How busy others are is nobody's business. */
    figures: () => (mayAtAll(person, "manage") ? host.figures() : noFigures),
    queues: async () => (mayAtAll(person, "manage") ? host.queues() : undefined),
    probe: () => host.probe(),
    drain: async () => refuseAlways(),
    close: async () => refuseAlways(),
  };
}

/** Of the server's own concern. */
function refuseAlways(): never {
  throw new NotAllowed("manage");
}

type PersonalGuard = {
  /** Throws NotAllowed, SignedOut. */
  atAll: (right: Right) => Promise<Person>;
  /** Throws NoSuchSession as well. */
  session: (id: string, right: Right) => Promise<Person>;
  may: (id: string, right: Right) => Promise<boolean>;
};

function personalGuard({ host, people, token, signOut }: PersonalSetup): PersonalGuard {
  const present = async (): Promise<Person> => {
    const person = await people.signedIn(token);
    if (person) return person;
    signOut();
    throw new SignedOut();
  };
  const rowFor = async (right: Right, id: string): Promise<HostedRow | undefined> =>
    needsPlace(right) ? host.row(id) : undefined;
  return {
    async atAll(right) {
      const person = await present();
      if (!mayAtAll(person, right)) throw new NotAllowed(right);
      return person;
    },
    async session(id, right) {
      const person = await present();
      const belonging = await people.records.belonging(id);
      if (!may(person, "read", belonging)) throw new NoSuchSession(noSuchSession(id));
      if (!mayWith(person, right, { belonging, row: await rowFor(right, id) })) throw new NotAllowed(right);
      return person;
    },
    async may(id, right) {
      const [person, belonging] = [await present(), await people.records.belonging(id)];
      return mayWith(person, right, { belonging, row: await rowFor(right, id) });
    },
  };
}

/** Who works in a session acts in its directory, which must be theirs to work in. */
const needsPlace = (right: Right): boolean => includes(right, "work");

type SessionOfSomebody = { belonging: Belonging | undefined; row: HostedRow | undefined };

/** `row`: read only where `needsPlace`. */
const mayWith = (person: Person, right: Right, { belonging, row }: SessionOfSomebody): boolean =>
  may(person, right, belonging) && (!needsPlace(right) || worksInside(person, row));

function asSeen(row: HostedRow, person: Person, belonging: Belonging | undefined): HostedRow {
  const access = rights.findLast((right) => mayWith(person, right, { belonging, row }));
  const isOthers = belonging !== undefined && belonging.person !== person.id;
  return { ...row, ...withoutUndefined({ access, owner: isOthers ? belonging.person : undefined }) };
}

function listing({ host, people, lookMs = usualLookMs }: PersonalSetup, guard: PersonalGuard) {
  return {
    async rows(which) {
      const person = await guard.atAll("read");
      if (which.parent !== undefined && !(await guard.may(which.parent, "read")))
        return { sessions: [], more: false };
      const seenBy = viewerOf(person);
      const found = await host.rows(seenBy ? { ...which, seenBy } : which);
      const belongings = await people.records.belongings(found.sessions.map(({ id }) => id));
      return { ...found, sessions: found.sessions.map((row) => asSeen(row, person, belongings.get(row.id))) };
    },
    async row(id) {
      const [person, belonging] = [await guard.atAll("read"), await people.records.belonging(id)];
      const row = may(person, "read", belonging) ? await host.row(id) : undefined;
      return row && asSeen(row, person, belonging);
    },
    listen(listener) {
      const leave = host.listen(listener);
      // Finds out that the token has ended, also while nothing changes.
      const timer = setInterval(() => {
        guard.atAll("read").catch(() => undefined);
      }, lookMs).unref();
      return () => {
        clearInterval(timer);
        leave();
      };
    },
  } satisfies Partial<SessionHost>;
}

function reading(setup: PersonalSetup, guard: PersonalGuard) {
  const { host } = setup;
  const read =
    <Which extends unknown[], Found>(found: (id: string, ...which: Which) => Promise<Found>) =>
    async (id: string, ...which: Which): Promise<Found> => {
      await guard.session(id, "read");
      return found(id, ...which);
    };
  return {
    async *follow(...which) {
      for await (const event of followInPages(setup, guard, which))
        if ("entries" in event) yield* event.entries;
        else yield event;
    },
    followInPages: (...which) => followInPages(setup, guard, which),
    facts: read((...which) => host.facts(...which)),
    result: read((...which) => host.result(...which)),
    image: read((...which) => host.image(...which)),
    review: read((...which) => host.review(...which)),
    context: read((...which) => host.context(...which)),
    settings: read((...which) => host.settings(...which)),
    sharing: read((...which) => host.sharing(...which)),
    async slashCommands(which) {
      if ("session" in which) {
        await guard.session(which.session, "read");
        return host.slashCommands(which);
      }
      const workspace = await workspaceFor(await guard.atAll("work"), which.workspace, host);
      return workspace.ok ? host.slashCommands({ workspace: workspace.value }) : workspace;
    },
    async *export(id) {
      await guard.session(id, "read");
      yield* host.export(id);
    },
  } satisfies Partial<SessionHost>;
}

function making({ host, people }: PersonalSetup, guard: PersonalGuard) {
  const given = async (made: Expected<HostedRow>, { id, tenant }: Person): Promise<Expected<HostedRow>> => {
    if (made.ok) await people.records.give(made.value.id, { tenant, person: id });
    return made;
  };
  return {
    async create(asked) {
      // Checkouts are made with the server's own credentials, which no tenant may use for what is not its own.
      const isOfServer = asked.repository !== undefined || asked.mode === "trusted";
      const person = await guard.atAll(isOfServer ? "manage" : "work");
      const which = { ...asked, owner: { tenant: person.tenant, person: person.id } };
      if (which.repository !== undefined) return given(await host.create(which), person);
      const workspace = await workspaceFor(person, which.workspace, host);
      if (!workspace.ok) return workspace;
      return given(await host.create({ ...which, workspace: workspace.value }), person);
    },
    async fork(id, beforeTurn) {
      const person = await guard.atAll("work");
      await guard.session(id, "read");
      if (!worksInside(person, await host.row(id))) return elsewhere(person);
      const forked = await host.fork(id, beforeTurn);
      const problem = forked.ok ? await trustProblem(host, forked.value.id, person) : undefined;
      return problem ? refuse(problem) : given(forked, person);
    },
    async import(pieces) {
      const person = await guard.atAll("work");
      const workspace = await workspaceFor(person, undefined, host);
      if (!workspace.ok) return workspace;
      const imported = await host.import(pieces, { workspace: workspace.value, id: "new" });
      if (imported.ok)
        await people.records.give(imported.value.id, { tenant: person.tenant, person: person.id });
      return imported;
    },
    async remove(id) {
      await guard.session(id, "work");
      return host.remove(id);
    },
    async outcome(id, wanted) {
      const person = await guard.session(id, "work");
      return host.outcome(id, wanted, person.id);
    },
    async share(id, whom, right) {
      const person = await guard.session(id, "work");
      const other = personId(whom);
      const belonging = await people.records.belonging(id);
      const isKnown = other !== undefined && (await people.isOf(other, belonging?.tenant));
      if (whom !== everybody && !isKnown)
        return refuse(`There is nobody named ${JSON.stringify(whom)} in your team.`);
      return host.share(id, other ?? everybody, right, person.id);
    },
    async command(id, command) {
      const person = await guard.session(id, rightFor(command));
      return host.command(id, signedBy(command, person.id));
    },
  } satisfies Partial<SessionHost>;
}

/** A copy of what an administrator trusted asks again; the problem if it cannot, and the copy is gone then. */
async function trustProblem(
  host: SessionHost,
  id: string,
  { id: by, role }: Person,
): Promise<string | undefined> {
  if (role === "administrator") return undefined;
  const known = await host.settings(id);
  if (known.ok && known.value.mode !== "trusted") return undefined;
  const done = known.ok ? await host.command(id, { type: "set-mode", mode: "ask", by }) : known;
  if (done.ok) return undefined;
  await host.remove(id);
  return done.problem;
}

/** Only those who may answer count as present. Ends when the session may no longer be read. */
async function* followInPages(
  { host, lookMs = usualLookMs }: PersonalSetup,
  guard: PersonalGuard,
  [id, after, { signal, person = false }]: Parameters<SessionHost["followInPages"]>,
): ReturnType<SessionHost["followInPages"]> {
  await guard.session(id, "read");
  const isPresent = person && (await guard.may(id, "answer"));
  const stop = new AbortController();
  const look = async (): Promise<void> => {
    // A database that is away for a moment says nothing: the next look will.
    const isAllowed = await guard.may(id, "read").catch((error: unknown) => !(error instanceof SignedOut));
    if (!isAllowed) stop.abort();
  };
  const timer = setInterval(() => void look(), lookMs).unref();
  try {
    const how = { signal: AbortSignal.any([signal, stop.signal]), person: isPresent };
    yield* host.followInPages(id, after, how);
  } finally {
    clearInterval(timer);
  }
}

/** The tenant's own by default. Others are refused in the same words, whether they exist or not. */
async function workspaceFor(
  { role, workspace }: Person,
  asked: string | undefined,
  host: SessionHost,
): Promise<Expected<string>> {
  if (role === "administrator") return { ok: true, value: asked ?? host.workspace };
  const found = await existing(asked ?? workspace);
  return found.ok && isWithin(workspace, found.value) ? found : elsewhere({ workspace });
}

/** Administrators have sessions elsewhere, too: with these nobody else works, whomever they are shared with. */
const worksInside = ({ role, workspace }: Person, session: HostedRow | undefined): boolean =>
  role === "administrator" || (session !== undefined && isWithin(workspace, session.workspace));

const elsewhere = ({ workspace }: Pick<Person, "workspace">): Expected<never> =>
  refuse(`Sessions of your team work in ${JSON.stringify(workspace)}, or in a directory below it.`);
