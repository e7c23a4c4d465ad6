import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { Store } from "../src/session/store.ts";
import { storeAt } from "../src/session/testing/store-at.ts";
import { scale } from "../src/testing/scale.ts";
import { temporaryWorkspace, type TemporaryWorkspace } from "../src/testing/workspace.ts";

const script = join(import.meta.dirname, "support/owner-child.ts");
let directory: string;
let workspace: TemporaryWorkspace;
let store: Store;
const children: ChildProcess[] = [];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "toolwright-owners-"));
  workspace = await temporaryWorkspace({});
  store = await storeAt(join(directory, "s.db"));
});

afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill("SIGKILL");
    await once(child, "exit");
  }
});

afterAll(async () => {
  await store.close();
  await workspace.remove();
  await rm(directory, { recursive: true });
});

type Order = { order: "open" | "take-over" | "write" | "claim" | "close"; id?: string; at?: number };

function program() {
  const child = spawn(process.execPath, [script, join(directory, "s.db"), workspace.root], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  children.push(child);
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    pid: child.pid ?? 0,
    child,
    async ask(order: Order): Promise<unknown> {
      child.stdin.write(`${JSON.stringify(order)}\n`);
      const { value } = await answers.next();
      return JSON.parse(value ?? '"gone"');
    },
    async end(signal?: NodeJS.Signals): Promise<void> {
      const gone = once(child, "exit");
      if (signal) child.kill(signal);
      else child.stdin.end();
      await gone;
    },
  };
}

async function newSession(id: string): Promise<string> {
  await store.create({ id, workspace: workspace.root, createdAt: Date.now() });
  return id;
}

const written = async (id: string): Promise<string[]> =>
  (await store.read(id, 0)).flatMap((fact) => (fact.type === "session-renamed" ? [fact.title] : []));

const held = (id: string, pid: number): RegExp =>
  new RegExp(
    `^Session ${id} is open in another program: owner-child \\(process ${pid} on .+, since .+ UTC\\)\\. Go on there, or close it first\\. .*the option "takeOver"`,
  );

test("one process owns a session; another is refused with the owner's name, and gets it once the owner is killed", async () => {
  const id = await newSession("killed");
  const [one, other] = [program(), program()];
  expect(await one.ask({ order: "open", id })).toBe("ok");
  expect(await other.ask({ order: "open", id })).toMatch(held(id, one.pid));
  expect(await one.ask({ order: "write", id: "from the first" })).toBe("ok");
  await one.end("SIGKILL");
  expect(await other.ask({ order: "open", id })).toBe("ok");
  expect(await other.ask({ order: "write", id: "from the second" })).toBe("ok");
  expect(await written(id)).toEqual(["from the first", "from the second"]);
  await expect(store.delete(id)).rejects.toThrow(held(id, other.pid));
});

test("a suspended process keeps its session until someone takes it over, and cannot write after it resumes", async () => {
  const id = await newSession("stopped");
  const [one, other] = [program(), program()];
  expect(await one.ask({ order: "open", id })).toBe("ok");
  one.child.kill("SIGSTOP");
  expect(await other.ask({ order: "open", id })).toMatch(held(id, one.pid));
  expect(await other.ask({ order: "take-over", id })).toBe("ok");
  one.child.kill("SIGCONT");
  expect(await one.ask({ order: "write", id: "too late" })).toMatch(/^StaleEpoch: .* was taken over/);
  expect(await other.ask({ order: "write", id: "in time" })).toBe("ok");
  expect(await one.ask({ order: "open", id })).toMatch(held(id, other.pid));
  expect(await written(id)).toEqual(["in time"]);
});

test("a session is free as soon as its owner closes it or exits", async () => {
  const id = await newSession("closed");
  const [one, other, third] = [program(), program(), program()];
  expect(await one.ask({ order: "open", id })).toBe("ok");
  expect(await one.ask({ order: "close" })).toBe("ok");
  expect(await other.ask({ order: "open", id })).toBe("ok");
  expect(await one.ask({ order: "open", id })).toMatch(held(id, other.pid));
  await other.end();
  expect(await third.ask({ order: "open", id })).toBe("ok");
});

test("of two processes that claim a session at the same moment, exactly one gets it", async () => {
  const rounds = 100 * scale;
  const rivals = [program(), program()];
  for (let round = 0; round < rounds; round += 1) {
    const id = await newSession(`race-${round}`);
    const at = Date.now() + 4;
    const answers = await Promise.all(rivals.map((rival) => rival.ask({ order: "claim", id, at })));
    const [winner] = answers.flatMap((answer, which) => (answer === 1 ? [rivals[which]] : []));
    expect(answers.filter((answer) => answer === 1)).toHaveLength(1);
    const words = answers.find((answer) => answer !== 1);
    expect(words).toContain(`SessionHeld: Session ${id} is open in another program`);
    expect(words).toContain(`(process ${winner?.pid} on `);
  }
});

test("of two processes that find the owner dead, exactly one takes over", async () => {
  const rounds = 5 * scale;
  const rivals = [program(), program()];
  for (let round = 0; round < rounds; round += 1) {
    const id = await newSession(`heirs-${round}`);
    const owner = program();
    expect(await owner.ask({ order: "claim", id })).toBe(1);
    await Promise.all(rivals.map((rival) => rival.ask({ order: "close" }))); // wait until both have started
    await owner.end("SIGKILL");
    const at = Date.now() + 4;
    const answers = await Promise.all(rivals.map((rival) => rival.ask({ order: "claim", id, at })));
    expect(answers.filter((answer) => answer === 2)).toHaveLength(1);
  }
});
