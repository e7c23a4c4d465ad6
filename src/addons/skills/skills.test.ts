/** Skills in a real session: what the model sees, what it reads, and what needs a person's consent first. */

import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scriptedModel, type ScriptedAnswer } from "../../providers/scripted-model.ts";
import { filesRunBy } from "../../safety/ran/ran.ts";
import { testSession } from "../../testing/session.ts";
import {
  nothingTrusted,
  partsAt,
  placeWith,
  putFile,
  type WrittenFiles,
} from "../../testing/written-files.ts";
import type { TrustItem, Trust } from "../trust.ts";
import { findSkills } from "./find-skills.ts";
import { openSkills } from "./part.ts";
import { summaryOf } from "./skill-tool.ts";

const pdf = `---
name: pdf
description: Fills in PDF forms. Use it when a PDF has to be read or written.
license: Apache-2.0
---

# PDF

Read references/forms.md first.
`;

const under = (folder: string, files: Record<string, string>) =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text]));
const plain = { "SKILL.md": pdf, "references/forms.md": "Forms are hard." };
const withCode = { ...plain, "scripts/fill.py": "print(1)\n" };
const done: ScriptedAnswer = [{ say: "Done." }];

const trusting = (agreed: readonly string[]): Trust & { asked: TrustItem[] } => {
  const asked: TrustItem[] = [];
  return {
    asked,
    allows: (thing) => {
      asked.push(thing);
      return agreed.includes(thing.hash);
    },
    filesRun: async () => filesRunBy,
    waiting: () => [],
  };
};

test("C9: skills are found in other agents' folders; a skill linked into several of them counts once", async () => {
  const folders = [
    ...["claude", "agents", "codex", "copilot", "cursor", "gemini", "config/opencode"].map(
      (agent) => `home/.${agent}/skills`,
    ),
    ...["claude", "agents", "github", "codex", "cursor", "gemini", "opencode"].map(
      (agent) => `work/.${agent}/skills`,
    ),
  ];
  const files = folders.map((folder, at) => [`${folder}/s${at}/SKILL.md`, `---\ndescription: S\n---\n${at}`]);
  await using place = await placeWith({
    ...Object.fromEntries(files),
    ...under("work/.agents/skills/pdf", withCode),
  });
  await symlink("../../.agents/skills/pdf", join(place.workspace, ".claude/skills/pdf"));
  await symlink("../../.agents/skills/pdf", join(place.workspace, ".cursor/skills/pdf"));
  const { found, problems } = await findSkills(place);
  expect(problems).toEqual([]);
  const names = found.map(({ name }) => name);
  expect(names.toSorted()).toEqual(["pdf", ...folders.map((_, at) => `s${at}`)].toSorted());
  expect(found.find(({ name }) => name === "pdf")?.brought?.where).toBe(".agents/skills/pdf");
});

test("a skill that is not offered is listed by name with the reason", async () => {
  await using place = await placeWith({ "work/.claude/skills/empty/notes.md": "x" });
  const at = (name: string) => join(place.workspace, ".claude/skills", name);
  await symlink("loop", at("loop"));
  await symlink("nowhere.md", at("empty/SKILL.md"));
  const { found, problems, leftOut } = await findSkills(place);
  expect(found).toEqual([]);
  expect(problems).toEqual([
    `The skill ${at("empty")} is not offered: ${at("empty/SKILL.md")} was not read: it is a link that leads to nothing.`,
    `The skill ${at("loop")} is not offered: ${at("loop")} was not read: it is a link that leads back to itself.`,
  ]);
  expect([leftOut.get("empty"), leftOut.get("loop")]).toEqual(problems);
});

async function told(place: WrittenFiles, calls: ScriptedAnswer[], trust: Trust = nothingTrusted) {
  const model = scriptedModel([...calls, done]);
  const opened = await testSession(model, {
    workspace: place.tree,
    addons: partsAt(place, [openSkills], trust),
  });
  await opened.ask("Go.");
  const tool = model.prompts[0]?.tools.find(({ name }) => name === "skill");
  const results = opened.facts().flatMap((fact) => (fact.type === "result" ? [fact] : []));
  const texts = results.map(({ content }) =>
    content.map((part) => (part.type === "text" ? part.text : "")).join(),
  );
  const warnings = opened.facts().flatMap((fact) => (fact.type === "warning" ? [fact.text] : []));
  await opened.close();
  return { tool, results, texts, warnings, model };
}

