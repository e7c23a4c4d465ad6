/** The tenants, people and personal tokens of a team's server, as records in its store. */

import * as z from "zod/mini";
import { randomHex, sha256 } from "../../base/crypto.ts";
import { type Expected, refuse } from "../../base/expected.ts";
import { parseJson } from "../../base/json.ts";
import { sameToken } from "../../base/server-guard.ts";
import { rights } from "../../protocol/rights.ts";
import { StoreError } from "../../session/store.ts";
import type { RecordTexts, TeamRecords } from "../../session/team.ts";
import { hostBounds } from "../bounds.ts";
import { type AuditEntry, auditRecord, auditSince, noteRefusal } from "./audit.ts";
import { type Person, type Role, roles } from "./may.ts";

const limits = {
  /** Sessions that run at once. */
  sessions: z.optional(z.number()),
  /** Answers of models, and US dollars, a day (UTC). */
  rounds: z.optional(z.number()),
  dollars: z.optional(z.number()),
};
export const limitNames = ["sessions", "rounds", "dollars"] as const;
export type TenantLimits = { [Name in (typeof limitNames)[number]]?: number | undefined };

const tenant = z.object({ workspace: z.string(), ...limits });
/** `subject`: the person's name at the identity provider, from their first login on. Times: milliseconds since 1970. */
const person = z.object({
  tenant: z.string(),
  role: z.enum(roles),
  since: z.number(),
  subject: z.optional(z.string()),
});
const token = z.object({
  person: z.string(),
  title: z.string(),
  most: z.enum(rights),
  since: z.number(),
  until: z.number(),
  hash: z.string(),
});
const code = z.object({ person: z.string(), until: z.number() });

/** A kind of records. */
type Kind<T> = { name: string; schema: z.ZodMiniType<T> };
const tenants: Kind<z.infer<typeof tenant>> = { name: "tenant", schema: tenant };
const people: Kind<z.infer<typeof person>> = { name: "person", schema: person };
const tokens: Kind<z.infer<typeof token>> = { name: "token", schema: token };
const codes: Kind<z.infer<typeof code>> = { name: "code", schema: code };

type PersonRecord = z.infer<typeof person> & { id: string };
/** Without its hash. */
type TokenRecord = Omit<z.infer<typeof token>, "hash"> & { id: string };
/** `browser`: what only that one knows. */
type LoggedIn = { browser: string; title: string };
type NewToken = Pick<TokenRecord, "person" | "title" | "most"> & { days: number };

const tenantName = /^[a-z0-9][a-z0-9-]{0,39}$/u;
const personName = /^[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,120}$/u;
const tokenForm = /^person-(?<id>[0-9a-f]{16})-[0-9a-f]{64}$/u;
const dayMs = 86_400_000;

type PeopleSetup = { by?: string; now?: () => number };

export class People {
  readonly records: TeamRecords;
  /** Who makes the changes, as the audit log names them. */
  readonly #by: string;
  readonly #now: () => number;

  constructor(records: TeamRecords, { by = "toolwright", now = Date.now }: PeopleSetup = {}) {
    this.records = records;
    this.#by = by;
    this.#now = now;
  }

