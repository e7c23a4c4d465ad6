/** Instruction files in real sessions: what goes into the system prompt, what is added later, and what never is. */

import { chmod, link, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { teach } from "../../dialects/grammar/lesson.ts";
import { hermes } from "../../dialects/hermes.ts";
import { currentTurn } from "../../protocol/session-state.ts";
import type { Prompt } from "../../providers/provider.ts";
import { type ModelScript, scriptedModel, type ScriptedAnswer } from "../../providers/scripted-model.ts";
import { asText } from "../../providers/taught-model.ts";
import { openMemoryStore } from "../../session/sqlite/memory-store.ts";
import { testSession } from "../../testing/session.ts";
import { partsAt, placeWith, putFile, type WrittenFiles } from "../../testing/written-files.ts";
import { openInstructions } from "./part.ts";
import { names } from "./places.ts";
import { readInstructions } from "./read-instructions.ts";

const withheld = (path: string): string | undefined =>
  /(?:^|\/)\.env|id_rsa/u.test(path) ? "it may hold secrets" : undefined;
const done: ScriptedAnswer = [{ say: "Done." }];

async function sessionIn(place: WrittenFiles, script: ModelScript) {
  const model = scriptedModel(script);
  const addons = partsAt({ ...place, withheld }, [openInstructions]);
  const opened = await testSession(model, { workspace: place.tree, addons, mode: "auto" });
  const facts = (type: string) => opened.facts().filter((fact) => fact.type === type);
  const warnings = () => opened.facts().flatMap((fact) => (fact.type === "warning" ? [fact.text] : []));
  return { ...opened, model, facts, warnings };
}

const read = async (place: WrittenFiles) => {
  const { files, problems } = await readInstructions({ ...place, withheld });
  return { files: files.map(({ path, text }) => [path.replace(place.root, ""), text]), problems };
};

test("B1: the system prompt has the user's instructions, then the repository's, then the workspace's", async () => {
  await using place = await placeWith({
    "config/AGENTS.md": "Mine for all.",
    "home/.claude/CLAUDE.md": "Not this: there is one for us.",
    "AGENTS.md": "Outside of the repository.",
    "work/.git/HEAD": "ref: refs/heads/main",
    "work/packages/AGENTS.md": "Middle.",
    "work/AGENTS.md": "Root.",
    "work/packages/app/CLAUDE.md": "App.",
    "work/packages/app/CODE.md": "Code.",
    "work/packages/app/.github/copilot-instructions.md": "Copilot.",
    "work/packages/app/GEMINI.md": "For nobody else.",
  });
  const inner = { ...place, workspace: join(place.workspace, "packages/app") };
  const opened = await sessionIn({ ...inner, tree: { ...place.tree, root: inner.workspace } }, [done]);
  await opened.ask("Go.");
  const system = opened.model.prompts[0]?.system ?? "";
  const told = [...system.matchAll(/^# Instructions: (.*)\n\n(.*)$/gmu)].map(([, path = "", text]) => [
    path.replace(join(place.root, "work"), "…").replace(place.root, ""),
    text,
  ]);
  expect(told).toEqual([
    ["/config/AGENTS.md", "Mine for all."],
    ["…/AGENTS.md", "Root."],
    ["…/packages/AGENTS.md", "Middle."],
    ["CLAUDE.md", "App."],
    ["CODE.md", "Code."],
    [".github/copilot-instructions.md", "Copilot."],
  ]);
  expect(system.startsWith("You are Toolwright")).toBe(true);
  await opened.close();
});

test("prompts of two workspaces begin alike up to what differs: their instructions, then their directories", async () => {
  const prompts: Prompt[] = [];
  for (const text of ["One.", "Two."]) {
    await using place = await placeWith({ "config/AGENTS.md": "Mine for all.", "work/AGENTS.md": text });
    const opened = await sessionIn(place, [done]);
    await opened.ask("Go.");
    const [prompt] = opened.model.prompts;
    if (prompt) prompts.push(prompt);
    const ending = `${text}\n\nYou work in the directory ${place.workspace} (${process.platform}).`;
    expect(prompt?.system.endsWith(ending)).toBe(true);
    await opened.close();
  }
  const [native, taught] = [prompts, prompts.map((prompt) => asText(prompt, hermes))].map((both) =>
    sharedBeginning(both.map(({ system }) => system)),
  );
  const own = prompts[0]?.system.split("\n\n# Instructions")[0] ?? "";
  const { tools = [] } = prompts[0] ?? {};
  expect(native?.startsWith(`${own}\n\n# Instructions: `)).toBe(true);
  expect(taught?.startsWith(`${own}\n\n${teach(hermes, tools)}\n\n# Instructions: `)).toBe(true);
});

function sharedBeginning([one = "", other = ""]: readonly string[]): string {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return one.slice(0, length);
}

test("without instruction files, nothing is stored and the prompt is unchanged", async () => {
  await using place = await placeWith({ "work/.git/HEAD": "x", "work/a.txt": "A" });
  const opened = await sessionIn(place, [[{ call: "read_file", with: { path: "a.txt" } }], done]);
  await opened.ask("Go.");
  expect(opened.facts("instructions-read")).toEqual([]);
  expect(opened.model.prompts[0]?.system).not.toContain("# Instructions");
  await opened.close();
});

test("instructions are stored once; a change or deletion takes effect with the next request", async () => {
  await using place = await placeWith({ "work/.git/HEAD": "x", "work/AGENTS.md": "One." });
  const opened = await sessionIn(place, [done, done, done, done]);
  await opened.ask("a");
  await opened.ask("b");
  await putFile(join(place.workspace, "AGENTS.md"), "Two, and longer.");
  await opened.ask("c");
  await rm(join(place.workspace, "AGENTS.md"));
  await opened.ask("d");
  expect(opened.facts("instructions-read")).toMatchObject([
    { files: [{ path: "AGENTS.md", text: "One." }] },
    { files: [{ path: "AGENTS.md", text: "Two, and longer." }] },
    { files: [] },
  ]);
  const systems = opened.model.prompts.map(
    ({ system }) => /# Instructions[^]*(?=\n\nYou work in)/u.exec(system)?.[0],
  );
  expect(systems).toEqual([
    "# Instructions: AGENTS.md\n\nOne.",
    "# Instructions: AGENTS.md\n\nOne.",
    "# Instructions: AGENTS.md\n\nTwo, and longer.",
    undefined,
  ]);
  await opened.close();
});

test("a resumed session stores the instructions again only if they have changed", async () => {
  await using place = await placeWith({ "work/.git/HEAD": "x", "work/AGENTS.md": "One." });
  const store = openMemoryStore();
  const addons = partsAt({ ...place, withheld }, [openInstructions]);
  const first = await testSession(scriptedModel([done]), { workspace: place.tree, addons, store });
  await first.ask("a");
  await first.close();
  const goOn = async (): Promise<number> => {
    const model = scriptedModel([done]);
    const again = await testSession(model, {
      workspace: place.tree,
      addons,
      store,
      resume: first.session.id,
    });
    await again.ask("b");
    expect(model.prompts[0]?.system).toContain("# Instructions: AGENTS.md");
    await again.close();
    const facts = await store.read(first.session.id, 0);
    return facts.filter(({ type }) => type === "instructions-read").length;
  };
  expect(await goOn()).toBe(1);
  await putFile(join(place.workspace, "AGENTS.md"), "Two, then.");
  expect(await goOn()).toBe(2);
});

test("the same content under several names is read once: copies, symlinks and hard links", async () => {
  await using place = await placeWith({
    "work/.git/HEAD": "x",
    "work/AGENTS.md": "Same.",
    "work/CODE.md": "Same.\n",
  });
  await symlink("AGENTS.md", join(place.workspace, "CLAUDE.md"));
  await link(join(place.workspace, "AGENTS.md"), join(place.workspace, "CLAUDE.local.md"));
  expect((await read(place)).files).toEqual([["AGENTS.md", "Same."]]);
});

test("imports are followed once each, however deep, even in cycles; code and email addresses are not imports", async () => {
  await using place = await placeWith({
    "work/.git/HEAD": "x",
    "work/CLAUDE.md": [
      "See @docs/style.md, and @./docs/git.md. Ask me@example.org or @someone.",
      "Not `@docs/no.md` nor",
      "```",
      "@docs/no.md",
      "```",
      "<!-- nor @docs/no.md",
      "@docs/no.md -->",
      "but @README",
    ].join("\n"),
    "work/docs/style.md": "Style. @git.md @../CLAUDE.md @deep/1.md",
    "work/docs/git.md": "Git.",
    "work/docs/no.md": "Never.",
    "work/README": "Readme.",
    ...Object.fromEntries(
      [1, 2, 3, 4, 5, 6].map((at) => [`work/docs/deep/${at}.md`, `Deep ${at}. @${at + 1}.md`]),
    ),
  });
  const { files, problems } = await read(place);
  expect(files.map(([path]) => path)).toEqual([
    "CLAUDE.md",
    "docs/style.md",
    "docs/git.md",
    "docs/deep/1.md",
    "docs/deep/2.md",
    "docs/deep/3.md",
    "docs/deep/4.md",
    "docs/deep/5.md",
    "docs/deep/6.md",
    "README",
  ]);
  expect(problems).toEqual([]);
});

test("a skipped import is reported; a directory's name is not an import", async () => {
  await using place = await placeWith({
    "work/.git/HEAD": "x",
    "work/CLAUDE.md": "@.env @docs @types @a.bin @CLAUDE.md",
    "work/.env": "KEY=sesame",
    "work/docs/x.md": "x",
  });
  await putFile(join(place.workspace, "a.bin"), new Uint8Array([0, 1, 2, 0xff]));
  const { files, problems } = await read(place);
  expect(files.map(([path]) => path)).toEqual(["CLAUDE.md"]);
  expect(problems).toEqual([
    "CLAUDE.md imports .env, but it may hold secrets: it was not read.",
    expect.stringMatching(/a\.bin was not read: it is no text/u),
  ]);
});

test("Windows line endings are normalized, and a very long line is truncated to the available space", async () => {
  await using place = await placeWith({
    "work/.git/HEAD": "x",
    "work/AGENTS.md": "\uFEFFone\r\ntwo\r\n",
    "work/CODE.md": `Start.\n${"x".repeat(200_000)}`,
  });
  const { files } = await read(place);
  expect(files[0]).toEqual(["AGENTS.md", "one\ntwo"]);
  expect(files[1]?.[1]?.length).toBeGreaterThan(60 * 1024);
});

test("files outside the workspace and secrets are not imported; the user's own notes are", async () => {
  await using place = await placeWith({
    "work/.git/HEAD": "x",
    "work/CLAUDE.md":
      "@../outside.md @.env @~/.ssh/id_rsa @~/.claude/mine.md @~/notes.md @/etc/passwd @out.md",
    "work/.env": "KEY=sesame",
    "outside.md": "sesame",
    "home/.ssh/id_rsa": "sesame",
    "home/notes.md": "sesame",
    "home/.claude/mine.md": "My own notes. @../notes.md",
  });
  await symlink("../outside.md", join(place.workspace, "out.md"));
  const { files, problems } = await read(place);
  expect(files.map(([path]) => path)).toEqual(["CLAUDE.md", "/home/.claude/mine.md"]);
  expect(JSON.stringify(files)).not.toContain("sesame");
  expect(problems.join("\n")).toContain("CLAUDE.md imports ../outside.md, which lies outside of");
  expect(problems.join("\n")).toContain("/etc/passwd");
});

test("a parent directory's file is read only if nobody else may write it", async () => {
  await using place = await placeWith({ "work/.git/HEAD": "x", "work/AGENTS.md": "Root.", "work/sub/a": "" });
  const inner = { ...place, workspace: join(place.workspace, "sub") };
  expect((await read(inner)).files).toHaveLength(1);
  await chmod(join(place.workspace, "AGENTS.md"), 0o666);
  const { files, problems } = await read(inner);
  expect(files).toEqual([]);
  expect(problems.join()).toContain("others may write it");
});

test("unreadable, outside and oversized files are reported and never block", async () => {
  await using place = await placeWith({ "work/.git/HEAD": "x", outside: "sesame" });
  const at = (name: string) => join(place.workspace, name);
  await symlink("/dev/zero", at("AGENTS.md"));
  await symlink(join(place.root, "outside"), at("CLAUDE.md"));
  await putFile(at("CODE.md"), new Uint8Array([0xc3, 0x28]));
  await putFile(at(".github/copilot-instructions.md/x"), "a directory");
  await putFile(at("CLAUDE.local.md"), "line of words\n".repeat(20_000));
  const opened = await sessionIn(place, [done]);
  await opened.ask("Go.");
  expect(opened.session.state.instructions.map(({ path }) => path)).toEqual(["CLAUDE.local.md"]);
  expect(opened.session.state.instructions[0]?.text.length).toBeLessThan(64 * 1024);
  expect(opened.warnings().map((text) => text.replace(place.workspace, ""))).toHaveLength(5);
  expect(JSON.stringify(opened.facts("instructions-read"))).not.toContain("sesame");
  await opened.close();
});

test("the total size of instructions is bounded, and the excess is reported", async () => {
  const big = (name: string) => `${name} ${"x".repeat(60 * 1024)}`;
  await using place = await placeWith({
    "work/.git/HEAD": "x",
    ...Object.fromEntries(
      ["AGENTS.md", "CLAUDE.md", "CODE.md", "CLAUDE.local.md"].map((name) => [`work/${name}`, big(name)]),
    ),
    "work/.claude/CLAUDE.md": big("fifth"),
  });
  const { files, problems } = await read(place);
  expect(files).toHaveLength(4);
  expect(problems.join()).toContain("together are larger than 256 KiB");
});

const readB: ScriptedAnswer = [{ call: "read_file", with: { path: "packages/web/src/b.txt" } }];
const monorepo = {
  "work/.git/HEAD": "x",
  "work/AGENTS.md": "Root.",
  "work/packages/AGENTS.md": "Packages.",
  "work/packages/web/CLAUDE.md": "Web.",
  "work/packages/web/src/b.txt": "B",
  "work/node_modules/evil/AGENTS.md": "Evil.",
  "work/node_modules/evil/x.txt": "x",
};

test("B1: nested instructions are added once, after a file below them is read, before the next request", async () => {
  await using place = await placeWith(monorepo);
  const opened = await sessionIn(place, [
    readB,
    readB,
    [{ call: "read_file", with: { path: "node_modules/evil/x.txt" } }],
    done,
  ]);
  await opened.ask("Go.");
  expect(opened.facts("context-added")).toMatchObject([
    { from: "instructions", name: "packages/AGENTS.md", text: expect.stringContaining("Packages.") },
    { from: "instructions", name: "packages/web/CLAUDE.md", text: expect.stringContaining("Web.") },
  ]);
  const second = JSON.stringify(opened.model.prompts[1]?.messages);
  expect(second).toContain("Instructions for what is in packages/web (packages/web/CLAUDE.md)");
  expect(opened.model.prompts[0]?.system).not.toContain("Web.");
  await opened.close();
});

test("nested instructions with already known content are not added again", async () => {
  await using place = await placeWith({ ...monorepo, "work/packages/AGENTS.md": "Root.\n" });
  const opened = await sessionIn(place, [readB, done]);
  await opened.ask("Go.");
  expect(opened.facts("context-added")).toMatchObject([{ name: "packages/web/CLAUDE.md" }]);
  await opened.close();
});

test("writing a file adds the nested instructions above it, too", async () => {
  await using place = await placeWith(monorepo);
  const opened = await sessionIn(place, [
    [{ call: "write_file", with: { path: "packages/web/new.txt", content: "n" } }],
    done,
  ]);
  await opened.ask("Go.");
  expect(opened.facts("context-added")).toHaveLength(2);
  await opened.close();
});

test("after a compaction, nested instructions are added again when a file below them is read", async () => {
  await using place = await placeWith({ ...monorepo, "work/packages/web/AGENTS.md": "Web." });
  const long = { path: "packages/web/long.txt", content: "a line of words\n".repeat(900) };
  let round = 0;
  const opened = await sessionIn(place, (prompt) => {
    if (prompt.tools.length === 0) return [{ say: "A file was written." }];
    round += 1;
    return round === 1 ? [{ call: "write_file", with: long }] : round === 3 ? readB : done;
  });
  await opened.ask("Go.");
  expect(opened.facts("context-added")).toHaveLength(2);
  await opened.session.command({ type: "compact" });
  await opened.session.idle();
  expect(opened.session.state.compactions).toBe(1);
  await opened.ask("Again.");
  expect(currentTurn(opened.session.state)?.callIds).toHaveLength(1);
  expect(opened.facts("context-added")).toHaveLength(4);
  await opened.close();
});

test("instructions with applyTo are added always, once a matching file is read, or never", async () => {
  const named = (name: string) => `work/.github/instructions/${name}.instructions.md`;
  await using place = await placeWith({
    ...monorepo,
    [named("all")]: "---\napplyTo: '**'\n---\nFor all.",
    [named("text")]: "---\ndescription: Texts\napplyTo: '**/*.md,**/*.txt'\n---\nFor texts.",
    [named("python")]: "---\napplyTo: '*.py'\n---\nFor Python.",
    [named("manual")]: "---\ndescription: Asked for\n---\nBy hand.",
  });
  const opened = await sessionIn(place, [readB, readB, done]);
  await opened.ask("Go.");
  expect(opened.model.prompts[0]?.system).toContain("For all.");
  const added = opened.facts("context-added").map((fact) => "name" in fact && fact.name);
  expect(added).toEqual([
    ".github/instructions/text.instructions.md",
    "packages/AGENTS.md",
    "packages/web/CLAUDE.md",
  ]);
  expect(JSON.stringify(opened.model.prompts)).not.toMatch(/For Python|By hand/u);
  await opened.close();
});

test("instructions with only a description are listed for the model to read when they fit", async () => {
  await using place = await placeWith({
    "work/.cursor/rules/release.mdc": "---\ndescription: How we release\nalwaysApply: false\n---\nTag first.",
    "work/.cursor/rules/hand.mdc": "---\nalwaysApply: false\n---\nBy hand.",
    "work/.github/instructions/sql.instructions.md": "---\ndescription: SQL here\n---\nNo joins.",
  });
  expect(await read(place)).toEqual({
    files: [
      [
        ".github/instructions",
        "Read one of these files before you do what its description fits:\n- .github/instructions/sql.instructions.md: SQL here",
      ],
      [
        ".cursor/rules",
        "Read one of these files before you do what its description fits:\n- .cursor/rules/release.mdc: How we release",
      ],
    ],
    problems: [],
  });
});

test("C9: other agents' instruction files are read where the usual ones are absent", async () => {
  await using place = await placeWith({
    "work/.windsurfrules": "W.",
    "work/AGENT.md": "A.",
    "work/.clinerules/a.md": "C.",
    "work/packages/AGENTS.md": "Not this.",
    "work/packages/AGENTS.override.md": "But this.",
    "work/packages/CLAUDE.md": "And this.",
    "home/.gemini/GEMINI.md": "Mine.",
  });
  expect((await read(place)).files.map(([, text]) => text)).toEqual(["Mine.", "A.", "W.", "C."]);
  const inner = await readInstructions({ ...place, withheld, workspace: join(place.workspace, "packages") });
  expect(inner.files.map(({ text }) => text)).toEqual(["Mine.", "A.", "W.", "But this.", "And this."]);
});

test("malformed front matter of instructions is reported", async () => {
  const named = (name: string) => `work/.github/instructions/${name}.instructions.md`;
  await using place = await placeWith({
    [named("endless")]: "---\napplyTo: '**'\n\nFor all.",
    [named("quote")]: '---\napplyTo: "**\ndescription: x\n---\nFor some.',
  });
  const { files, problems } = await read(place);
  expect(JSON.stringify(files)).toContain("For all.");
  expect(problems).toEqual([
    expect.stringMatching(/^\.github\/instructions\/endless\.instructions\.md: its head has no end/u),
    expect.stringMatching(/quote\.instructions\.md: its head is not well-formed YAML/u),
  ]);
});

test("arbitrary bytes in instruction files are read or refused and never throw", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), fc.constantFrom(...names), async (bytes, name) => {
      await using place = await placeWith({ "work/.git/HEAD": "x" });
      await putFile(join(place.workspace, name), bytes);
      await putFile(join(place.workspace, "docs/x.md"), bytes);
      const { files, problems } = await read(place);
      expect(files.length + problems.length).toBeLessThanOrEqual(2);
    }),
    { numRuns: 60 },
  );
});

