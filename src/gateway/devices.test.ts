/** Signed-in browsers: kept as hashes in a private file, revoked at once, and never more than the bound. */

import { chmod, mkdtemp, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { Devices } from "./devices.ts";

const secret = "1".repeat(64);

async function place() {
  const folder = await mkdtemp(join(tmpdir(), "toolwright-devices-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, "gateway-devices.json");
  const logged: string[] = [];
  const open = async (key = secret) => {
    const devices = await Devices.open({ secret: key, path, log: (line) => logged.push(line) });
    onTestFinished(() => devices.close()); // when a browser was used last is stored in the background
    return devices;
  };
  return { path, logged, open };
}

test("a browser stays signed in after a restart; the file is private and contains no key", async () => {
  const { path, open, logged } = await place();
  const devices = await open();
  const token = await devices.add("Firefox 144 on Linux");
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  const text = await readFile(path, "utf8");
  const key = token.split("-").at(-1) ?? "";
  expect(key).toMatch(/^[0-9a-f]{64}$/u);
  expect(text).not.toContain(key);
  expect(text).not.toContain(secret);
  const again = await open();
  expect(again.bearer(token)).toMatchObject({ type: "device" });
  expect(again.list()).toMatchObject([{ name: "Firefox 144 on Linux" }]);
  expect(logged).toEqual([]);
});

test("with another token in the gateway's file everybody is signed out", async () => {
  const { open, logged } = await place();
  const token = await (await open()).add("Firefox");
  const after = await open("2".repeat(64));
  expect(after.bearer(token)).toBeUndefined();
  expect(after.list()).toEqual([]);
  await after.add("Chrome");
  expect((await open()).bearer(token)).toBeUndefined();
  expect(logged).toEqual([]);
});

test("a revoked browser is signed out at once and stays so", async () => {
  const { open } = await place();
  const devices = await open();
  const [token, other] = [await devices.add("Firefox"), await devices.add("Chrome")];
  const bearer = devices.bearer(token);
  if (bearer?.type !== "device") throw new Error("not signed in");
  expect(bearer.signedOut.aborted).toBe(false);
  expect(await devices.revoke(bearer.id)).toEqual({ ok: true, value: true });
  expect(bearer.signedOut.aborted).toBe(true);
  expect(devices.bearer(token)).toBeUndefined();
  expect(await devices.revoke(bearer.id)).toEqual({ ok: true, value: false });
  const again = await open();
  expect(again.bearer(token)).toBeUndefined();
  expect(again.bearer(other)).toBeDefined();
});

test("a damaged, foreign, huge or odd file is one line in the log, and browsers sign in again", async () => {
  const { path, open, logged } = await place();
  const whole = await (await open()).add("Firefox").then(() => readFile(path, "utf8"));
  const odd = [
    "",
    "{",
    whole.slice(0, -20),
    "[]",
    '{"format":2}',
    whole.replace(/"hash":"[0-9a-f]{3}/u, '"hash":"zzz'),
    "\0".repeat(300_000),
  ];
  for (const text of odd) {
    await writeFile(path, text);
    expect((await open()).list(), text.slice(0, 40)).toEqual([]);
  }
  expect(logged).toHaveLength(odd.length);
  for (const line of logged) expect(line).toMatch(/^[^\n]+toolwright serve link`\.$/u);
  await rm(path);
  await symlink("/etc/passwd", path);
  const through = await open();
  expect(through.list()).toEqual([]);
  const token = await through.add("Firefox");
  expect(through.bearer(token)).toBeDefined();
  expect(logged.at(-1)).toMatch(/cannot be kept: .*symbolic link.*until the gateway stops/u);
});

test("a gateway that has nothing new to say leaves the file to another one", async () => {
  const { path, open } = await place();
  const first = await open();
  const token = await first.add("Firefox");
  const [idle, other] = [await open(), await open()];
  await other.revoke(token.split("-")[1] ?? "");
  const text = await readFile(path, "utf8");
  await idle.close();
  expect(await readFile(path, "utf8")).toBe(text);
  expect((await open()).list()).toEqual([]);
});

test("a file that others may read is made private again", async () => {
  const { path, open } = await place();
  await (await open()).add("Firefox");
  await chmod(path, 0o644);
  expect((await open()).list()).toHaveLength(1);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test("a thousand sign-ins keep the number bounded; whoever is used stays, whatever the clock says", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const logged: string[] = [];
  const devices = new Devices({ secret, log: (line) => logged.push(line) });
  const mine = await devices.add("Mine");
  const first = await devices.add("First");
  for (let signedIn = 0; signedIn < 1_000; signedIn += 1) {
    if (signedIn === 500) vi.setSystemTime(Date.now() - 86_400_000);
    await devices.add("Other");
    if (signedIn % 50 === 0) expect(devices.bearer(mine)).toBeDefined();
  }
  expect(devices.list()).toHaveLength(64);
  expect(devices.bearer(mine)).toBeDefined();
  expect(devices.bearer(first)).toBeUndefined();
  expect(logged[0]).toMatch(/^Signed out First \([0-9a-f]{16}\), not used for longest: at most 64 browsers/u);
});

test("sign-ins at the same moment are all in the file", async () => {
  const { open } = await place();
  const devices = await open();
  const tokens = await Promise.all(Array.from({ length: 40 }, () => devices.add("Firefox")));
  const again = await open();
  for (const token of tokens) expect(again.bearer(token)).toBeDefined();
});