test("B7: the prompt lists only names and descriptions; bodies and files are loaded on request", async () => {
  await using place = await placeWith(under("work/.claude/skills/pdf", plain));
  const { tool, texts, warnings, model } = await told(place, [
    [{ call: "skill", with: { name: "pdf" } }],
    [{ call: "skill", with: { name: "pdf", file: "references/forms.md" } }],
  ]);
  expect(tool?.description).toContain("- pdf: Fills in PDF forms. Use it when");
  expect(tool?.description).not.toContain("references");
  expect(texts[0]).toContain("# PDF\n\nRead references/forms.md first.");
  expect(texts[0]).toContain("The folder of this skill is .claude/skills/pdf;");
  expect(texts[0]).toContain("- references/forms.md (15 bytes)");
  expect(texts[0]).not.toContain("license");
  expect(texts[1]).toBe("Forms are hard.");
  expect(warnings).toEqual([]);
  expect(model.prompts[0]?.tools.filter(({ name }) => name === "pdf")).toEqual([]);
});

test("without skills, no skill tool is offered", async () => {
  await using place = await placeWith({ "work/.claude/skills/README.md": "none yet" });
  expect((await told(place, [])).tool).toBeUndefined();
  await using bare = await placeWith({});
  expect((await told(bare, [])).tool).toBeUndefined();
});

test("B2, B3: a call under the skill's own name reads the skill, whatever its arguments", async () => {
  await using place = await placeWith(under("home/.claude/skills/pdf", withCode));
  const { texts } = await told(place, [[{ call: "pdf", with: { pages: 3 } }]]);
  expect(texts[0]).toContain("# PDF");
  expect(texts[0]).toContain(`The folder of this skill is ${join(place.home, ".claude/skills/pdf")};`);
});

test("a skill named like a tool does not shadow the tool", async () => {
  await using place = await placeWith({
    "work/a.txt": "A",
    ...under("work/.claude/skills/x", { "SKILL.md": "---\nname: read_file\ndescription: d\n---\nB" }),
  });
  const { texts } = await told(place, [
    [{ call: "read_file", with: { path: "a.txt" } }],
    [{ call: "skill", with: { name: "read_file" } }],
  ]);
  expect(texts[0]).toContain("A");
  expect(texts[1]).toContain("B");
});

test("a workspace's skill with code needs a person's consent to exactly its current content", async () => {
  await using place = await placeWith(under("work/.claude/skills/pdf", withCode));
  const asked = trusting([]);
  const before = await told(place, [[{ call: "skill", with: { name: "pdf" } }]], asked);
  expect(before.tool).toBeUndefined();
  expect(before.texts[0]).not.toContain("# PDF");
  const brought = asked.asked[0];
  expect(brought).toMatchObject({
    kind: "skill",
    name: "pdf",
    where: ".claude/skills/pdf",
    shows: "scripts/fill.py",
  });
  const agreed = trusting([brought?.hash ?? ""]);
  expect((await told(place, [[{ call: "skill", with: { name: "pdf" } }]], agreed)).texts[0]).toContain(
    "# PDF",
  );
  await putFile(join(place.workspace, ".claude/skills/pdf/scripts/fill.py"), "print(2)\n");
  expect((await told(place, [], agreed)).tool).toBeUndefined();
});

test("a skill whose code changes during a session needs new consent before it is read again", async () => {
  await using place = await placeWith(under("work/.claude/skills/pdf", withCode));
  const script = join(place.workspace, ".claude/skills/pdf/scripts/fill.py");
  const [skill] = (await findSkills(place)).found;
  const agreed = trusting([skill?.brought?.hash ?? ""]);
  const { texts } = await told(
    place,
    [
      [{ call: "skill", with: { name: "pdf" } }],
      [{ call: "write_file", with: { path: script, content: "print(666)\n" } }],
      [{ call: "skill", with: { name: "pdf" } }],
    ],
    agreed,
  );
  expect(texts[0]).toContain("# PDF");
  expect(texts[2]).toContain("waits until a person agrees to it");
});

