/** Trust covers exactly the approved content, in that workspace, until revoked (SAFETY 1, row 10). */

import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import type { TrustItem } from "../addons/trust.ts";
import { withHeld } from "../runtime/policy.ts";
import { sensitiveFiles } from "../safety/sensitive-files.ts";
import { mostKeptAll } from "./approvals-file.ts";
import { trustBounds } from "./bounds.ts";
import { heldByTrust } from "./held-files.ts";
import { openTrust, wholeNames } from "./trust.ts";
import { mostKept, mostWaiting } from "./trust.ts";
import { countedKinds, untrustedNotice } from "./words.ts";

async function stateDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "toolwright-trust-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  return directory;
}

const thing = (name: string, more: Partial<TrustItem> = {}): TrustItem => ({
  kind: "hook",
  name,
  where: ".toolwright/config.jsonc",
  shows: `runs ${name}`,
  hash: "0".repeat(64),
  ...more,
});

test("SAFETY 1: nothing is trusted before a person agrees, and then only that content in that workspace", async () => {
  const state = await stateDirectory();
  const trust = openTrust(state, "/w");
  expect(trust.allows(thing("a"))).toBe(false);
  expect(trust.waiting()).toEqual([thing("a")]);
  expect(await trust.agree([thing("a")])).toEqual({ ok: true });
  expect(trust.allows(thing("a"))).toBe(true);
  expect(trust.waiting()).toEqual([]);
  for (const other of [
    thing("b"),
    thing("a", { hash: "1".repeat(64) }),
    thing("a", { kind: "server" }),
    thing("a", { where: ".claude/settings.json" }),
  ])
    expect(trust.allows(other)).toBe(false);
  expect(openTrust(state, "/w/sub").allows(thing("a"))).toBe(false);
  expect(openTrust(state, "/w").allows(thing("a"))).toBe(true);
  const [file = ""] = await readdir(join(state, "trust"));
  expect((await stat(join(state, "trust", file))).mode & 0o077).toBe(0);
});

test("trust given or revoked by another program takes effect at the next question", async () => {
  const state = await stateDirectory();
  const [here, there] = [openTrust(state, "/w"), openTrust(state, "/w")];
  expect(here.allows(thing("a"))).toBe(false);
  await there.agree([thing("a"), thing("b")]);
  expect(here.allows(thing("a"))).toBe(true);
  await here.agree([thing("c")]);
  expect(there.agreed().map(({ name }) => name)).toEqual(["a", "b", "c"]);
  expect(await there.forget(["a"])).toMatchObject({ ok: true });
  expect(here.allows(thing("a"))).toBe(false);
  expect(here.allows(thing("b"))).toBe(true);
  await here.forget("all");
  expect(await readdir(join(state, "trust"))).toEqual([]);
});

test("concurrent agreements and revocations by several programs lose nothing", async () => {
  const state = await stateDirectory();
  const names = Array.from({ length: 12 }, (_, at) => `h${at}`);
  await openTrust(state, "/w").agree(names.slice(0, 6).map((name) => thing(name)));
  await Promise.all(
    names.map((name, at) => {
      const trust = openTrust(state, "/w");
      return at < 6 ? trust.forget([name]) : trust.agree([thing(name)]);
    }),
  );
  const left = openTrust(state, "/w").agreed();
  expect(left.map(({ name }) => name).toSorted()).toEqual(names.slice(6).toSorted());
});

test("a trusted content stays trusted beside another one of the same name", async () => {
  const trust = openTrust(await stateDirectory(), "/w");
  const [one, other] = [thing("a"), thing("a", { hash: "1".repeat(64) })];
  await trust.agree([one]);
  trust.allows(other);
  expect(trust.waiting()).toEqual([other]);
  await trust.agree([other]);
  expect([trust.allows(one), trust.allows(other)]).toEqual([true, true]);
  expect(await trust.forget(["1".repeat(12)])).toMatchObject({ ok: true, value: [{ name: "a" }] });
  expect([trust.allows(one), trust.allows(other)]).toEqual([true, false]);
});

test("a damaged file trusts nothing and is reported", async () => {
  const state = await stateDirectory();
  await openTrust(state, "/w").agree([thing("a")]);
  const [file = ""] = await readdir(join(state, "trust"));
  const path = join(state, "trust", file);
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.string(), fc.json()), async (text) => {
      await writeFile(path, text);
      const trust = openTrust(state, "/w");
      expect(trust.allows(thing("a"))).toBe(false);
      expect(trust.warnings()).toEqual([expect.stringContaining("is damaged")]);
    }),
  );
  await rm(path);
  await mkdir(path);
  expect(openTrust(state, "/w").warnings()).toEqual([expect.stringContaining("is damaged")]);
  expect(await openTrust(state, "/w").agree([thing("a")])).toMatchObject({ ok: false });
});

