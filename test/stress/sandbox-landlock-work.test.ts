/** Where bubblewrap cannot work, Landlock stands in for it: what runs there, and what ends with it. */

import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import type { Profile } from "../../src/protocol/fact-words.ts";
import { scriptedModel } from "../../src/providers/scripted-model.ts";
import { putBackLeft } from "../../src/safety/sandbox/put-back.ts";
import type { ContainRequest } from "../../src/safety/sandbox/sandbox.ts";
import { serveModel } from "../../src/testing/scripted-server.ts";
import { newHome, put, runCommand } from "../support/command.ts";
import { forbidding, shop, works } from "../support/machines.ts";
import {
  inPlace,
  leftIn,
  makeTools,
  own,
  people,
  type Place,
  removeTools,
  requestFor,
  runOne,
  type Tools,
  write,
} from "../support/sandbox-place.ts";

let tools: Tools;
beforeAll(async () => {
  tools = await makeTools();
});
afterAll(() => removeTools(tools));

const run = (place: Place, profile: Profile, line: string, more: Partial<ContainRequest> = {}) =>
  runOne(tools, place, requestFor(place, profile, line, more), { landlock: true });

const forbids = await works(forbidding);
const [unshare = "", ...forbidden] = forbidding;

test.runIf(forbids)(
  "where user namespaces are forbidden, a task with npm test and git commit runs to its end",
  async () => {
    const home = await newHome(shop);
    const git = (...words: string[]) =>
      execFileSync("git", words, { cwd: home.workspace, env: { ...home.env, HOME: home.root } }).toString();
    await put(home.root, { ".gitconfig": "[user]\n\tname = A Person\n\temail = person@example.com\n" });
    git("init", "--quiet", "--initial-branch=main");
    git("add", ".");
    git("commit", "--quiet", "--message=first");
    const model = scriptedModel([
      [{ call: "run_command", with: { command: "npm test" } }],
      [{ call: "read_file", with: { path: "total.js" } }],
      [{ call: "edit_file", with: { path: "total.js", edits: [{ old: "sum > 100", new: "sum >= 100" }] } }],
      [{ call: "run_command", with: { command: "npm test" } }],
      [{ call: "run_command", with: { command: "git add total.js && git commit -m 'Fix the discount'" } }],
      [{ say: "Fixed and committed." }],
    ]);
    const served = await serveModel(model);
    onTestFinished(() => served.close());
    const config = {
      providers: { mine: { baseUrl: `${served.url}/v1`, key: "not-needed", models: ["model"] } },
    };
    await put(join(home.root, "config/toolwright"), { "config.json": JSON.stringify(config) });
    const words = [
      "--model",
      "mine/model",
      "--mode",
      "auto",
      "--output",
      "stream-json",
      "-p",
      "Fix the test",
    ];
    const { code, stdout, stderr } = await runCommand(home, words, { through: forbidding });
    expect({ code, stderr }, stdout).toMatchObject({ code: 0 });
    expect(stdout).toContain("Fixed and committed.");
    expect(git("log", "--format=%s")).toBe("Fix the discount\nfirst\n");
    expect(git("status", "--short")).toBe("");
    expect(stdout).toMatch(/fail 1\b/u);
    expect(stdout).toMatch(/pass 1\b/u);
  },
);

