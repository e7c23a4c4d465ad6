import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { allDialects } from "../../src/dialects/index.ts";
import { demoProject, demoRequest } from "../../src/testing/demo-project.ts";
import { demoModel } from "../../src/testing/demo.ts";
import { textOnly } from "../../src/testing/text-only.ts";
import { newHome, put, runCommand } from "../support/command.ts";
import { serve } from "../support/roads.ts";

/** The demo's task: run the tests, read two files, edit one, run the tests again, say what was done. */
describe.each(allDialects.map((dialect) => ({ name: dialect.name, dialect })))(
  "$name",
  ({ name, dialect }) => {
    test("a model without native tools completes the demo's task in the command line", async () => {
      const served = await serve(textOnly(demoModel(), { dialect }), {
        chunk: 40,
        capabilities: ["completion"],
      });
      const home = await newHome(demoProject);
      const rules = [{ tool: "run_command", command: "node --test*", decision: "allow" }];
      await put(home.root, { "config/toolwright/config.jsonc": JSON.stringify({ rules }) });
      const ended = await runCommand(
        home,
        ["-p", demoRequest, "--model", "ollama/plain:1b", "--dialect", name, "--mode", "accept-edits"],
        { env: { OLLAMA_HOST: served.url } },
      );
      expect(ended).toMatchObject({ code: 0, stderr: expect.not.stringContaining("denied") });
      expect(ended.stdout).toContain("both tests pass now");
      expect(await readFile(join(home.workspace, "total.js"), "utf8")).toContain("return sum >= 10000 ?");
      const [first, ...others] = served.requests.filter(({ path }) => path === "/api/chat");
      expect(first?.body).not.toHaveProperty("tools");
      expect(others).toHaveLength(4);
    });
  },
);
