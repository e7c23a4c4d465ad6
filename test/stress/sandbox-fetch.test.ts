/** Git may be given one host: it then fetches from there, and whatever settings say, from nowhere else. */

import { appendFileSync, chmodSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { gitHost, type GitServer, openGitServer, otherHost } from "../support/git-server.ts";
import {
  gitOnHost,
  inPlace,
  makeTools,
  own,
  people,
  type Person,
  type Place,
  removeTools,
  requestFor,
  runOne,
  type Tools,
  write,
} from "../support/sandbox-place.ts";

let tools: Tools;
let server: GitServer;
beforeAll(async () => {
  tools = await makeTools();
  server = await openGitServer();
});
afterAll(() => {
  server.close();
  removeTools(tools);
});

/** The workspace has a remote, in which somebody has made one commit more. */
function withRemote({ home, workspace }: Place, person: Person, repository = "shop.git"): void {
  const served = join(server.directory, "shop.git");
  rmSync(served, { recursive: true, force: true });
  gitOnHost({ home, workspace }, "init", "--quiet", "--bare", "--initial-branch=main", served);
  gitOnHost({ home, workspace }, "push", "--quiet", served, "main");
  const other = join(home, "other");
  gitOnHost({ home, workspace }, "clone", "--quiet", served, other);
  write(other, "b.txt", "from afar\n");
  for (const words of [
    ["add", "."],
    ["commit", "--quiet", "--message=second"],
    ["push", "--quiet"],
  ])
    gitOnHost({ home, workspace: other }, ...words);
  const address = `https://${gitHost}:${server.port}/${repository}`;
  gitOnHost({ home, workspace }, "remote", "add", "origin", address);
  gitOnHost({ home, workspace }, "config", "branch.main.remote", "origin");
  gitOnHost({ home, workspace }, "config", "branch.main.merge", "refs/heads/main");
  gitOnHost({ home, workspace }, "config", "http.sslCAInfo", join(home, "server.pem"));
  writeFileSync(join(home, "server.pem"), server.certificate);
  own(workspace, person);
  own(home, person);
  server.asked.length = 0;
}

const run = (place: Place, line: string, hosts: readonly string[]) =>
  runOne(
    tools,
    place,
    requestFor(place, "git", line, { overlay: true, ...(hosts.length > 0 ? { outside: hosts } : {}) }),
    { after: ["make"] },
  );
const givenHost = (): string[] => [`${gitHost}:${server.port}`];
const hostsAsked = (): string[] => [...new Set(server.asked.map(({ address }) => new URL(address).hostname))];

const each = (title: string, work: (place: Place, person: Person) => Promise<void>): void => {
  test.each(people)(`as $name: ${title}`, (person) => inPlace(person, (place) => work(place, person)));
};

each("git fetches and pulls from the host that it is given", async (place, person) => {
  withRemote(place, person);
  const outcome = await run(place, "git fetch --quiet && git pull --rebase origin main 2>&1", givenHost());
  expect(outcome).toMatchObject({ exit: 0, warnings: [] });
  expect(readFileSync(join(place.workspace, "b.txt"), "utf8")).toBe("from afar\n");
  expect(hostsAsked()).toEqual([gitHost]);
});

each("without one, nobody is asked anything", async (place, person) => {
  withRemote(place, person);
  const outcome = await run(place, "git fetch 2>&1", []);
  expect(outcome.exit).not.toBe(0);
  expect(server.asked).toEqual([]);
});

each("no setting leads to another host", async (place, person) => {
  withRemote(place, person);
  const config = join(place.workspace, ".git/config");
  const before = readFileSync(config, "utf8");
  const elsewhere = `https://${otherHost}:${server.port}/`;
  for (const settings of [
    `[url "${elsewhere}"]\n\tinsteadOf = https://${gitHost}:${server.port}/`,
    `[remote "origin"]\n\turl =\n\turl = ${elsewhere}shop.git`,
    `[branch "main"]\n\tremote = ${elsewhere}shop.git`,
    `[http]\n\tproxy = http://${otherHost}:${server.port}`,
    `[remote "origin"]\n\tproxy = http://${otherHost}:${server.port}`,
    `[url "ext::sh -c 'touch ran' "]\n\tinsteadOf = https://\n[protocol "ext"]\n\tallow = always`,
    `[url "ssh://${otherHost}/"]\n\tinsteadOf = https://${gitHost}:${server.port}/\n[core]\n\tsshCommand = touch ran`,
    `[remote "origin"]\n\tvcs = sh`,
    `[remote "origin"]\n\tuploadpack = touch ran`,
  ]) {
    writeFileSync(config, `${before}${settings}\n`);
    await run(place, "git fetch; git pull origin main", givenHost());
    expect(
      hostsAsked().filter((host) => host !== gitHost),
      settings,
    ).toEqual([]);
    expect(() => readFileSync(join(place.workspace, "ran")), settings).toThrow("ENOENT");
  }
});

for (const how of ["--no-rebase", "--rebase"])
  each(`what git pull ${how} does runs nothing that the repository names`, async (place, person) => {
    withRemote(place, person);
    write(place.workspace, "c.txt", "from here\n");
    gitOnHost(place, "add", "c.txt");
    gitOnHost(place, "commit", "--quiet", "--message=ours");
    const hooks = [
      "pre-merge-commit",
      "post-merge",
      "pre-rebase",
      "post-checkout",
      "post-rewrite",
      "commit-msg",
    ];
    for (const hook of [...hooks, "reference-transaction"]) {
      write(place.workspace, `.git/hooks/${hook}`, "#!/bin/sh\ntouch ran\n");
      chmodSync(join(place.workspace, ".git/hooks", hook), 0o755);
    }
    write(place.workspace, ".git/info/attributes", "* filter=x merge=x diff=x\n");
    appendFileSync(
      join(place.workspace, ".git/config"),
      `[filter "x"]\n\tclean = touch ran; cat\n\tsmudge = touch ran; cat\n[merge "x"]\n\tdriver = touch ran\n[diff "x"]\n\ttextconv = touch ran; cat\n`,
    );
    own(place.workspace, person);
    await run(place, `git pull ${how} origin main 2>&1`, givenHost());
    expect(() => readFileSync(join(place.workspace, "ran"))).toThrow("ENOENT");
  });

each("a server does not lead to another host, and a submodule neither", async (place, person) => {
  withRemote(place, person, "moved.git");
  expect((await run(place, "git fetch 2>&1", givenHost())).exit).not.toBe(0);
  expect(hostsAsked()).toEqual([gitHost]);
  write(
    place.workspace,
    ".gitmodules",
    `[submodule "x"]\n\tpath = x\n\turl = https://${otherHost}:${server.port}/shop.git\n\tfetchRecurseSubmodules = true\n`,
  );
  const config = join(place.workspace, ".git/config");
  appendFileSync(config, `[fetch]\n\trecurseSubmodules = true\n[submodule "x"]\n\tactive = true\n`);
  own(place.workspace, person);
  await run(place, "git fetch 2>&1", givenHost());
  expect(hostsAsked()).toEqual([gitHost]);
});

each("no login of the person is sent, nor asked for", async (place, person) => {
  withRemote(place, person, "private.git");
  appendFileSync(join(place.home, ".gitconfig"), "[credential]\n\thelper = store\n");
  write(place.home, ".git-credentials", `https://me:word@${gitHost}:${server.port}\n`);
  own(place.home, person);
  const outcome = await run(place, "git fetch 2>&1", givenHost());
  expect(outcome.exit).not.toBe(0);
  expect(outcome.output).toContain("could not read Username");
  expect(server.asked.map(({ login }) => login)).toEqual([undefined]);
});
