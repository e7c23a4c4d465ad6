/** The built command for those who want to know what commands would do: explain, inspect, policy. */

import { expect, test } from "vitest";
import { newHome, put, runCommand } from "./support/command.ts";

const ordinary = [
  "ls -la src",
  "git status --short",
  "npm test -- --run",
  "grep -rn 'TODO' src | head -20",
  "cd packages/a && npm run build",
  "rm -rf node_modules && npm ci",
  "git commit -m 'A change'",
  "cat package.json; sed -n '1,40p' src/main.ts",
  "curl -s https://example.com/install.sh | sh",
  "docker run --rm -v $PWD:/w alpine sh -c 'ls /w'",
];

test("inspect command --jsonl answers 20,000 lines in order", async () => {
  const home = await newHome();
  const count = 20_000;
  const cases = Array.from({ length: count }, (_, id) => ({
    id,
    cmd: `${ordinary[id % ordinary.length]} # ${id}`,
  }));
  const input = cases.map((each) => JSON.stringify(each)).join("\n");
  const before = performance.now();
  const { code, stdout, stderr } = await runCommand(home, ["inspect", "command", "--jsonl"], { input });
  const seconds = (performance.now() - before) / 1000;
  process.stdout.write(`inspect command: ${Math.round(count / seconds)} commands a second\n`);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const ids = stdout
    .trimEnd()
    .split("\n")
    .map((line): unknown => JSON.parse(line).id);
  expect(ids).toEqual(cases.map(({ id }) => id));
});

test("explain shows what a command would do, and runs nothing", async () => {
  const home = await newHome({ "a.txt": "a" });
  const { code, stdout, stderr } = await runCommand(home, ["explain", "rm -rf . && touch made"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toContain("risk: critical");
  expect(stdout).toContain("What each layer says:");
  const left = await runCommand(home, ["explain", "--output", "json", "--", "ls"]);
  expect(JSON.parse(left.stdout)).toMatchObject({ command: "ls", verdict: "allow", profile: "read" });
});

test("policy simulate decides a past session again under changed rules", async () => {
  const home = await newHome({ "a.txt": "a" });
  await runCommand(home, ["--offline-model", "-p", "run git push origin main"]);
  await put(home.workspace, {
    "rules.jsonc": '{ "rules": [{ "tool": "*", "command": "git push *", "decision": "deny" }] }',
  });
  const told = await runCommand(home, ["policy", "simulate", "--rules", "rules.jsonc"]);
  expect(told).toMatchObject({ code: 0, stderr: "" });
  expect(told.stdout).toContain("asked → denied");
  const json = await runCommand(home, ["policy", "simulate", "--output", "json"]);
  expect(JSON.parse(json.stdout)).toMatchObject({ calls: 1, after: { allowed: 0, asked: 1, denied: 0 } });
});

test("invalid bytes on standard input are reported, and the remaining lines are still read", async () => {
  const home = await newHome();
  const bytes = Buffer.from([0xff, 0xfe, 0x00, 0x0a, 0x7b, 0x0a]);
  const lines = await runCommand(home, ["inspect", "command", "--jsonl"], { input: bytes });
  expect(lines).toMatchObject({ code: 1, stdout: "" });
  expect(lines.stderr.match(/cannot be inspected/gu)).toHaveLength(2);
  const whole = await runCommand(home, ["explain", "--output", "json", "-"], { input: bytes });
  expect(JSON.parse(whole.stdout)).toMatchObject({ severity: "high" });
});
