import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { loadConfig } from "../configuration/config.ts";
import { parseArguments } from "../configuration/options/arguments.ts";
import type { Mode } from "../protocol/facts.ts";
import type { Model } from "../providers/provider.ts";
import { scriptedModel, type ScriptedAnswer } from "../providers/scripted-model.ts";
import type { Sandbox } from "../safety/sandbox/sandbox.ts";
import { openMemoryStore } from "../session/sqlite/memory-store.ts";
import { testSession } from "../testing/session.ts";
import { tools } from "../tools/index.ts";
import type { LiveSession } from "./live-session.ts";
import { type Runtime, startRuntime } from "./runtime.ts";

type Given = { model: Model; sandbox: () => Promise<Sandbox>; mode?: Mode };

async function begun(given: Given): Promise<{ runtime: Runtime; session: LiveSession }> {
  const root = await mkdtemp(join(tmpdir(), "toolwright-ready-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const parsed = parseArguments(["--cwd", join(root, "work"), "--state-dir", join(root, "state")], {});
  if (!parsed.ok) throw new Error(parsed.problem);
  const settings = await loadConfig({ arguments: parsed.value, env: { HOME: root }, cwd: root });
  if (!settings.ok) throw new Error(settings.problem);
  const { mode = "ask", ...context } = given;
  const own = {
    env: { PATH: process.env["PATH"] },
    interactive: false,
    store: openMemoryStore(),
    ...context,
  };
  const started = await startRuntime({ ...settings.value, mode, knowing: true }, own);
  if (!started.ok) throw new Error(started.problem);
  const session = await started.value.open({});
  if (!session.ok) throw new Error(session.problem);
  onTestFinished(async () => {
    await session.value.close();
    await started.value.close();
  });
  await session.value.command({ type: "send", content: [{ type: "text", text: "Go." }] });
  return { runtime: started.value, session: session.value };
}

/** Notes what it is asked for; `rehearsed` resolves when nothing is left to prepare. */
function watchedSandbox(): { told: string[]; rehearsed: Promise<void>; sandbox: () => Promise<Sandbox> } {
  const told: string[] = [];
  const rehearsed = Promise.withResolvers<void>();
  const sandbox: Sandbox = {
    kind: "bubblewrap",
    version: "of a test",
    lacks: [],
    overlays: async () => ({ works: true }),
    openToSockets: async () => [],
    startNext() {
      told.push("started the next");
      rehearsed.resolve();
    },
    async contain({ command, env, profile, rehearsed: isRehearsed }) {
      told.push(`${isRehearsed ? "rehearsed" : "contained"}: ${profile}`);
      const finished = async () => ({
        warnings: [],
        changes: [],
        uncovered: [],
        settled: async () => undefined,
      });
      return {
        ok: true,
        value: { command, env: { ...env }, feeds: [], guarded: false, onStart: () => undefined, finished },
      };
    },
  };
  const find = async (): Promise<Sandbox> => {
    told.push("looked for");
    return sandbox;
  };
  return { told, rehearsed: rehearsed.promise, sandbox: find };
}

const commandAfter = (opens: Promise<unknown>): ScriptedAnswer[] => [
  [{ say: "Let me see." }, { wait: opens }, { call: "run_command", with: { command: "pwd" } }],
  [{ say: "Done." }],
];

test("what a command needs is looked for, tried, rehearsed and started before the model has written it", async () => {
  const { told, rehearsed, sandbox } = watchedSandbox();
  const { session } = await begun({ model: scriptedModel(commandAfter(rehearsed)), sandbox });
  await session.idle();
  const first = ["looked for", "rehearsed: read", "rehearsed: build", "started the next"];
  expect(told).toEqual([...first, "contained: read"]);
});

test("what was rehearsed is in no list, and left nothing in the workspace or where we were started", async () => {
  const before = await readdir(".");
  const { rehearsed, sandbox } = watchedSandbox();
  const { runtime, session } = await begun({ model: scriptedModel(commandAfter(rehearsed)), sandbox });
  await session.idle();
  expect((await runtime.store.list()).map(({ id }) => id)).toEqual([session.id]);
  expect(await readdir(runtime.workspace)).toEqual([]);
  expect(await readdir(".")).toEqual(before);
});

test("it begins as soon as a server has the request, before anything of the answer", async () => {
  const { told, rehearsed, sandbox } = watchedSandbox();
  const plain = scriptedModel([[{ wait: rehearsed }, { say: "Done." }]]);
  const server: Model = {
    name: plain.name,
    ask(prompt, signal, sent) {
      sent?.();
      return plain.ask(prompt, signal);
    },
  };
  const { session } = await begun({ model: server, sandbox });
  await session.idle();
  expect(told).toEqual(["looked for", "rehearsed: read", "rehearsed: build", "started the next"]);
});

test("nothing is begun for an answer that comes at once, and what is left waits for the next silence", async () => {
  const { told, rehearsed, sandbox } = watchedSandbox();
  const looked = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const slow = async (): Promise<Sandbox> => {
    looked.resolve();
    await goOn.promise;
    return sandbox();
  };
  const before: string[][] = [];
  const answers: ScriptedAnswer[] = [
    [{ call: "list_files", with: {} }],
    [{ say: "I look." }, { wait: looked.promise }, { call: "list_files", with: {} }],
    [{ say: "I see." }, { wait: rehearsed }, { say: "Done." }],
  ];
  const model = scriptedModel((_, round) => {
    before.push([...told]);
    if (round === 3) goOn.resolve();
    return answers[round - 1] ?? [];
  });
  const { session } = await begun({ model, sandbox: slow });
  await session.idle();
  expect(before).toEqual([[], [], []]);
  expect(told).toEqual(["looked for", "rehearsed: read", "rehearsed: build", "started the next"]);
});

test("the mode that uses no sandbox prepares none", async () => {
  const { told, sandbox } = watchedSandbox();
  const { session, runtime } = await begun({
    model: scriptedModel([[{ say: "Done." }]]),
    sandbox,
    mode: "trusted",
  });
  await session.idle();
  await session.close();
  await runtime.close();
  expect(told).toEqual([]);
});

test("nothing is prepared for a session whose tools run no commands", async () => {
  const modes: Mode[] = [];
  const without = tools.filter(({ does }) => does !== "execute");
  for (const offered of [without, tools]) {
    const readyCommands = (mode: Mode): unknown => modes.push(mode);
    const test = await testSession(scriptedModel([[{ say: "Done." }]]), { tools: offered, readyCommands });
    onTestFinished(() => test.close());
    await test.ask("Go.");
  }
  expect(modes).toEqual(["ask"]);
});

test("closing waits only for what was begun, and begins nothing more", async () => {
  const { told, sandbox } = watchedSandbox();
  const looked = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<void>();
  const slow = async (): Promise<Sandbox> => {
    looked.resolve();
    await opened.promise;
    return sandbox();
  };
  const model = scriptedModel([[{ say: "Let me see." }, { wait: looked.promise }, { say: "Done." }]]);
  const { session, runtime } = await begun({ model, sandbox: slow });
  await session.idle();
  await session.close();
  const closed = runtime.close().then(() => told.push("closed"));
  opened.resolve();
  await closed;
  expect(told).toEqual(["looked for", "closed"]);
});

test("a sandbox that cannot be prepared changes nothing for the answer", async () => {
  const fails = async (): Promise<Sandbox> => {
    throw new Error("no such luck");
  };
  const { session, runtime } = await begun({ model: scriptedModel([[{ say: "Done." }]]), sandbox: fails });
  await session.idle();
  await session.close();
  await runtime.close();
  expect(session.state.status).toBe("idle");
});
