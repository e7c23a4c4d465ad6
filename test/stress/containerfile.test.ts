/** What the Containerfile of the folder `deploy` does, without a container: its commands in an empty directory. */

import { execFile } from "node:child_process";
import { access, cp, mkdir, mkdtemp, readdir, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";

const project = join(import.meta.dirname, "..", "..");
const run = promisify(execFile);

test("the commands of the Containerfile make the command from a copy of this repository", async () => {
  const root = await realpath(await mkdtemp(join(tmpdir(), "toolwright-image-")));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const [build = "", made = ""] = (await readFile(join(project, "deploy", "Containerfile"), "utf8"))
    .split(/^FROM .*$/mu)
    .slice(1);
  const commandsOf = (stage: string): string[] =>
    [...stage.matchAll(/^RUN (npm .*)$/gmu)].map(([, command = ""]) => command);
  expect([commandsOf(build).length, commandsOf(made).length]).toEqual([2, 1]);
  const source = join(root, "source");
  const { stdout } = await run("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: project,
    maxBuffer: 2 ** 26,
  });
  for (const path of stdout.split("\0").filter((name) => name !== ""))
    await cp(join(project, path), join(source, path), { verbatimSymlinks: true });
  const path = [dirname(process.execPath), process.env["PATH"]].join(delimiter);
  const env = {
    ...process.env,
    PATH: path,
    npm_config_prefix: join(root, "global"),
    npm_config_prefer_offline: "true",
  };
  for (const command of commandsOf(build))
    await run("sh", ["-c", command], { cwd: source, env, maxBuffer: 2 ** 26 });
  const [tarball = ""] = (await readdir(join(source, "dist"))).filter((name) => name.endsWith(".tgz"));
  expect(made).toContain("/source/dist/toolwright-*.tgz");
  await cp(join(source, "dist", tarball), join(root, "toolwright.tgz"));
  await mkdir(join(root, "global"), { recursive: true });
  for (const command of commandsOf(made))
    await run("sh", ["-c", command.replaceAll("/tmp/toolwright.tgz", join(root, "toolwright.tgz"))], {
      cwd: root,
      env,
    });
  const { version }: { version: string } = JSON.parse(await readFile(join(project, "package.json"), "utf8"));
  const program = join(root, "global", "bin", "toolwright");
  expect((await run(program, ["--version"], { cwd: root, env })).stdout).toContain(version);
  const installed = join(root, "global", "lib", "node_modules", "toolwright", "node_modules");
  for (const optional of ["pg", "@dbos-inc/dbos-sdk"])
    await access(join(installed, optional, "package.json"));
});
