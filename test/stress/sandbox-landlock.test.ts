/** The same ways out are tried where bubblewrap does not work and Landlock stands in for it. */

import { type ChildProcess, spawn } from "node:child_process";
import { createServer, type Server } from "node:net";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Profile } from "../../src/protocol/fact-words.ts";
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

/**
 * What bubblewrap holds and Landlock does not. In the profile `git` the kernel holds nothing in the workspace, and what
 * was changed is put back when the command has ended: what is seen from outside then must be as it was.
 */
const differences: readonly {
  titles: readonly string[];
  profiles: readonly Profile[];
  /** Only for people who are not root. */
  isForOthers?: true;
}[] = [
  {
    profiles: ["git"],
    titles: [
      "a hard link to a file outside",
      "a hook written into .git",
      "settings written into .git",
      "SAFETY 2.3: .git renamed and recreated",
      ".git/hooks renamed and recreated",
      "SAFETY 2.4: the settings of a submodule",
      "git config used to set a hook path",
      "a planted hook that git is configured to run",
      ".mcp.json, which was there",
      ".vscode/tasks.json, which was there",
      ".toolwright/config.json, which was there",
      ".claude/settings.json, which was there",
    ],
  },
  // Other processes can be listed, with their command lines, but neither signalled nor looked into.
  { profiles: ["read", "build", "git"], titles: ["the host's processes"] },
  // The machine's interfaces can be listed, but there are no sockets.
  { profiles: ["read", "build", "git"], titles: ["the network"] },
  // Only root can empty the bounding set; without new privileges it means nothing.
  { profiles: ["read", "build", "git"], titles: ["capabilities and setuid programs"], isForOthers: true },
];

const table = people.flatMap((person) => probes.map((probe) => ({ ...probe, who: person.name, person })));

test.each(table)("as $who: $title", async ({ person, ...probe }) => {
  const profiles = probe.profiles.filter((profile) => profile !== "install" && profile !== "open");
  const tries = await Promise.all(profiles.map((profile) => prepare(person, probe, profile)));
  try {
    const requests = tries.map(({ request }) => request);
    const outcomes = await runAs(tools, person, { requests, landlock: true });
    for (const [at, { place, name, profile }] of tries.entries()) {
      const differs = differences.some(
        ({ titles, profiles: those, isForOthers }) =>
          titles.includes(probe.title) && those.includes(profile) && !(isForOthers && person.uid === 0),
      );
      judge(probe, place, { name, differs, outcome: outcomes[at] });
    }
    expect(sleepers.get(person.name)?.exitCode).toBe(null);
  } finally {
    for (const one of tries) one.release();
  }
});

async function prepare(person: Person, probe: Probe, profile: Profile) {
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
    profile,
    name: `in the profile ${profile}`,
    request: requestFor(place, profile, script, { env: temptingEnv(place) }),
    release() {
      for (const socket of sockets) socket.close();
      removePlace(place);
    },
  };
}

function judge(
  probe: Probe,
  place: Place,
  { name, differs, outcome }: { name: string; differs: boolean; outcome: RunOutcome | undefined },
): void {
  const said = outcome?.refused ?? outcome?.output ?? "";
  expect(said.includes("ESCAPED"), `${name}: ${said}`).toBe(differs);
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
