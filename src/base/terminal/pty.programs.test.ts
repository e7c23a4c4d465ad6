import { readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { stopTree } from "../process-tree.ts";
import { runProcess } from "../process.ts";
import { openPty, type PtyEnd } from "./pty.ts";

async function start(command: string) {
  const heard = { text: "" };
  const ended = Promise.withResolvers<PtyEnd>();
  let wake: () => void = () => {};
  const opened = await openPty({
    command: ["/bin/sh", "-c", command],
    cwd: "/",
    env: { PATH: process.env["PATH"] ?? "", TERM: "xterm" },
    columns: 100,
    rows: 40,
    onOutput: (bytes) => {
      heard.text += Buffer.from(bytes).toString();
      wake();
    },
    onEnd: ended.resolve,
  });
  if (!opened.ok) throw new Error(opened.problem);
  const { pid } = opened.value;
  onTestFinished(async () => {
    await stopTree(pid);
    await ended.promise;
  });
  const says = async (words: string): Promise<void> => {
    while (!heard.text.includes(words)) await new Promise<void>((resolve) => void (wake = resolve));
  };
  return { pty: opened.value, heard, ended: ended.promise, says };
}

test("a program gets a terminal of the requested size and type", async () => {
  const { heard, says } = await start("stty size; echo $TERM; test -t 0 && echo terminal; exec cat");
  await says("terminal");
  expect(heard.text).toBe("40 100\r\nxterm\r\nterminal\r\n");
});

test("the exit code or signal is reported after the last output", async () => {
  const left = await start("echo last; exit 7");
  expect([await left.ended, left.heard.text]).toEqual([{ exit: 7 }, "last\r\n"]);
  expect(await (await start("kill -9 $$")).ended).toEqual({ signal: "SIGKILL" });
});

test("input to a program that does not read is buffered up to a limit and delivered later", async () => {
  const { pty, says, heard } = await start(
    "stty raw -echo; echo ready; kill -STOP $$; head -c 300000 | wc -c; exec sleep 60",
  );
  await says("ready");
  await expect.poll(() => readFileSync(`/proc/${pty.pid}/stat`, "utf8")).toMatch(/\) T /u);
  expect(pty.write("x".repeat(300_000))).toBe(true);
  expect(pty.waiting()).toBeGreaterThan(0);
  expect(pty.write("x".repeat(2_000_000))).toBe(false);
  process.kill(pty.pid, "SIGCONT");
  await says("300000");
  expect([pty.waiting(), heard.text.includes("300000")]).toEqual([0, true]);
});

test("no program inherits the terminals of others", async () => {
  const first = await start("echo ready; exec sleep 60");
  await first.says("ready");
  const listing = "ls -l /proc/self/fd";
  const second = await start(`${listing}; echo done; exec sleep 60`);
  await second.says("done");
  const { output } = await runProcess({
    command: ["/bin/sh", "-c", listing],
    cwd: "/",
    env: { PATH: process.env["PATH"] },
  });
  expect(second.heard.text + Buffer.from(output.bytes).toString()).not.toContain("ptmx");
});

test("a program that cannot be started is reported or exits immediately", async () => {
  const opened = await openPty({
    command: [],
    cwd: "/",
    env: {},
    columns: 80,
    rows: 24,
    onOutput: () => {},
    onEnd: () => {},
  });
  expect(opened).toEqual({ ok: false, problem: "There is no program to start." });
  expect(await (await start("exec /no/such/program")).ended).toEqual({ exit: 127 });
});