test("instructions above a quarter of the context window cause one warning with the largest file and advice", async () => {
  await using place = await placeWith({
    "work/.git/HEAD": "",
    "work/AGENTS.md": "Keep it short. ".repeat(300),
    "work/CLAUDE.md": "Write tests. ".repeat(40),
  });
  const addons = partsAt({ ...place, withheld }, [openInstructions]);
  const open = async (contextTokens: number | undefined, store = openMemoryStore()) => {
    const model = { ...scriptedModel(() => done), contextTokens };
    const opened = await testSession(model, { workspace: place.tree, addons, store });
    const warnings = () => opened.facts().flatMap((fact) => (fact.type === "warning" ? [fact.text] : []));
    return { ...opened, warnings };
  };
  const small = await open(4_000);
  await small.ask("One");
  expect(small.warnings()).toEqual([
    expect.stringMatching(
      /^The instruction files come to about 1,\d{3} tokens, \d\d % of this model's context window \(4,000\), and go along with every request\. The largest of 2 is AGENTS\.md \(1,\d{3}\)\. Shorten it, .* larger window\.$/u,
    ),
  ]);
  await putFile(join(place.workspace, "AGENTS.md"), "Keep it shorter. ".repeat(300));
  await small.ask("Two");
  expect(small.warnings()).toHaveLength(1);
  await small.close();
  for (const tokens of [100_000, undefined, 0]) {
    const large = await open(tokens);
    await large.ask("One");
    expect(large.warnings()).toEqual([]);
    await large.close();
  }
});