test.each(people)("as $name: a build writes where it may, and its cache stays", (person) =>
  inPlace(person, async (place) => {
    write(place.workspace, "src/a.c", "int main(void) { return 0; }\n");
    own(place.workspace, person);
    const line = `set -e
      echo new > src/new.txt; mkdir -p src/deep; mv src/new.txt src/deep/; chmod 755 src/a.c; echo more >> a.txt
      echo kept > "$XDG_CACHE_HOME-x"; mktemp; test "$(ls -A "$TMPDIR" | wc -l)" = 1
      node -e 'require("child_process").execFileSync("true"); require("fs").readdirSync(".")'; ls -a >/dev/null
      python3 -c 'import subprocess; subprocess.run(["true"], check=True)' || true
      perl -e 'exit 7'`;
    const env = {
      ...requestFor(place, "build", "").env,
      PATH: `${tools.directory}:${process.env["PATH"] ?? ""}`,
    };
    expect(await run(place, "build", line, { env, programs: [tools.directory] })).toMatchObject({
      exit: 7,
      warnings: [],
    });
    expect(readFileSync(join(place.workspace, "src/deep/new.txt"), "utf8")).toBe("new\n");
    expect(await run(place, "build", 'cat "$XDG_CACHE_HOME-x"', { env })).toMatchObject({ output: "kept\n" });
    expect(leftIn(place)).toEqual([]);
  }),
);

test.each(people)(
  "as $name: beside a protected place nothing new can be made, and the file tools help",
  (person) =>
    inPlace(person, async (place) => {
      const refused = await run(place, "build", "mkdir dist && echo x > dist/x");
      expect(refused).toMatchObject({ exit: 1, output: expect.stringContaining("Permission denied") });
      write(place.workspace, "dist/.keep", "");
      own(place.workspace, person);
      expect(await run(place, "build", "mkdir -p dist && echo x > dist/x")).toMatchObject({ exit: 0 });
    }),
);

test.each(people)(
  "as $name: what a git command changes in protected places is put back, and told",
  (person) =>
    inPlace(person, async (place) => {
      write(place.workspace, ".vscode/tasks.json", "ours\n");
      write(place.workspace, ".env", "KEY=ours\n");
      own(place.workspace, person);
      const before = readFileSync(join(place.workspace, ".git/config"), "utf8");
      const line =
        "echo theirs > .vscode/tasks.json; echo theirs > .env; printf '[core]\\n\\tfsmonitor = evil\\n' >> .git/config; rm -r .git/hooks; git commit -q --allow-empty -m second; git log --format=%s";
      const { output, warnings } = await run(place, "git", line);
      expect(output).toContain("second\nfirst\n");
      expect(readFileSync(join(place.workspace, ".git/config"), "utf8")).toBe(before);
      expect(readFileSync(join(place.workspace, ".vscode/tasks.json"), "utf8")).toBe("ours\n");
      expect(readFileSync(join(place.workspace, ".env"), "utf8")).toBe("KEY=ours\n");
      expect(existsSync(join(place.workspace, ".git/hooks"))).toBe(true);
      expect(warnings.filter((warning) => warning.includes("has been put back"))).toHaveLength(4);
    }),
);

test.runIf(forbids)(
  "what a git command changed in protected places when Toolwright was killed is put back by the next start",
  () =>
    inPlace({ name: "ourselves", uid: process.getuid?.() ?? 0 }, async (place) => {
      const settings = join(place.workspace, ".git/config");
      const before = readFileSync(settings, "utf8");
      const line =
        "printf '[core]\\n\\tfsmonitor = evil\\n' >> .git/config; rm -r .git/hooks; echo $$ > part; mv part pid; sleep 300";
      const killed = spawn(unshare, [...forbidden, tools.node, tools.killRunner], {
        stdio: ["pipe", "pipe", "inherit"],
      });
      killed.stdin.end(JSON.stringify(requestFor(place, "git", line)));
      const file = join(place.workspace, "pid");
      while (!existsSync(file)) await new Promise((resolve) => setTimeout(resolve, 10));
      killed.kill("SIGKILL");
      await once(killed, "exit");
      while (existsSync(`/proc/${readFileSync(file, "utf8").trim()}`))
        await new Promise((resolve) => setTimeout(resolve, 10));
      expect(readFileSync(settings, "utf8")).not.toBe(before);
      const told = putBackLeft(place.stateDir);
      expect(told).toEqual([
        expect.stringMatching(/^\.git\/hooks, .* has been put back/u),
        expect.stringMatching(/^\.git\/config, .* has been put back; what .* is now /u),
      ]);
      expect(readFileSync(settings, "utf8")).toBe(before);
      expect(putBackLeft(place.stateDir)).toEqual([]);
    }),
);

