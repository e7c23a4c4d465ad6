/** `toolwright admin`: the tenants, people, personal tokens and stuck sessions of a team's server, in its database. */

import { realpath, stat } from "node:fs/promises";
import { userInfo } from "node:os";
import { resolve } from "node:path";
import { sessionsAtWork, type Store } from "../archive/sessions.ts";
import { useToday } from "../archive/tenant-use.ts";
import { type Expected, refuse } from "../base/expected.ts";
import { visibleLine } from "../base/visible-text.ts";
import { type Role, roles } from "../hosting/people/may.ts";
import { limitNames, People, type TenantLimits } from "../hosting/people/people.ts";
import { endStuck, type EngineRuns, stuckSessions } from "../hosting/stuck-sessions.ts";
import { type Right, rights } from "../protocol/rights.ts";
import { openStore } from "../runtime/runtime.ts";
import { timeWords } from "../view/session-markdown.ts";
import {
  type CliContext,
  columns,
  type CommandWords,
  exitCodes,
  failWith,
  printAnswer,
  usageError,
} from "./cli-context.ts";

/** What is told: a value for programs, and lines for people. */
type AdminReply = { value: unknown; lines: readonly string[] };
type AdminWork = {
  store: Store;
  /** The address of the database; undefined for the file. */
  database: string | undefined;
  people: People;
  words: readonly string[];
  cwd: string;
  /** Milliseconds since 1970. */
  since: number;
};

type AdminCommand = {
  usage: string;
  least: number;
  most: number;
  run: (work: AdminWork) => Promise<Expected<AdminReply>>;
};

const commands: Readonly<Record<string, AdminCommand>> = {
  tenants: { usage: "tenants", least: 0, most: 0, run: listTenants },
  "tenants add": { usage: "tenants add NAME DIRECTORY", least: 2, most: 2, run: addTenant },
  "tenants limit": {
    usage: `tenants limit NAME ${limitNames.join("|")} NUMBER|none`,
    least: 3,
    most: 3,
    run: limitTenant,
  },
  "tenants remove": { usage: "tenants remove NAME", least: 1, most: 1, run: removeTenant },
  people: { usage: "people", least: 0, most: 0, run: listPeople },
  "people add": {
    usage: `people add EMAIL TENANT ${roles.join("|")}`,
    least: 3,
    most: 3,
    run: addPerson,
  },
  "people remove": { usage: "people remove EMAIL", least: 1, most: 1, run: removePerson },
  tokens: { usage: "tokens", least: 0, most: 0, run: listTokens },
  "tokens add": { usage: `tokens add EMAIL [${rights.join("|")}] [DAYS]`, least: 1, most: 3, run: addToken },
  "tokens revoke": { usage: "tokens revoke ID", least: 1, most: 1, run: revokeToken },
  audit: { usage: "audit [--since TIME]", least: 0, most: 0, run: showAudit },
  stuck: { usage: "stuck", least: 0, most: 0, run: listStuck },
  "stuck end": { usage: "stuck end SESSION", least: 1, most: 1, run: endOneStuck },
};

/** Exit code 2 for wrong usage. Throws StoreError. */
export async function runAdmin(context: CliContext, { words, flags }: CommandWords): Promise<number> {
  const [first = "people", second = ""] = words;
  const name = `${first} ${second}` in commands ? `${first} ${second}` : first;
  const rest = words.slice(name.split(" ").length);
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command || rest.length < command.least || rest.length > command.most)
    return usageError(context.terminal, usageOf(command));
  const since = typeof flags.since === "string" ? timeIn(flags.since) : 0;
  if (Number.isNaN(since)) return failWith(context.terminal, noTime, exitCodes.usage);
  const store = await openStore(context.settings);
  if (!store.ok) return failWith(context.terminal, store.problem);
  try {
    const people = new People(store.value.team, { by: `${ownName()} on the command line` });
    const [{ cwd }, { database }] = [context.terminal, context.settings];
    const answer = await command.run({ store: store.value, database, people, words: rest, cwd, since });
    if (!answer.ok) return failWith(context.terminal, answer.problem, exitCodes.failed);
    const { value, lines } = answer.value;
    return printAnswer(context, value, () => lines.map(visibleLine).join("\n"));
  } finally {
    await store.value.close();
  }
}

