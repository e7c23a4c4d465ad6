/**
 * The signed-in browsers: each has a key of its own, of which only a hash is kept, in a file that survives restarts. A
 * browser stays signed in until it is revoked, or the token in the gateway's file changes.
 */

import { chmod } from "node:fs/promises";
import * as z from "zod/mini";
import { mostStateFileBytes } from "../base/bounds.ts";
import { randomHex } from "../base/crypto.ts";
import type { Expected } from "../base/expected.ts";
import { parseJson } from "../base/json.ts";
import { readRegularFile, writeAtomically } from "../base/safe-fs/own-files.ts";
import { sameToken } from "../base/server-guard.ts";
import type { Person } from "../hosting/people/may.ts";
import { gatewayBounds } from "./bounds.ts";

/** Time between two notes of when a browser was used last, in milliseconds. */
const deviceSeenMs = 60_000;

const device = z.object({
  id: z.string().check(z.regex(/^[0-9a-f]{16}$/u)),
  name: z.string().check(z.maxLength(100)),
  /** Milliseconds since 1970. */
  since: z.number(),
  seen: z.number(),
  hash: z.string().check(z.regex(/^[0-9a-f]{64}$/u)),
});
/** `of`: tells whether the file belongs to the present token. Devices are listed from the least recently used on. */
const written = z.object({ format: z.literal(1), of: z.string(), devices: z.array(device) });

export type Device = Omit<z.infer<typeof device>, "hash">;
type DeviceEntry = z.infer<typeof device> & { leaving: AbortController };

/** Who shows a token. `signedOut`: aborted when the browser, or the person's token, is found to be revoked. */
export type Bearer =
  | { type: "program" }
  | { type: "device"; id: string; name: string; signedOut: AbortSignal }
  | { type: "person"; token: string; person: Person; signedOut: AbortSignal; signOut: () => void };

type DevicesSetup = {
  /** The token of the gateway's file: a key is worth nothing under another one. */
  secret: string;
  /** Absolute; without one the devices are forgotten with this object. */
  path?: string;
  log?: (line: string) => void;
};

const { devices: most } = gatewayBounds;

export class Devices {
  readonly #setup: DevicesSetup;
  /** From the least recently used on, whatever the clock says. */
  readonly #kept = new Map<string, DeviceEntry>();
  #writing: Promise<Expected<undefined>> = Promise.resolve({ ok: true, value: undefined });
  /** A write that has not begun, and so will contain what changes now. */
  #next: Promise<Expected<undefined>> | undefined;
  #writtenAt = 0;
  #isChanged = false;

  constructor(setup: DevicesSetup) {
    this.#setup = setup;
  }

  /** With those that the file has. A file that cannot be read counts as empty, which is logged. */
  static async open(setup: DevicesSetup & { path: string }): Promise<Devices> {
    const devices = new Devices(setup);
    const read = await readRegularFile(setup.path, { maxBytes: mostStateFileBytes });
    if (read.ok) {
      await chmod(setup.path, 0o600).catch(() => undefined); // a new one is made that way
      devices.#take(new TextDecoder().decode(read.value));
    } else if (read.problem.code !== "ENOENT") devices.#log(`${read.problem.message}. ${signInAgain}`);
    return devices;
  }

  /** The most recently used first. */
  list(): Device[] {
    const all = [...this.#kept.values()].toReversed();
    return all.map(({ id, name, since, seen }) => ({ id, name, since, seen }));
  }

  /** Signs a browser in; returns its key, which is stored nowhere here. */
  async add(name: string): Promise<string> {
    const [oldest] = this.#kept.values();
    if (oldest && this.#kept.size >= most.most) {
      this.#drop(oldest);
      this.#log(
        `Signed out ${oldest.name} (${oldest.id}), not used for longest: at most ${most.most} browsers are signed in.`,
      );
    }
    const [id, key, now] = [randomHex(8), randomHex(32), Date.now()];
    const hash = this.#hash(`${id} ${key}`);
    this.#kept.set(id, { id, name, since: now, seen: now, hash, leaving: new AbortController() });
    const saved = await this.#save();
    if (!saved.ok) this.#log(`${saved.problem} This browser is signed in only until the gateway stops.`);
    return `device-${id}-${key}`;
  }

  bearer(token: string): Bearer | undefined {
    const { id = "", key = "" } =
      /^device-(?<id>[0-9a-f]{16})-(?<key>[0-9a-f]{64})$/u.exec(token)?.groups ?? {};
    const kept = this.#kept.get(id);
    if (!kept || !sameToken(this.#hash(`${id} ${key}`), kept.hash)) return undefined;
    this.#used(kept);
    return { type: "device", id, name: kept.name, signedOut: kept.leaving.signal };
  }

  /** Signs a browser out at once. `false`: there is none of this id. */
  async revoke(id: string): Promise<Expected<boolean>> {
    const kept = this.#kept.get(id);
    if (!kept) return { ok: true, value: false };
    this.#drop(kept);
    const saved = await this.#save();
    if (saved.ok) return { ok: true, value: true };
    return {
      ok: false,
      problem: `${saved.problem} ${kept.name} is signed out now, but would be signed in again after a restart: make that place writable and start the gateway with --new-token.`,
    };
  }

  /** Stores when each was used last. Without news nothing is written: the file may be another gateway's by now. */
  async close(): Promise<void> {
    await (this.#isChanged ? this.#save() : this.#writing);
  }

  #used(kept: DeviceEntry): void {
    kept.seen = Date.now();
    this.#isChanged = true;
    this.#kept.delete(kept.id);
    this.#kept.set(kept.id, kept);
    if (Math.abs(kept.seen - this.#writtenAt) < deviceSeenMs) return;
    this.#writtenAt = kept.seen;
    void this.#save();
  }

  #drop({ id, leaving }: DeviceEntry): void {
    this.#kept.delete(id);
    leaving.abort();
  }

  #take(text: string): void {
    const parsed = parseJson(text);
    const read = written.safeParse(parsed.ok ? parsed.value : undefined);
    if (!read.success)
      return this.#log(`The list of signed-in browsers, ${this.#setup.path}, is damaged. ${signInAgain}`);
    if (!sameToken(read.data.of, this.#hash("devices"))) return; // of an earlier token: all are signed out
    for (const one of read.data.devices.slice(-most.most))
      this.#kept.set(one.id, { ...one, leaving: new AbortController() });
  }

  #save(): Promise<Expected<undefined>> {
    this.#next ??= this.#writing = this.#writing.then(() => {
      this.#next = undefined;
      return this.#write();
    });
    return this.#next;
  }

  async #write(): Promise<Expected<undefined>> {
    const { path } = this.#setup;
    if (path === undefined) return { ok: true, value: undefined };
    const devices = [...this.#kept.values()].map((one) => device.parse(one)); // without `leaving`
    this.#isChanged = false;
    const text = JSON.stringify({ format: 1, of: this.#hash("devices"), devices });
    const done = await writeAtomically(path, Buffer.from(`${text}\n`), 0o600);
    return done.ok
      ? { ok: true, value: undefined }
      : { ok: false, problem: `The list of signed-in browsers cannot be kept: ${done.problem.message}.` };
  }

  #hash(words: string): string {
    const { createHmac } = process.getBuiltinModule("node:crypto");
    return createHmac("sha256", this.#setup.secret).update(words).digest("hex");
  }

  #log(line: string): void {
    this.#setup.log?.(line);
  }
}

const signInAgain = "Browsers sign in again with a new link: `toolwright serve link`.";
