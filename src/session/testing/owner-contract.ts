/** What every store guarantees about who holds a session, as tests. */

import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { identityOf, ownIdentity, type ProcessIdentity } from "../../base/process-identity.ts";
import { leaseMs, ownOwner } from "../owner.ts";
import {
  SessionHeld,
  StaleEpoch,
  StoreError,
  type SessionOwner,
  type StartedProcess,
  type Store,
} from "../store.ts";
import type { StorePair } from "./list-contract.ts";

const session = "s1";

/** `makeStore` returns two connections to the same new store: the second may be the same object. */
export function ownerContract(name: string, makeStore: () => Promise<[Store, Store]>): void {
  for (const [title, check] of Object.entries(promises)) {
    test(`${name}: ${title}`, async () => {
      const [store, other] = await makeStore();
      await store.create({ id: session, workspace: "/w", createdAt: 1000 });
      await check({ store, other });
    });
  }
}

const ownerAt = (process: Partial<ProcessIdentity>): SessionOwner => ({
  program: "another program",
  process: { ...ownIdentity(), ...process },
});

/** Our parent process: it lives as long as this one does. */
const living = (): SessionOwner => ({ program: "another program", process: identityOf(process.ppid) });
/** A dead process whose number is now used by one started at another time. */
const replaced = ownerAt({ pid: process.ppid, started: "1" });
const restarted = ownerAt({ boot: "another start" });
const abroad = ownerAt({ boot: "another system", host: "far-away" });

const startedProcess = (marker: string): StartedProcess => ({
  process: { ...ownIdentity(), pid: 7, started: "9" },
  by: ownIdentity(),
  marker,
  reach: marker === "RUN=2" ? "all" : "group",
  what: "npm run dev 語",
});

const isHeld = async (claimed: Promise<unknown>): Promise<boolean> =>
  claimed.then(
    () => false,
    (error: unknown) => error instanceof SessionHeld,
  );

const promises: Readonly<Record<string, (opened: StorePair) => Promise<void>>> = {
  "claiming a free session records its holder": async ({ store, other }) => {
    expect(await other.holder(session)).toBeUndefined();
    const before = Date.now();
    await store.claim(session, { owner: ownOwner() });
    const holder = await other.holder(session);
    expect(holder).toMatchObject(ownOwner());
    expect(holder?.since).toBeGreaterThanOrEqual(before);
    expect(await other.holder("nobody")).toBeUndefined();
  },

  "a session held by a living process is refused with its holder and advice, and stays unchanged": async ({
    store,
    other,
  }) => {
    const epoch = await store.claim(session, { owner: living() });
    const refused = other.claim(session, { owner: ownOwner() });
    await expect(refused).rejects.toThrow(SessionHeld);
    await expect(refused).rejects.toThrow(StoreError);
    await expect(refused).rejects.toThrow(
      new RegExp(
        `^Session s1 is open in another program: another program \\(process ${process.ppid} on .+, since .+ UTC\\)\\. .*the option "takeOver"`,
      ),
    );
    await store.append(session, epoch, []);
    expect(await other.holder(session)).toMatchObject(living());
  },

  "a dead owner's session can be claimed immediately, and its late writes are refused": async ({
    store,
    other,
  }) => {
    const { pid } = spawnSync("true");
    for (const dead of [replaced, restarted, ownerAt({ pid })]) {
      const epoch = await store.claim(session, { owner: dead });
      const newer = await other.claim(session, { owner: living() });
      expect(newer).toBeGreaterThan(epoch);
      await expect(store.append(session, epoch, [])).rejects.toThrow(StaleEpoch);
      await expect(store.renew(session, epoch)).rejects.toThrow(StaleEpoch);
      await store.release(session, epoch); // has no effect any more
      expect(await other.holder(session)).toMatchObject(living());
      await other.release(session, newer);
    }
  },

  "an owner on another system holds a session by its lease, which can be renewed": async ({
    store,
    other,
  }) => {
    const epoch = await store.claim(session, { owner: abroad });
    expect(await isHeld(other.claim(session, { owner: ownOwner() }))).toBe(true);
    await store.renew(session, epoch);
    const holder = await other.holder(session);
    expect(holder && holder.renewedAt + leaseMs).toBeGreaterThan(Date.now());
    await expect(other.claim(session, { owner: ownOwner() })).rejects.toThrow(/the session is free in \d+ s/);
  },

  "a session can be taken over from a living owner, whose later writes are refused": async ({
    store,
    other,
  }) => {
    const epoch = await store.claim(session, { owner: living() });
    const newer = await other.claim(session, { owner: ownOwner(), takeOver: true });
    await expect(store.append(session, epoch, [])).rejects.toThrow(StaleEpoch);
    await other.append(session, newer, []);
    expect(await store.holder(session)).toMatchObject(ownOwner());
  },

  "a released session is free, and its holder may claim it again": async ({ store, other }) => {
    const first = await store.claim(session, { owner: living() });
    await store.release(session, first);
    expect(await store.holder(session)).toBeUndefined();
    const second = await other.claim(session, { owner: ownOwner() });
    const third = await store.claim(session, { owner: ownOwner() });
    expect(third).toBeGreaterThan(second);
    await other.release(session, second);
    expect(await store.holder(session)).toMatchObject(ownOwner());
    await expect(store.claim("nobody", { owner: ownOwner() })).rejects.toThrow(StoreError);
    await store.release("nobody", 1);
  },

  "programs are listed oldest first until they are forgotten": async ({ store, other }) => {
    expect(await other.processes(session)).toEqual([]);
    for (const marker of ["RUN=3", "RUN=2", "RUN=1"])
      await store.noteProcess(session, startedProcess(marker));
    expect(await other.processes(session)).toEqual(["RUN=3", "RUN=2", "RUN=1"].map(startedProcess));
    await other.forgetProcess(session, startedProcess("RUN=2"));
    await other.forgetProcess(session, startedProcess("RUN=9"));
    expect(await store.processes(session)).toEqual(["RUN=3", "RUN=1"].map(startedProcess));
    await expect(store.noteProcess("nobody", startedProcess("RUN=1"))).rejects.toThrow();
    expect(await store.processes("nobody")).toEqual([]);
  },
};
