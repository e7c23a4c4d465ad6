import { spawn, spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { JsonObject } from "../src/base/json.ts";
import { findSandbox } from "../src/safety/sandbox/sandbox.ts";
import { scale } from "../src/testing/scale.ts";
import { temporaryWorkspace } from "../src/testing/workspace.ts";
import { terminal } from "../src/tools/terminal.ts";
import { runTool, testContext, wordsOf } from "../src/tools/testing/context.ts";

const times = scale;

async function session(files: Record<string, string> = {}) {
  const workspace = await temporaryWorkspace(files);
  const context = testContext(workspace.root);
  onTestFinished(async () => {
    await context.terminals.close();
    await workspace.remove();
  });
  const call = async (input: JsonObject) => {
    const { outcome, words } = wordsOf(await runTool(terminal, input, context));
    const lines = words.split("\n");
    return { outcome, lines, last: lines.at(-1) ?? "" };
  };
  return { call, context, workspace };
}

test("A34: a command that floods its terminal times out, leaves others usable, and can be killed", async () => {
  const { call } = await session();
  const flood = await call({ action: "start", command: "yes", timeoutSeconds: 1 });
  expect([flood.outcome, flood.last]).toEqual([
    "timeout",
    expect.stringMatching(/^\[Terminal main: busy \(yes\)\. Stopped waiting after 1 s; it goes on\./),
  ]);
  const other = await call({ action: "start", terminal: "other", command: "echo done" });
  expect(other.lines[1]).toBe("done");
  expect((await call({ action: "kill" })).last).toContain("ended by SIGHUP");
});

test("A33: 100 MB of output take bounded memory, and the end of it is shown", async () => {
  const { call } = await session();
  const bytes = 100_000_000 * times;
  const command = `base64 -w 99 /dev/zero | head -c ${bytes}; echo; echo end`;
  const before = process.memoryUsage().rss;
  const { outcome, lines } = await call({ action: "start", command, timeoutSeconds: 120 });
  expect([outcome, lines.at(-2), lines.at(-1)]).toEqual([
    "ok",
    "end",
    expect.stringContaining("ended, exit code 0"),
  ]);
  expect(lines.find((line) => line.endsWith("are no longer kept]"))).toBeDefined();
  expect(process.memoryUsage().rss - before).toBeLessThan(400_000_000);
});

test("10,000 writes arrive in order without loss", async () => {
  const count = 10_000 * times;
  const { call, context, workspace } = await session();
  await call({ action: "start", command: "exec cat > out" });
  const running = context.terminals.get("main");
  for (let line = 0; line < count; line++) {
    await expect.poll(() => running?.write(`${line}\r`)).toBe(true);
  }
  await expect.poll(() => running?.pty?.waiting()).toBe(0);
  await call({ action: "write", key: "ctrl-d" });
  expect(await workspace.read("out")).toBe(Array.from({ length: count }, (_, line) => `${line}\n`).join(""));
});

test("each of 100 writes to a shell returns its own output", async () => {
  const { call } = await session();
  await call({ action: "start" });
  for (let at = 0; at < 100 * times; at++) {
    const { lines } = await call({ action: "write", input: `echo $((${at} + 1))` });
    expect(lines.at(-3)).toBe(String(at + 1));
  }
});

/** Ids of the processes with this command line, without zombies. */
function running(words: string): number[] {
  const { stdout } = spawnSync("ps", ["-eo", "pid=,stat=,args="], { encoding: "utf8" });
  const lines = stdout.split("\n").map((line) => line.trim().split(/\s+/));
  return lines.flatMap(([pid, state, ...rest]) =>
    rest.join(" ") === words && !state?.startsWith("Z") ? [Number(pid)] : [],
  );
}

test("killing Toolwright ends every terminal process, those that ignore signals or left their session included", async () => {
  const { workspace } = await session();
  const seconds = 100_000 + process.pid;
  const deaf = `trap '' HUP TERM; setsid sleep ${seconds} & echo ready; sleep ${seconds}`;
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, "support/terminal-child.ts"), `echo ready; exec sleep ${seconds}`, deaf],
    {
      cwd: workspace.root,
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const gone = new Promise((resolve) => void child.once("close", resolve));
  let said = "";
  const ready = new Promise<void>((resolve) => {
    child.stdout.on("data", (bytes: Buffer) => {
      said += bytes.toString();
      if (said.includes("all run")) resolve();
    });
  });
  await Promise.race([ready, gone]);
  await expect.poll(() => running(`sleep ${seconds}`).length).toBe(3);
  child.kill("SIGKILL");
  await expect.poll(() => running(`sleep ${seconds}`)).toEqual([]);
});

test("finished terminals leave no descriptor and no process behind", async () => {
  const { call, context } = await session();
  for (let at = 0; at < 20 * times; at++) await call({ action: "start", command: "echo hello" });
  expect(readdirSync("/proc/self/fd").filter(isTerminal)).toEqual([]);
  await context.terminals.close();
  const children = `/proc/self/task/${process.pid}/children`;
  await expect.poll(() => readFileSync(children, "utf8")).toBe("");
});

function isTerminal(name: string): boolean {
  try {
    return readFileSync(`/proc/self/fdinfo/${name}`, "utf8").includes("tty-index");
  } catch {
    return false;
  }
}

test("a shell in the sandbox has job control and reports its state, and killing it ends all its processes", async () => {
  const sandbox = await findSandbox();
  if (sandbox.kind === "none") return expect(sandbox.because).not.toBe("");
  const { call, context, workspace } = await session();
  const around = await realpath(await mkdtemp(join(tmpdir(), "toolwright-")));
  onTestFinished(() => rm(around, { recursive: true, force: true }));
  const place = { workspace: workspace.root, home: around, stateDir: join(around, "state") };
  context.contain = ({ command, directory, env }) =>
    sandbox.contain({ command, directory, env, ...place, profile: "build", terminal: true });
  expect((await call({ action: "start" })).last).toContain("at its prompt");
  const listed = await call({ action: "write", input: "ls /proc/self/fd; echo ready > made; ps -e | wc -l" });
  expect(listed.lines.join(" ")).toMatch(/ 0 +1 +2 +3 /);
  expect(await workspace.read("made")).toBe("ready\n");
  expect((await call({ action: "write", input: "sleep 60", quietSeconds: 1 })).last).toContain(
    "busy (sleep)",
  );
  expect((await call({ action: "write", key: "ctrl-c" })).last).toContain("at its prompt");
  expect((await call({ action: "write", input: "cat" })).last).toContain("cat waits for input");
  expect((await call({ action: "write", key: "ctrl-d" })).last).toContain("at its prompt");
  expect((await call({ action: "write", input: "read -s x" })).last).toContain("waits for a password");
  expect((await call({ action: "write", key: "ctrl-c" })).last).toContain("at its prompt");
  const seconds = 200_000 + process.pid;
  await call({ action: "write", input: `trap '' HUP TERM; setsid sleep ${seconds} & sleep ${seconds} &` });
  expect(running(`sleep ${seconds}`).length).toBe(2);
  expect((await call({ action: "kill" })).last).toContain("ended");
  await expect.poll(() => running(`sleep ${seconds}`)).toEqual([]);
});
