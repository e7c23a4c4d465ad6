import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import { startServerProgram } from "./server-program.ts";

const script = (path: string): string => `
  import { openSync } from "node:fs";
  import { startServerProgram } from ${JSON.stringify(path)};
  const start = { command: ["/bin/cat"], cwd: "/", env: {}, run: "test", graceMs: 0, started() {} };
  const { stop } = await startServerProgram(start);
  await stop();
  const open = [];
  try {
    for (;;) open.push(openSync("/dev/null"));
  } catch {}
  const said = await startServerProgram(start).then(() => "started", ({ message }) => message);
  process.stdout.write(said);
`;

test("a program that cannot be started for want of open files is a failed start, and ends nobody", () => {
  const file = join(import.meta.dirname, "server-program.ts");
  const ran = spawnSync(
    "/bin/sh",
    ["-c", 'ulimit -n 1000; exec "$@"', "sh", process.execPath, "--input-type=module", "-"],
    {
      input: script(file),
      encoding: "utf8",
    },
  );
  expect(ran).toMatchObject({ status: 0, stdout: expect.stringMatching(/EMFILE|more files/u) });
});

test("a program is recorded until none of its processes runs, however it ended itself", async () => {
  const runningAtTheEnd: boolean[] = [];
  let left = 0;
  const program = await startServerProgram({
    command: ["/bin/sh", "-c", "sleep 1000 & echo $!"],
    cwd: "/",
    env: {},
    run: "record",
    graceMs: 0,
    started: () => () => void runningAtTheEnd.push(isRunning(left)),
  });
  for await (const line of createInterface(program.output)) {
    left = Number(line);
    break;
  }
  await program.ended;
  expect([isRunning(left), runningAtTheEnd]).toEqual([true, []]);
  await program.stop();
  expect(runningAtTheEnd).toEqual([false]);
});

function isRunning(pid: number): boolean {
  try {
    return !/\) Z /u.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}