const noTime = "--since takes a day or a time in UTC: 2026-11-30, or 2026-11-30T12:00Z.";

const timeForm = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?Z)?$/u;
const timeIn = (text: string): number => (timeForm.test(text) ? Date.parse(text) : Number.NaN);

/** Of whoever runs this; a container may have users without a name. */
function ownName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? ""}`.trim();
  }
}

const usageOf = (command: AdminCommand | undefined): string =>
  (command ? [command] : Object.values(commands)).map(({ usage }) => `toolwright admin ${usage}`).join(", ");

const reply = (value: unknown, ...lines: readonly string[]): Expected<AdminReply> => ({
  ok: true,
  value: { value, lines },
});

async function listTenants({ store, people }: AdminWork): Promise<Expected<AdminReply>> {
  const tenants: TenantStanding[] = [];
  for (const one of await people.tenants()) {
    const atWork = await sessionsAtWork(store, one.id);
    const { rounds, cost } = await useToday(store, one.id, Date.now());
    tenants.push({ ...one, now: { sessions: atWork.length, rounds, dollars: cost.dollars } });
  }
  if (tenants.length === 0)
    return reply({ tenants }, "There is no tenant: toolwright admin tenants add NAME DIRECTORY makes one.");
  return reply({ tenants }, ...columns(tenants.map((one) => [one.id, one.workspace, ...useWords(one)])));
}

/** `now`: sessions that run, and what was used today. */
type TenantStanding = Awaited<ReturnType<People["tenants"]>>[number] & { now: Required<TenantLimits> };

function useWords({ now, sessions, rounds, dollars }: TenantStanding): string[] {
  return [
    `${ofMost(String(now.sessions), sessions?.toString())} sessions run`,
    `${ofMost(String(now.rounds), rounds?.toString())} rounds today`,
    `${ofMost(`$${now.dollars.toFixed(2)}`, dollars?.toFixed(2))} today`,
  ];
}

const ofMost = (used: string, most: string | undefined): string =>
  most === undefined ? used : `${used} of ${most}`;

async function limitTenant({ people, words }: AdminWork): Promise<Expected<AdminReply>> {
  const [id = "", given = "", figure = ""] = words;
  const limit = limitNames.find((one) => one === given);
  if (limit === undefined)
    return refuse(`${JSON.stringify(given)} is no limit of a tenant: ${limitNames.join(", ")}.`);
  const most = figure === "none" ? undefined : figure.trim() === "" ? Number.NaN : Number(figure);
  const put = await people.limitTenant(id, limit, most);
  if (!put.ok) return put;
  return reply({ id, limits: await people.limitsOf(id) }, limitWords(id, limit, most));
}

function limitWords(id: string, limit: keyof TenantLimits, most: number | undefined): string {
  if (most === undefined) return `${id} has no limit of ${limit} any more.`;
  return `${id} may have ${most} ${limit}${limit === "sessions" ? " at once" : " a day"}.`;
}

async function addTenant({ people, words, cwd }: AdminWork): Promise<Expected<AdminReply>> {
  const [name = "", directory = ""] = words;
  const path = resolve(cwd, directory);
  const found = await stat(path).catch(() => undefined);
  if (!found?.isDirectory()) return refuse(`There is no directory ${JSON.stringify(path)}: make it first.`);
  const workspace = await realpath(path);
  const put = await people.putTenant(name, workspace);
  return put.ok ? reply({ id: name, workspace }, `Sessions of ${name} work in ${workspace}.`) : put;
}

async function removeTenant({ people, words }: AdminWork): Promise<Expected<AdminReply>> {
  const [name = ""] = words;
  const dropped = await people.dropTenant(name);
  return dropped.ok
    ? reply({ removed: name }, `Removed ${name}. Its sessions are still there, for administrators.`)
    : dropped;
}

async function listPeople({ people }: AdminWork): Promise<Expected<AdminReply>> {
  const all = (await people.people()).map(({ id, tenant, role, since }) => ({ id, tenant, role, since }));
  if (all.length === 0)
    return reply(
      { people: all },
      "There is nobody: toolwright admin people add EMAIL TENANT ROLE adds somebody.",
    );
  return reply({ people: all }, ...columns(all.map((one) => [one.id, one.tenant, one.role])));
}

async function addPerson({ people, words }: AdminWork): Promise<Expected<AdminReply>> {
  const [id = "", tenant = "", given = ""] = words;
  const role = roles.find((one): one is Role => one === given);
  if (role === undefined) return refuse(`${JSON.stringify(given)} is no role: ${roles.join(", ")}.`);
  const put = await people.putPerson(id, { tenant, role });
  return put.ok ? reply({ id, tenant, role }, `${id} is ${role} of ${tenant}.`) : put;
}

async function removePerson({ people, words }: AdminWork): Promise<Expected<AdminReply>> {
  const [id = ""] = words;
  const dropped = await people.dropPerson(id);
  return dropped.ok ? reply({ removed: id }, `Removed ${id}, with all tokens.`) : dropped;
}

async function listTokens({ people }: AdminWork): Promise<Expected<AdminReply>> {
  const tokens = await people.tokens();
  if (tokens.length === 0)
    return reply({ tokens }, "There is no token: toolwright admin tokens add EMAIL makes one.");
  const rows = tokens.map(({ id, person, most, title, until }) => [
    id,
    person,
    `to ${most}`,
    `until ${timeWords(until)}`,
    title,
  ]);
  return reply({ tokens }, ...columns(rows));
}

const usualDays = 90;

async function addToken({ people, words }: AdminWork): Promise<Expected<AdminReply>> {
  const [person = "", given = "work", days = String(usualDays)] = words;
  const most = rights.find((one): one is Right => one === given);
  if (most === undefined) return refuse(`${JSON.stringify(given)} is no right: ${rights.join(", ")}.`);
  const made = await people.newToken({ person, title: "a program", most, days: Number(days) });
  if (!made.ok) return made;
  return reply({ token: made.value }, made.value);
}

async function revokeToken({ people, words }: AdminWork): Promise<Expected<AdminReply>> {
  const [id = ""] = words;
  const revoked = await people.revokeToken(id);
  return revoked.ok ? reply({ revoked: id }, `Revoked ${id}.`) : revoked;
}

async function showAudit({ people, since }: AdminWork): Promise<Expected<AdminReply>> {
  const entries = await people.audit(since);
  if (entries.length === 0) return reply({ entries }, "Nothing is noted.");
  const rows = entries.map(({ at, by, did, about }) => {
    const words = Object.entries(about).map(([name, value]) => `${name} ${value}`);
    return [timeWords(at), did, by === "" ? "somebody" : by, words.join(", ")];
  });
  return reply({ entries }, ...columns(rows));
}

async function listStuck(work: AdminWork): Promise<Expected<AdminReply>> {
  const found = await withRuns(work, async (runs) => ({
    ok: true,
    value: await stuckSessions({ store: work.store, runs }),
  }));
  if (!found.ok) return found;
  const sessions = found.value;
  if (sessions.length === 0) return reply({ sessions }, "No session is stuck.");
  const rows = sessions.map(({ id, tenant, person, machine, since, why }) => [
    id,
    person === "" ? "nobody's" : `${person} of ${tenant}`,
    machine === "" ? "no machine known" : machine,
    `since ${timeWords(since)}`,
    why,
  ]);
  return reply({ sessions }, ...columns(rows));
}

async function endOneStuck(work: AdminWork): Promise<Expected<AdminReply>> {
  const { store, people, words } = work;
  const [session = ""] = words;
  const ended = await withRuns(work, (runs) => endStuck({ store, runs }, session));
  if (!ended.ok) return ended;
  await people.note("turn-ended", { session });
  const refused = ended.value;
  const asked = refused === 0 ? "" : ` Requests refused that no worker had answered: ${refused}.`;
  return reply({ ended: session, refused }, `Ended the request of session ${session}.${asked}`);
}

/** With the runs that workers have in a database, until the work is done. */
async function withRuns<T>(
  { database }: AdminWork,
  work: (runs: EngineRuns | undefined) => Promise<Expected<T>>,
): Promise<Expected<T>> {
  if (database === undefined) return work(undefined);
  const { openStuckRuns } = await import("../hosting/dbos/stuck-runs.ts");
  const runs = await openStuckRuns(database);
  if (!runs.ok) return runs;
  try {
    return await work(runs.value);
  } finally {
    await runs.value.close();
  }
}
