import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

const script = (path: string): string => `
  import { openSync } from "node:fs";
  import { startServerProgram } from ${JSON.stringify(path)};
  const start = { command: ["/bin/cat"], cwd: "/", env: {}, run: "test", graceMs: 0, started: () => {} };
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
