/** Instructions that apply to some files, in the formats of several agents. */

import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { placeWith } from "../../testing/written-files.ts";
import { applyingTo, readApplying } from "./applying.ts";

test("C9: rules of Copilot, Claude Code and Cursor apply to the files they declare", async () => {
  await using place = await placeWith({
    "work/.github/instructions/web.instructions.md": `---\napplyTo: "**/*.{ts,tsx},**/*.css"\n---\nWeb.`,
    "work/.github/instructions/asked.instructions.md": "---\ndescription: By hand\n---\nAsked for.",
    "work/.claude/rules/testing.md": "# Testing\n\nAlways test.",
    "work/.claude/rules/api/routes.md":
      '---\npaths:\n  - "src/api/**/*.ts"\n  - src/routes/*.{ts,js}\n---\nRoutes.',
    "work/.claude/rules/one.md": "---\npaths: lib/**/*\n---\nLib.",
    "work/.cursor/rules/core.mdc": "---\ndescription: Core\nglobs:\nalwaysApply: true\n---\nCore.",
    "work/.cursor/rules/react.mdc":
      "---\ndescription: React: how we write it\nglobs: **/*.tsx, app/**/*\nalwaysApply: false\n---\nReact.",
    "work/.cursor/rules/asked.mdc": "---\ndescription: By hand\nglobs:\nalwaysApply: false\n---\nAsked for.",
    "work/.cursor/rules/other.md": "No rule.",
  });
  const { files, problems } = await readApplying(place);
  expect(problems).toEqual([]);
  expect(files.filter(({ always }) => always).map(({ path }) => path)).toEqual([
    ".claude/rules/testing.md",
    ".cursor/rules/core.mdc",
  ]);
  const toldFor = async (path: string): Promise<string[]> =>
    (await applyingTo(files, [path])).map(({ text }) => text);
  expect(await toldFor("web/page.tsx")).toEqual(["Web.", "React."]);
  expect(await toldFor("src/api/v1/user.ts")).toEqual(["Web.", "Routes."]);
  expect(await toldFor("src/routes/user.js")).toEqual(["Routes."]);
  expect(await toldFor("app/x.py")).toEqual(["React."]);
  expect(await toldFor("lib/deep/x.py")).toEqual(["Lib."]);
  expect(await toldFor("README.md")).toEqual([]);
});

test("C9: rules of Windsurf, Cline, Roo, Continue and Kiro apply to the files they declare", async () => {
  await using place = await placeWith({
    "work/.windsurf/rules/core.md": "---\ntrigger: always_on\n---\nW core.",
    "work/.windsurf/rules/plain.md": "W plain.",
    "work/.windsurf/rules/ts.md": "---\ntrigger: glob\nglobs: **/*.ts\n---\nW ts.",
    "work/.windsurf/rules/asked.md": "---\ntrigger: manual\n---\nW asked.",
    "work/.windsurf/rules/maybe.md": "---\ntrigger: model_decision\ndescription: Of releases\n---\nW maybe.",
    "work/.clinerules/01-style.md": "C style.",
    "work/.clinerules/ui.md": '---\npaths:\n  - "ui/**"\n---\nC ui.',
    "work/.roo/rules/a.md": "R a.",
    "work/.continue/rules/a.md": "---\nname: A\n---\nCo a.",
    "work/.continue/rules/b.md": '---\nglobs: "**/*.py"\nalwaysApply: false\n---\nCo b.',
    "work/.kiro/steering/tech.md": "---\ninclusion: always\n---\nK tech.",
    "work/.kiro/steering/product.md": "K product.",
    "work/.kiro/steering/api.md": '---\ninclusion: fileMatch\nfileMatchPattern: "api/**/*.ts"\n---\nK api.',
    "work/.kiro/steering/hand.md": "---\ninclusion: manual\n---\nK hand.",
  });
  const { files, problems } = await readApplying(place);
  expect(problems).toEqual([]);
  expect(files.filter(({ always }) => always).map(({ text }) => text)).toEqual([
    "W core.",
    "W plain.",
    "C style.",
    "R a.",
    "Co a.",
    "K product.",
    "K tech.",
  ]);
  const toldFor = async (path: string) => (await applyingTo(files, [path])).map(({ text }) => text);
  expect(await toldFor("api/x.ts")).toEqual(["W ts.", "K api."]);
  expect(await toldFor("ui/x.css")).toEqual(["C ui."]);
  expect(await toldFor("x.py")).toEqual(["Co b."]);
  expect(files.filter(({ description }) => description)).toMatchObject([{ description: "Of releases" }]);
});

test("rules linked from outside the workspace are not read and are reported", async () => {
  await using place = await placeWith({ "secret.md": "Secret.", "work/.cursor/rules/x.mdc": "x" });
  await symlink("../../../secret.md", join(place.workspace, ".cursor/rules/out.mdc"));
  const { files, problems } = await readApplying(place);
  expect(files).toEqual([]);
  expect(problems).toEqual([expect.stringContaining("out.mdc")]);
});