const codes: [string, Record<string, string>][] = [
  ["a script by its ending", { "run.sh": "x" }],
  ["a shebang", { "bin/tool": "#!/usr/bin/env python3\n" }],
  ["a makefile", { Makefile: "all:\n" }],
  ["a hook in its head", { "SKILL.md": "---\nname: x\ndescription: d\nhooks:\n  Stop: []\n---\nx" }],
];
test.each(codes)("%s counts as code", async (_, files) => {
  await using place = await placeWith(under("work/.toolwright/skills/x", { "SKILL.md": "x", ...files }));
  const { found } = await findSkills(place);
  expect(found[0]?.brought?.hash).toMatch(/^[0-9a-f]{64}$/u);
});

test("a text-only skill with keys of the open format, `allowed-tools` included, needs no consent", async () => {
  const head =
    "name: pdf-work\ndescription: >-\n  Reads PDFs,\n  fills forms.\nwhen_to_use: For any PDF.\nlicense: MIT\nmetadata:\n  version: '1'\nallowed-tools: Bash(*) Read";
  await using place = await placeWith(
    under("work/.claude/skills/pdf", {
      "SKILL.md": `---\r\n${head.replaceAll("\n", "\r\n")}\r\n---\r\nBody.\r\n`,
      "assets/a.txt": "a",
    }),
  );
  const { found, problems } = await findSkills(place);
  expect(problems).toEqual([]);
  expect(found[0]).toMatchObject({ name: "pdf-work", description: "Reads PDFs, fills forms. For any PDF." });
  expect(found[0]).not.toHaveProperty("brought");
});

test("other agents' skill folder variable is filled in, and inline commands become instructions to the model", async () => {
  await using place = await placeWith(
    under("work/.claude/skills/x", {
      "SKILL.md": "---\nname: x\n---\nSee ${CLAUDE_SKILL_DIR}/a.txt.\nNow: !`git status`",
    }),
  );
  const { texts } = await told(place, [[{ call: "skill", with: { name: "x" } }]]);
  expect(texts[0]).toContain("See .claude/skills/x/a.txt.\nNow: (First run `git status`, and");
});

test("front matter that can be read only in part is reported", async () => {
  await using place = await placeWith(
    under("work/.claude/skills/open", { "SKILL.md": "---\nname: open\ndescription: Opens.\n# Title\n" }),
  );
  const { found, problems } = await findSkills(place);
  expect(found[0]).toMatchObject({ name: "open", description: "Opens." });
  expect(problems.join()).toContain("open/SKILL.md: its head has no end");
});

test("an executable file counts as code; text, pictures and data do not", async () => {
  await using place = await placeWith(
    under("work/.github/skills/x", { "SKILL.md": "x", "a.json": "{}", LICENSE: "MIT", "b.png": "\u0000" }),
  );
  expect((await findSkills(place)).found[0]).not.toHaveProperty("brought");
  await putFile(join(place.workspace, ".github/skills/x/notes.txt"), "x", 0o755);
  expect((await findSkills(place)).found[0]?.brought?.shows).toBe("notes.txt");
});

test("skills linked from outside and files outside a skill are refused; one with bad front matter is read", async () => {
  await using place = await placeWith({
    "secret/SKILL.md": "---\nname: secret\n---\nkey",
    "key.txt": "sesame",
    ...under("work/.agents/skills/bad head", { "SKILL.md": "---\ndescription: [a\nname: {\n---\nBody." }),
  });
  const folder = join(place.workspace, ".agents/skills");
  await symlink(join(place.root, "secret"), join(folder, "out"));
  await symlink(join(place.root, "key.txt"), join(folder, "bad head/key.txt"));
  await symlink("/dev/zero", join(folder, "zero"));
  const { texts, warnings } = await told(place, [
    [{ call: "skill", with: { name: "bad-head" } }],
    [{ call: "skill", with: { name: "bad-head", file: "key.txt" } }],
    [{ call: "skill", with: { name: "bad-head", file: "../../../../key.txt" } }],
    [{ call: "skill", with: { name: "secret" } }],
  ]);
  expect(texts[0]).toContain("Body.");
  expect(texts.join()).not.toContain("sesame");
  expect(texts[3]).toBe('There is no skill "secret". There are: bad-head.');
  expect(warnings.join()).toContain("leads out of the workspace");
});