test.each(people)("as $name: settings are shown without their secrets, by their variables", (person) =>
  inPlace(person, async (place) => {
    write(place.home, ".npmrc", "color=false\n_authToken=canary-4711\n");
    own(place.home, person);
    const line =
      'git config user.name; cat "$npm_config_userconfig"; cat ~/.npmrc ~/.gitconfig 2>/dev/null; true';
    const { output } = await run(place, "build", line);
    expect(output).toContain("A Person\n");
    expect(output).toContain("color=false");
    expect(output).not.toContain("canary");
  }),
);

test.each(people)("as $name: what a command leaves running ends with it, and its exit is its own", (person) =>
  inPlace(person, async (place) => {
    for (const profile of ["build", "git"] as const) {
      const line = `mkdir -p ${place.outside}; (setsid env -i sh -c 'sleep 300 & echo $! >src/pid; wait' >/dev/null 2>&1 &); until [ -s src/pid ]; do :; done; exit 3`;
      write(place.workspace, "src/.keep", "");
      own(place.workspace, person);
      expect(await run(place, profile, line)).toMatchObject({ exit: 3 });
      expect(existsSync(`/proc/${readFileSync(join(place.workspace, "src/pid"), "utf8").trim()}`)).toBe(
        false,
      );
      execFileSync("rm", [join(place.workspace, "src/pid")]);
      expect(await run(place, profile, "kill -SEGV $$")).toMatchObject({ signal: "SIGSEGV" });
    }
  }),
);

test.runIf(forbids)("a command ends with a Toolwright that is killed, also what left its session", () =>
  inPlace({ name: "ourselves", uid: process.getuid?.() ?? 0 }, async (place) => {
    write(place.workspace, "src/.keep", "");
    const line = "setsid sleep 300 & echo $! >src/part; mv src/part src/pid; sleep 300";
    const killed = spawn(unshare, [...forbidden, tools.node, tools.killRunner], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    killed.stdin.end(JSON.stringify(requestFor(place, "build", line)));
    const file = join(place.workspace, "src/pid");
    while (!existsSync(file)) await new Promise((resolve) => setTimeout(resolve, 10));
    const pid = readFileSync(file, "utf8").trim();
    expect(existsSync(`/proc/${pid}`)).toBe(true);
    killed.kill("SIGKILL");
    await once(killed, "exit");
    while (existsSync(`/proc/${pid}`)) await new Promise((resolve) => setTimeout(resolve, 10));
  }),
);

test.each(people)("as $name: a command on a terminal has that one and no other", (person) =>
  inPlace(person, async (place) => {
    const line =
      "test -t 0 && echo shown >/dev/tty; for t in /dev/pts/*; do (: <$t) 2>/dev/null && echo ESCAPED $t; done; echo x >../out || echo kept";
    const { output } = await run(place, "build", line, { terminal: true });
    expect(output).toMatch(/^shown\r\n/u);
    expect(output).toContain("kept");
    expect(output).not.toContain("ESCAPED");
  }),
);

test("a git command is refused if what it must not change is too large to be copied", () =>
  inPlace({ name: "ourselves", uid: process.getuid?.() ?? 0 }, async (place) => {
    write(place.workspace, ".vscode/large", "x".repeat(17 * 2 ** 20));
    const { refused } = await run(place, "git", "git status");
    expect(refused).toContain("too large to be copied");
    expect(leftIn(place)).toEqual([]);
  }));

test("layers and profiles that it does not have are refused", () =>
  inPlace({ name: "ourselves", uid: process.getuid?.() ?? 0 }, async (place) => {
    const overlaid = await run(place, "build", "echo ran", { overlay: true });
    expect(overlaid.refused).toContain("only with bubblewrap");
    for (const profile of ["install", "open"] as const)
      expect((await run(place, profile, "echo ran")).refused).toContain("only with bubblewrap");
  }));
