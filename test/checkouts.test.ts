/** A gateway makes checkouts over HTTPS with the logins that git has on its machine, and nobody else sees these. */

import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { connect } from "../src/client.ts";
import { scriptedModel } from "../src/providers/scripted-model.ts";
import { gitAt, testRepository } from "../src/session/checkouts/testing/repository.ts";
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
