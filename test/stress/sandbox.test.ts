/** SAFETY.md 7: no escape from the sandbox, as root and as an ordinary user. */

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { createServer, type Server } from "node:net";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  makePlace,
  makeTools,
  own,
  people,
  type Person,
  type Place,
  plainEnv,
  removePlace,
  removeTools,
  requestFor,
  runAs,
  type Tools,
} from "../support/sandbox-place.ts";
import { makeSharedMemory, type Probe, removeSharedMemory, type World } from "../support/sandbox-probe.ts";
import { probes } from "../support/sandbox-probes.ts";
import type { RunOutcome } from "../support/sandbox-runner.ts";

let tools: Tools;
let loopback: Server;
let abstract: Server;
let world: World;
const sleepers = new Map<string, ChildProcess>();

beforeAll(async () => {
  tools = await makeTools();
  loopback = await listening({ port: 0, host: "127.0.0.1" });
  const name = `toolwright-probe-${process.pid}`;
  abstract = await listening({ path: `\0${name}` });
  const address = loopback.address();
  const port = typeof address === "object" && address ? address.port : 0;
  for (const { name: who, uid } of people) {
    const env = { ...plainEnv("/"), TOOLWRIGHT_PROBE: "1" };
    sleepers.set(who, spawn("sleep", ["424242"], { stdio: "ignore", uid, env }));
  }
  world = { port, abstract: name, pid: 0, memory: makeSharedMemory() };
});

afterAll(() => {
  loopback.close();
  abstract.close();
  removeSharedMemory(world.memory);
  for (const sleeper of sleepers.values()) sleeper.kill("SIGKILL");
  removeTools(tools);
});

test("bubblewrap is installed, which the tests need on Linux", () => {
  expect(execFileSync("bwrap", ["--version"]).toString()).toContain("bubblewrap");
});

test("at least 40 different escapes are tried", () => {
  expect(probes.length).toBeGreaterThanOrEqual(40);
  expect(new Set(probes.map(({ title }) => title)).size).toBe(probes.length);
});

const table = people.flatMap((person) => probes.map((probe) => ({ ...probe, who: person.name, person })));

/** Each profile is tried with and without an overlay; an overlay is applied, because a change could escape that way. */
test.each(table)("as $who: $title", async ({ person, ...probe }) => {
  const ways = probe.profiles.flatMap((profile): Way[] =>
    profile === "read"
      ? [{ profile, overlay: false }]
      : [false, true].map((overlay) => ({ profile, overlay })),
  );
  const tries = await Promise.all(ways.map((way) => prepare(person, probe, way)));
  try {
    const requests = tries.map(({ request }) => request);
    const outcomes = await runAs(tools, person, { requests, after: tries.map(() => "make") });
    for (const [at, { place, name }] of tries.entries()) judge(probe, place, { name, outcome: outcomes[at] });
    expect(sleepers.get(person.name)?.exitCode).toBe(null);
  } finally {
    for (const one of tries) one.release();
  }
});

type Way = { profile: Probe["profiles"][number]; overlay: boolean };

async function prepare(person: Person, probe: Probe, { profile, overlay }: Way) {
  const place = makePlace(person);
  const paths = ["home/agent.sock", "home/project/server.sock", "outside/host.sock"];
  const root = dirname(place.home);
  const sockets = await Promise.all(paths.map((path) => listening({ path: join(root, path) })));
  probe.prepare?.(place);
  for (const path of [place.home, place.stateDir, place.outside]) own(path, person);
  const pid = sleepers.get(person.name)?.pid ?? 0;
  const script = `${probe.script(place, { ...world, pid })}\necho TRIED`;
  return {
    place,
    name: `in the profile ${profile}${overlay ? ", over a layer" : ""}`,
    request: requestFor(place, profile, script, { env: temptingEnv(place), overlay }),
    release() {
      for (const socket of sockets) socket.close();
      removePlace(place);
    },
  };
}

function judge(
  probe: Probe,
  place: Place,
  { name, outcome }: { name: string; outcome: RunOutcome | undefined },
): void {
  const said = outcome?.refused ?? outcome?.output ?? "";
  expect(said, name).not.toContain("ESCAPED");
  expect(said, name).toMatch(/TRIED\n$/);
  expect(probe.escaped?.(place) ?? false, `${name}, seen from outside: ${said}`).toBe(false);
}

const temptingEnv = ({ home }: Place): Record<string, string> => ({
  ...plainEnv(home),
  SSH_AUTH_SOCK: join(home, "agent.sock"),
  DISPLAY: ":0",
  DBUS_SESSION_BUS_ADDRESS: "unix:path=/run/dbus/system_bus_socket",
  XDG_RUNTIME_DIR: "/run/user/0",
  GITHUB_TOKEN: "x",
  AWS_SECRET_ACCESS_KEY: "x",
});

async function listening(where: { port: number; host: string } | { path: string }): Promise<Server> {
  const server = createServer((socket) => socket.end());
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(where, resolve);
  });
  server.unref();
  return server;
}