test("a file for another workspace, or with an invalid list, trusts nothing", async () => {
  const state = await stateDirectory();
  await openTrust(state, "/w").agree([thing("a")]);
  const [file = ""] = await readdir(join(state, "trust"));
  const { kind, name, where, hash } = thing("a");
  for (const [workspace, agreed] of [
    ["/other", [{ kind, name, where, hash }]],
    ["/w", [{ kind, name, where, hash }, { kind: "everything" }]],
    ["/w", { kind, name, where, hash }],
  ]) {
    await writeFile(join(state, "trust", file), JSON.stringify({ workspace, agreed }));
    expect(openTrust(state, "/w").allows(thing("a"))).toBe(false);
  }
});

test("waiting and trusted things are both limited in number", async () => {
  const trust = openTrust(await stateDirectory(), "/w");
  const { most } = trustBounds.agreed;
  const many = Array.from({ length: most + 5 }, (_, at) => thing(`t${at}`));
  for (const one of many) trust.allows(one);
  expect(trust.waiting()).toHaveLength(mostWaiting);
  await trust.agree(many);
  expect(trust.agreed()).toHaveLength(most);
  expect(trust.allows(thing(`t${most + 4}`))).toBe(true);
});

test("the notice counts what waits in one line, and its code identifies exactly these things", () => {
  const things = [thing("a"), thing("b"), thing("s", { kind: "server" })];
  expect(countedKinds(things)).toBe("2 hooks and 1 tool server");
  const notice = untrustedNotice(things);
  expect(notice?.text).toBe(
    "This workspace brings 2 hooks and 1 tool server; nothing of it is used until you agree: look with `toolwright trust`.",
  );
  expect(untrustedNotice(things.toReversed())?.code).toBe(notice?.code);
  expect(untrustedNotice([thing("a")])?.code).not.toBe(notice?.code);
  expect(untrustedNotice([])).toBeUndefined();
});

test("trusted contents are kept for comparison, within limits, and the file stays readable", async () => {
  const state = await stateDirectory();
  const trust = openTrust(state, "/w");
  await trust.agree([thing("huge", { shows: "x".repeat(mostKept + 1) }), thing("small")]);
  expect(trust.agreed().map(({ name, shows, at }) => [name, shows, typeof at])).toEqual([
    ["huge", undefined, "number"],
    ["small", "runs small", "number"],
  ]);
  const many = Array.from({ length: 40 }, (_, at) => thing(`t${at}`, { shows: "\u0001".repeat(mostKept) }));
  await trust.agree(many);
  const again = openTrust(state, "/w");
  expect(again.warnings()).toEqual([]);
  expect(again.agreed()).toHaveLength(42);
  const stored = again.agreed().reduce((sum, { shows = "" }) => sum + JSON.stringify(shows).length, 0);
  expect(stored).toBeLessThanOrEqual(mostKeptAll);
  expect(again.agreed().at(-1)?.shows).toBeDefined();
});

test("the beginning of a name stands for it unless there is another, and never for a name that exists", () => {
  const things = [thing("c.sh at session-start"), thing("format"), thing("format all"), thing("allow")];
  expect(wholeNames(["c.sh", "form", "format", "all", ""], things)).toEqual([
    "c.sh at session-start",
    "form",
    "format",
    "all",
    "",
  ]);
});

test("SAFETY 1: what any workspace's trusted items run is held until the approval is taken back", async () => {
  const state = await stateDirectory();
  const [one, other] = [openTrust(state, "/w"), openTrust(state, "/v")];
  await one.agree([thing("a", { held: ["hooks/x.sh", "more/"] })]);
  await other.agree([thing("b", { held: ["y.sh"] })]);
  expect(heldByTrust(state).toSorted()).toEqual(["/v/y.sh", "/w/hooks/x.sh", "/w/more/"]);
  await one.withdraw?.(thing("a"));
  expect(heldByTrust(state)).toEqual(["/v/y.sh"]);
});

test("SAFETY 1: a tool that changes what a trusted item runs, or a directory above it, asks like for a sensitive file", async () => {
  const directory = await stateDirectory();
  await mkdir(join(directory, "hooks"));
  await writeFile(join(directory, "hooks/x.sh"), "");
  const sensitive = withHeld(sensitiveFiles(), [join(directory, "hooks/x.sh")], directory);
  expect(["hooks/x.sh", "hooks", "hooks/y.sh", "a.txt"].map((path) => sensitive(path)?.edit)).toEqual([
    "ask",
    "ask",
    undefined,
    undefined,
  ]);
});