  actingAs(by: string): People {
    return new People(this.records, { by, now: this.#now });
  }

  /** Oldest first, from this time on. */
  audit(since: number): Promise<AuditEntry[]> {
    return auditSince(this.records, since);
  }

  /** What is no record of its own. */
  async note(did: AuditEntry["did"], about: AuditEntry["about"]): Promise<void> {
    const { kind, id, text } = this.#told(did, about);
    await this.records.replace(kind, id, { was: undefined, is: text });
  }

  /** `name`: as which somebody has tried to log in; empty if that is not known. */
  async noteRefusedLogin(name: string, because: string): Promise<void> {
    const [by, about] = [name.slice(0, mostName), { because: because.slice(0, mostName) }];
    await noteRefusal(this.records, { at: this.#now(), by, did: "login-refused", about });
  }

  #told(did: AuditEntry["did"], about: AuditEntry["about"]) {
    return auditRecord({ at: this.#now(), by: this.#by, did, about });
  }

  /** `workspace`: an absolute path of an existing directory, with links resolved. An existing tenant moves there. */
  async putTenant(name: string, workspace: string): Promise<Expected<undefined>> {
    if (!tenantName.test(name))
      return refuse(
        `${inQuotes(name)} cannot be a tenant's name: small letters, digits and hyphens, at most 40.`,
      );
    const told = this.#told("tenant-put", { tenant: name, workspace });
    await this.#put(tenants, name, (known) => ({ ...known, workspace }), told);
    return done;
  }

  /** Without a figure there is no such limit any more. */
  async limitTenant(
    name: string,
    limit: keyof TenantLimits,
    most: number | undefined,
  ): Promise<Expected<undefined>> {
    const isWhole = limit === "dollars" || Number.isInteger(most);
    if (most !== undefined && !(isWhole && most >= 0 && most <= mostOfLimit))
      return refuse(`A limit of ${limit} is a number from 0 to ${mostOfLimit}, or none.`);
    if (!(await this.#get(tenants, name))) return noTenant(name);
    const told = this.#told("limit-set", { tenant: name, limit, most: most ?? "none" });
    await this.#put(tenants, name, (known) => known && { ...known, [limit]: most }, told);
    return done;
  }

  async limitsOf(name: string): Promise<TenantLimits> {
    const { sessions, rounds, dollars } = (await this.#get(tenants, name)) ?? {};
    return { sessions, rounds, dollars };
  }

  tenants(): Promise<(z.infer<typeof tenant> & { id: string })[]> {
    return this.#all(tenants);
  }

  async dropTenant(name: string): Promise<Expected<undefined>> {
    const left = (await this.people()).find(({ tenant: of }) => of === name);
    if (left) return refuse(`${left.id} belongs to the tenant ${inQuotes(name)}: remove its people first.`);
    const told = this.#told("tenant-removed", { tenant: name });
    return (await this.#drop(tenants, name, told)) ? done : noTenant(name);
  }

  /** A new person, or another role or tenant for one that is known. */
  async putPerson(
    name: string,
    { tenant: of, role }: { tenant: string; role: Role },
  ): Promise<Expected<undefined>> {
    const id = personId(name);
    if (id === undefined)
      return refuse(`${inQuotes(name)} is no e-mail address, which is a person's name here.`);
    if (!(await this.#get(tenants, of))) return noTenant(of);
    const told = this.#told("person-put", { person: id, tenant: of, role });
    await this.#put(people, id, (known) => ({ since: this.#now(), ...known, tenant: of, role }), told);
    return done;
  }

  async isOf(id: string, of: string | undefined): Promise<boolean> {
    return of !== undefined && (await this.#get(people, id))?.tenant === of;
  }

  people(): Promise<PersonRecord[]> {
    return this.#all(people);
  }

  /** With their tokens, which are worth nothing from now on. */
  async dropPerson(name: string): Promise<Expected<undefined>> {
    const id = personId(name) ?? "";
    const told = this.#told("person-removed", { person: id });
    if (!(await this.#drop(people, id, told))) return noPerson(name);
    for (const one of await this.tokens()) if (one.person === id) await this.#drop(tokens, one.id);
    return done;
  }

  /** The token's text, which is stored nowhere. */
  async newToken(
    { person: name, title, most, days }: NewToken,
    did: "token-made" | "login" = "token-made",
  ): Promise<Expected<string>> {
    const of = personId(name) ?? "";
    if (!(await this.#get(people, of))) return noPerson(name);
    if (!(Number.isInteger(days) && days >= 1 && days <= hostBounds.tokenDays.most))
      return refuse(`A token is valid for 1 to ${hostBounds.tokenDays.most} days.`);
    const [id, key, since] = [randomHex(8), randomHex(32), this.#now()];
    const record = { person: of, title, most, since, until: since + days * dayMs, hash: hashOf(id, key) };
    const told = this.#told(did, { person: of, token: id, title, right: most, days });
    await this.#put(tokens, id, () => record, told);
    return { ok: true, value: `person-${id}-${key}` };
  }

  async tokens(): Promise<TokenRecord[]> {
    const all = await this.#all(tokens);
    return all.map(({ id, person: of, title, most, since, until }) => ({
      id,
      person: of,
      title,
      most,
      since,
      until,
    }));
  }

  async revokeToken(id: string): Promise<Expected<undefined>> {
    const known = await this.#get(tokens, id);
    const told = this.#told("token-revoked", { token: id, person: known?.person ?? "" });
    return (await this.#drop(tokens, id, told))
      ? done
      : refuse(`There is no token ${inQuotes(id)}: toolwright admin tokens lists them.`);
  }

  /** Who shows this token; undefined if it is none, has expired, or its person is gone. */
  async signedIn(text: string): Promise<Person | undefined> {
    const [id, key] = [tokenId(text), text.slice(-64)];
    if (id === "") return undefined;
    const kept = await this.#get(tokens, id);
    if (!kept || !sameToken(hashOf(id, key), kept.hash) || this.#now() >= kept.until) return undefined;
    const known = await this.#get(people, kept.person);
    // An earlier person of this name had older tokens.
    if (!known || kept.since < known.since) return undefined;
    const { tenant: of, role } = known;
    const home = await this.#get(tenants, of);
    return home && { id: kept.person, tenant: of, role, most: kept.most, workspace: home.workspace };
  }

  /** The person whom the identity provider calls so; the first login ties the two together. */
  async identified(name: string, subject: string): Promise<Expected<string>> {
    const tied = await this.#tied(name, subject);
    if (!tied.ok) await this.noteRefusedLogin(name, tied.problem);
    return tied;
  }

  async #tied(name: string, subject: string): Promise<Expected<string>> {
    const id = personId(name) ?? "";
    const known = await this.#get(people, id);
    if (!known) return refuse(`${inQuotes(name)} is nobody here: an administrator has to add them.`);
    if (known.subject === undefined) await this.#put(people, id, (now) => now && { ...now, subject });
    const tied = await this.#get(people, id);
    return tied?.subject === subject
      ? { ok: true, value: id }
      : refuse(
          `${inQuotes(name)} was somebody else at the first login: an administrator has to add them again.`,
        );
  }

  /** Good once, within a minute, for a token of the browser that has just logged in, and of no other. */
  async newCode(of: string, browser: string): Promise<string> {
    const text = randomHex(16);
    await this.#put(codes, hashOf(text, browser), () => ({ person: of, until: this.#now() + codeMs }));
    return text;
  }

  async exchange(text: string, { browser, title }: LoggedIn): Promise<string | undefined> {
    const id = hashOf(text, browser);
    const given = await this.#get(codes, id);
    if (!given || !(await this.#drop(codes, id)) || this.#now() >= given.until) return undefined;
    const made = await this.actingAs(given.person).newToken(
      { person: given.person, title, most: "manage", days: browserDays },
      "login",
    );
    return made.ok ? made.value : undefined;
  }

  async #get<T>(kind: Kind<T>, id: string): Promise<T | undefined> {
    const text = await this.records.record(kind.name, id);
    return text === undefined ? undefined : readAs(kind, id, text);
  }

  async #all<T>(kind: Kind<T>): Promise<(T & { id: string })[]> {
    const found = await this.records.records(kind.name);
    return found.map(({ id, text }) => ({ ...readAs(kind, id, text), id }));
  }

  /** What `make` makes of the present value; nothing if it makes none. Tried again if somebody else was quicker. */
  async #put<T>(
    kind: Kind<T>,
    id: string,
    make: (known: T | undefined) => T | undefined,
    beside?: RecordTexts["beside"],
  ): Promise<void> {
    for (;;) {
      const was = await this.records.record(kind.name, id);
      const value = make(was === undefined ? undefined : readAs(kind, id, was));
      if (!value) return;
      const is = JSON.stringify(value);
      if (await this.records.replace(kind.name, id, { was, is, beside })) return;
    }
  }

  /** False if there is none: of several who drop it, one has. */
  async #drop(kind: Kind<unknown>, id: string, beside?: RecordTexts["beside"]): Promise<boolean> {
    for (;;) {
      const was = await this.records.record(kind.name, id);
      if (was === undefined) return false;
      if (await this.records.replace(kind.name, id, { was, is: undefined, beside })) return true;
    }
  }
}

/** Characters of a name or a reason that the audit log keeps. */
const mostName = 200;
const mostOfLimit = 1_000_000_000;
/** Validity of a code, in milliseconds. */
const codeMs = 60_000;
/** Days for which a browser stays logged in. */
const browserDays = 30;

const done = { ok: true, value: undefined } as const;
const inQuotes = (text: string): string => JSON.stringify(text.slice(0, 200));
const noTenant = (name: string): Expected<undefined> =>
  refuse(`There is no tenant ${inQuotes(name)}: toolwright admin tenants lists them.`);
const noPerson = (name: string): Expected<never> =>
  refuse(`There is nobody named ${inQuotes(name)}: toolwright admin people lists everybody.`);

/** The name by which a token is known; empty if the text has not the form of one. */
export const tokenId = (text: string): string => tokenForm.exec(text)?.groups?.["id"] ?? "";

/** The name as it is stored; undefined if it is no e-mail address. Some other letters have small ones that are ours. */
export function personId(name: string): string | undefined {
  const text = name.trim();
  return personName.test(text) ? text.toLowerCase() : undefined;
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
/** The key is random and long: no slower hash is needed. */
const hashOf = (id: string, key: string): string => sha256(bytes(`${id} ${key}`));

function readAs<T>({ name, schema }: Kind<T>, id: string, text: string): T {
  const parsed = parseJson(text);
  const read = z.safeParse(schema, parsed.ok ? parsed.value : undefined);
  if (read.success) return read.data;
  throw new StoreError(`The record of the ${name} ${inQuotes(id)} is damaged: remove it and add it again.`);
}
