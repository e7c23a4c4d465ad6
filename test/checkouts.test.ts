/** A gateway makes checkouts over HTTPS with the logins that git has on its machine, and nobody else sees these. */

import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { orThrow } from "../src/base/expected.ts";
import { connect } from "../src/client.ts";
import { scriptedModel } from "../src/providers/scripted-model.ts";
import { findSandbox } from "../src/safety/sandbox/sandbox.ts";
import { gitAt, testRepository } from "../src/session/checkouts/testing/repository.ts";
import { followUntil, testHost } from "../src/testing/host.ts";
import { text } from "../src/tools/tool.ts";
import { type Home, newHome, startCommand } from "./support/command.ts";
import { gitHost, gitLogin, openGitServer } from "./support/git-server.ts";
import { lead, ollamaRoad, serve } from "./support/roads.ts";

const { user, password } = gitLogin;

/** The server with a private repository, and a gateway whose git knows the login if it is `given`. */
async function place(given: string) {
  const server = await openGitServer();
  onTestFinished(() => server.close());
  const { git } = testRepository({ "a.txt": "a\n" });
  const bare = join(server.directory, "private.git");
  gitAt(server.directory, "init", "--quiet", "--bare", "--initial-branch=main", bare);
  gitAt(bare, "--git-dir=.", "config", "http.receivepack", "true");
  git("push", "--quiet", bare, "HEAD:main");
  const home = await newHome();
  const asking = join(home.root, "ask");
  writeFileSync(asking, `#!/bin/sh\ncase "$1" in Username*) echo ${user};; *) echo ${given};; esac\n`);
  chmodSync(asking, 0o755);
  writeFileSync(join(home.root, "git.pem"), server.certificate);
  const env = {
    GIT_ASKPASS: asking,
    GIT_SSL_CAINFO: join(home.root, "git.pem"),
    GIT_TRACE: join(home.temporary, "trace"),
  };
  const model = await serve(
    scriptedModel([[{ call: "write_file", with: { path: "b.txt", content: "b\n" } }], [{ say: "Done." }]]),
  );
  const flags = [
    ...lead(home, ollamaRoad, model.url),
    "--output",
    "json",
    "--log",
    join(home.temporary, "log"),
  ];
  const running = startCommand(home, ["serve", "--port", "0", ...flags], { env });
  let text = "";
  running.child.stdout?.on("data", (piece: string) => (text += piece));
  await running.until("}\n");
  const { url, tokenFile }: { url: string; tokenFile: string } = JSON.parse(text);
  const client = connect({ url, token: readFileSync(tokenFile, "utf8").trim() });
  return { home, bare, running, client, address: `https://${gitHost}:${server.port}/private.git` };
}

/** All files of the home that hold the words, but the program that tells the login. */
function filesWith(home: Home, words: string): string[] {
  const all = readdirSync(home.root, { recursive: true, encoding: "utf8" });
  return all.filter((name) => {
    const path = join(home.root, name);
    return name !== "ask" && statSync(path).isFile() && readFileSync(path, "latin1").includes(words);
  });
}

test("a private repository is fetched and pushed to with git's own login, which is kept nowhere", async () => {
  const { home, bare, running, client, address } = await place(password);
  const made = await client.create({
    repository: address,
    mode: "accept-edits",
    content: [{ type: "text", text: "write" }],
  });
  expect(readFileSync(join(made.workspace, "a.txt"), "utf8")).toBe("a\n");
  await expect.poll(async () => (await client.session(made.id)).standing).toBe("idle");
  expect(await client.outcome(made.id, { as: "push", to: "work" })).toMatchObject({ branch: "work" });
  expect(gitAt(bare, "--git-dir=.", "ls-tree", "--name-only", "work")).toBe("a.txt\nb.txt");
  running.child.kill("SIGTERM");
  const { stdout, stderr } = await running.ended;
  expect(stdout + stderr).not.toContain(password);
  expect(filesWith(home, password)).toEqual([]);
  expect(filesWith(home, Buffer.from(`${user}:${password}`).toString("base64"))).toEqual([]);
});

test("a wrong login is told without it, nobody is asked for another, and no session is made", async () => {
  const { home, client, address } = await place("wr0ng");
  const refused = await client.create({ repository: address }).catch((error: unknown) => error);
  expect(String(refused)).toMatch(/"HEAD" of the repository cannot be fetched: .*Authentication failed/u);
  expect(String(refused)).not.toContain("wr0ng");
  expect(await client.sessions({})).toMatchObject({ sessions: [] });
  expect(filesWith(home, "wr0ng")).toEqual([]);
});

test("contained commands commit in their own checkout, and see nothing of another session's", async () => {
  const look = `const { readdirSync, readFileSync } = require("node:fs");
    for (const name of readdirSync("../.."))
      try { console.log(name, readFileSync("../../" + name + "/shop/a.txt", "utf8")); } catch (error) { console.log(name, error.code); }`;
  const scripts = { scripts: { test: "node look.js" } };
  const repository = testRepository({
    "a.txt": "a\n",
    "package.json": JSON.stringify(scripts),
    "look.js": look,
  });
  const commands = [
    "npm test",
    "echo b > b.txt",
    "git add -A && git commit -qm Mine --author 'A <a@example.org>'",
  ];
  const calls = commands.map((command) => ({ call: "run_command", with: { command } }));
  const env = { GIT_COMMITTER_NAME: "A", GIT_COMMITTER_EMAIL: "a@example.org" };
  const made = await testHost(scriptedModel([calls, [{ say: "Done." }]]), {
    mode: "auto",
    sandbox: findSandbox,
    env,
  });
  onTestFinished(async () => {
    await made.close();
    await made.remove();
  });
  const { host } = made;
  const source = { repository: repository.address };
  const [own, other] = [orThrow(await host.create(source)), orThrow(await host.create(source))];
  const ended = followUntil(host, own.id, ({ type }) => type === "turn-end");
  await host.command(own.id, { type: "send", content: text("go") });
  const results = (await ended).filter((event) => event.type === "result");
  expect(results).toMatchObject(commands.map(() => ({ outcome: "ok" })));
  const told = JSON.stringify(results[0]);
  expect(told).toContain(`${own.id} a\\n`);
  expect(told).toMatch(new RegExp(`${other.id} E(?:ACCES|NOENT)`, "u"));
  const { commit, branch } = orThrow(await host.outcome(own.id, { as: "push" }));
  expect(repository.bare("log", "--format=%s", "-1", branch ?? "")).toBe("Mine");
  expect(gitAt(own.workspace, "rev-parse", "HEAD")).toBe(commit);
});
