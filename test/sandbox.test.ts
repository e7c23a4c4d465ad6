/** SAFETY.md 7: no way out of the sandbox, as root and as an ordinary user. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
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
} from "./sandbox-place.ts";
import type { Probe, World } from "./sandbox-probe.ts";
import { probes } from "./sandbox-probes.ts";

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
  world = { port, abstract: name, pid: 0 };
});

afterAll(() => {
  loopback.close();
  abstract.close();
  for (const sleeper of sleepers.values()) sleeper.kill("SIGKILL");
  removeTools(tools);
});

test("bubblewrap is installed: on Linux the tests need it", () => {
  expect(execFileSync("bwrap", ["--version"]).toString()).toContain("bubblewrap");
});

test("there are at least 40 ways out that are tried", () => {
  expect(probes.length).toBeGreaterThanOrEqual(40);
  expect(new Set(probes.map(({ title }) => title)).size).toBe(probes.length);
});

const table = people.flatMap((person) => probes.map((probe) => ({ ...probe, who: person.name, person })));

test.each(table)("as $who: $title", async ({ person, ...probe }) => {
  for (const profile of probe.profiles) await tryProbe(person, probe, profile);
});

async function tryProbe(person: Person, probe: Probe, profile: Probe["profiles"][number]): Promise<void> {
  const place = makePlace(person);
  const sockets = await Promise.all(
    [
      join(place.home, "agent.sock"),
      join(place.workspace, "server.sock"),
      join(place.outside, "host.sock"),
    ].map((path) => listening({ path })),
  );
  try {
    probe.prepare?.(place);
    own(place.home, person);
    own(place.stateDir, person);
    own(place.outside, person);
    const pid = sleepers.get(person.name)?.pid ?? 0;
    const script = `${probe.script(place, { ...world, pid })}\necho TRIED`;
    const request = requestFor(place, profile, script, { env: temptingEnv(place) });
    const [outcome] = await runAs(tools, person, { requests: [request] });
    const said = outcome?.refused ?? outcome?.output ?? "";
    expect(said, `in the profile ${profile}`).not.toContain("ESCAPED");
    expect(said, `in the profile ${profile}`).toMatch(/TRIED\n$/);
    expect(probe.escaped?.(place) ?? false, `in the profile ${profile}, seen from outside: ${said}`).toBe(
      false,
    );
    expect(sleepers.get(person.name)?.exitCode).toBe(null);
  } finally {
    for (const socket of sockets) socket.close();
    removePlace(place);
  }
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