test("a skill reserved for people or awaiting consent is refused to the model with the reason", async () => {
  await using place = await placeWith({
    ...under("work/.claude/skills/open", { "SKILL.md": "---\ndescription: o\n---\nOpen words." }),
    ...under("work/.claude/skills/kept", {
      "SKILL.md": "---\ndescription: k\ndisable-model-invocation: true\n---\nKept words.",
      "more.md": "More words.",
    }),
    ...under("work/.claude/skills/coded", { "SKILL.md": "x", "run.sh": "#!/bin/sh" }),
  });
  const { texts } = await told(place, [
    [{ call: "skill", with: { name: "kept" } }],
    [{ call: "skill", with: { name: "kept", file: "./SKILL.md" } }],
    [{ call: "skill", with: { name: "kept", file: "more.md" } }],
    [{ call: "skill", with: { name: "Coded" } }],
    [{ call: "skill", with: { name: "none" } }],
  ]);
  const kept = "The skill kept is called by people alone: ask them to type /kept, or do without it.";
  expect(texts.slice(0, 2)).toEqual([kept, kept]);
  expect(texts[2]).toContain("More words.");
  expect(texts[3]).toMatch(/^The skill coded has something to run, and waits until a person agrees/u);
  expect(texts[4]).toBe('There is no skill "none". There are: open.');
});

test("a skill with files nested too deep to inspect is not offered", async () => {
  const deep = `work/.claude/skills/x/${"d/".repeat(12)}run.sh`;
  await using place = await placeWith({ "work/.claude/skills/x/SKILL.md": "x", [deep]: "#!/bin/sh" });
  const { found, problems } = await findSkills(place);
  expect(found).toEqual([]);
  expect(problems.join()).toContain("too much in its folder");
});

test("a skill with code and a symlink is not offered; one with only a symlink counts as text", async () => {
  await using place = await placeWith({
    "work/.claude/skills/code/SKILL.md": "x",
    "work/.claude/skills/code/run.sh": "x",
    "work/.claude/skills/text/SKILL.md": "x",
  });
  for (const name of ["code", "text"])
    await symlink("../../..", join(place.workspace, ".claude/skills", name, "up"));
  const { found, problems } = await findSkills(place);
  expect(found.map(({ name, brought }) => [name, brought])).toEqual([["text", undefined]]);
  expect(problems.join()).toContain("has links in it");
});

test("a user's skill takes precedence, and skills hidden from the model stay out of its list", async () => {
  await using place = await placeWith({
    ...under("work/.claude/skills/a", { "SKILL.md": "---\nname: a\ndescription: theirs\n---\n" }),
    ...under("config/skills/a", { "SKILL.md": "---\nname: a\ndescription: mine\n---\n" }),
    ...under("config/skills/b", { "SKILL.md": "---\nname: b\ndisable-model-invocation: true\n---\n" }),
  });
  const { found } = await findSkills(place);
  expect(found.map(({ name, description }) => [name, description])).toEqual([
    ["a", "mine"],
    ["b", ""],
  ]);
  expect(summaryOf(found)).toMatch(/Skills:\n- a: mine$/u);
});

test("the number of skills and the length of their summary are bounded", async () => {
  const many = Array.from({ length: 260 }, (_, at) =>
    under(`home/.agents/skills/skill-${String(at).padStart(3, "0")}`, {
      "SKILL.md": `---\nname: skill-${at}\ndescription: ${"long words ".repeat(300)}\n---\nx`,
    }),
  );
  await using place = await placeWith(Object.assign({}, ...many));
  const { found, problems } = await findSkills(place);
  expect(found).toHaveLength(200);
  expect(problems.join()).toContain("more than 200 skills");
  expect(summaryOf(found).length).toBeLessThan(12_200);
  expect(summaryOf(found.slice(0, 2)).length).toBeGreaterThan(1_500);
});
