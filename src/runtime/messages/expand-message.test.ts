/** The expansion of a person's message, which is the same on every surface. */

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import type { ContentPart } from "../../protocol/messages.ts";
import { nothingTrusted, placeWith } from "../../testing/written-files.ts";
import { mayMeanMore, meantBy, type MeaningOptions, slashCall } from "./expand-message.ts";
import { fileCommandsOf } from "./file-commands.ts";

const files = {
  "work/.claude/commands/review.md": "Review #$1 with @notes.txt.",
  "work/.claude/commands/peek.md": "Look at $1.",
  "work/.claude/commands/help.md": "Never.",
  "work/notes.txt": "the notes",
  "home/secret-plan.txt": "the plan",
  "home/.claude/commands/mine.md": "See $ARGUMENTS.",
};

async function context() {
  const place = await placeWith(files);
  onTestFinished(() => place[Symbol.asyncDispose]());
  return { place, commands: fileCommandsOf(place, nothingTrusted), workspace: place.workspace };
}

const text = (words: string): ContentPart => ({ type: "text", text: words });
const picture: ContentPart = { type: "image", mediaType: "image/png", data: "" };
const named: ContentPart = { type: "text", text: "/review is said in it", file: "old.txt" };

async function meant(content: readonly ContentPart[], how?: MeaningOptions) {
  const read = await meantBy(content, await context(), how);
  if (!read.ok) return read.problem;
  return read.value.content.map((part) => (part.type === "text" ? (part.file ?? part.text) : part.type));
}

test("a command expands to its text, followed by the files it mentions and the other attachments", async () => {
  expect(await meant([text("/review 12"), named, picture])).toEqual([
    "Review #12 with @notes.txt.",
    "notes.txt",
    "old.txt",
    "image",
  ]);
});

test("a mentioned file that the message has already is not sent again, unless it has changed", async () => {
  const { place, ...here } = await context();
  const message = [text("See @notes.txt.")];
  const sent = await meantBy(message, here);
  const [, notes] = sent.ok ? sent.value.content : [];
  expect(notes).toMatchObject({ file: "notes.txt" });
  if (notes === undefined) return;
  expect(await meantBy([...message, notes], here)).toEqual(sent);
  await writeFile(join(place.workspace, "notes.txt"), "other notes");
  const again = await meantBy([...message, notes], here);
  expect(again.ok && again.value.content).toHaveLength(3);
});

test("only a message's own first text can call a command: not a file's text, not a second part", async () => {
  expect(await meant([named, picture])).toEqual(["old.txt", "image"]);
  expect(await meant([picture, text("hi"), text("/review 12")])).toEqual(["image", "hi", "/review 12"]);
});

test("an expanded command keeps what was typed, for display", async () => {
  const read = await meantBy([text("/peek at it"), picture], await context());
  expect(read).toMatchObject({
    ok: true,
    value: { content: [{ type: "text", text: "Look at at.", typed: "/peek at it" }, picture] },
  });
  const plain = await meantBy([text("peek")], await context());
  expect(plain.ok && plain.value.content).toEqual([text("peek")]);
});

test("the text of an expanded command is not expanded again", async () => {
  const { commands, workspace } = await context();
  const nested = { ...commands, expand: async () => ({ ...review, text: "/review 1" }) };
  const read = await meantBy([text("/x")], { commands: nested, workspace });
  expect(read).toMatchObject({ ok: true, value: { content: [{ ...text("/review 1"), typed: "/x" }] } });
});
const review = {
  command: { kind: "command", name: "x", description: "", from: "workspace", path: "x.md" },
} as const;

test("an unknown command on a single line is refused; a text of several lines is sent as it is", async () => {
  expect(await meant([text("/reviw 12")])).toBe(
    'There is no command /reviw (did you mean "/review"?): to say it to the model, begin with another word.',
  );
  expect(await meant([text("/nosuch")], { hint: "look there." })).toBe(
    "There is no command /nosuch: look there.",
  );
  expect(await meant([text("/")])).toContain("There is no command /:");
  expect(await meant([text("/nosuch\nand more")])).toEqual(["/nosuch\nand more"]);
  expect((await meant([text(`/${"x".repeat(5_000)}`)]))[0]?.length).toBeLessThan(400);
});

test("a command of the terminal is reported with its shell equivalent and any command file it hides", async () => {
  expect(await meant([text("/diff 2")])).toMatch(
    /conversation in a terminal.* From a shell: `toolwright diff`\.$/u,
  );
  expect(await meant([text(" /HELP ")])).toMatch(/From a shell: `toolwright --help`\./u);
  expect(await meant([text("/help")])).toMatch(
    /so \S+help\.md is not called by it: give it another name\.$/u,
  );
  expect(await meant([text("/quit")])).not.toContain("help.md");
  expect(await meant([text("/help\nme")])).toEqual(["/help\nme"]);
});

test("a workspace's command reaches no file outside it; a user's own command does if the user typed it", async () => {
  const { place, ...here } = await context();
  const plan = `@${place.home}/secret-plan.txt`;
  const reached = async (words: string, how: MeaningOptions) => {
    const read = await meantBy([text(words)], here, how);
    return read.ok ? read.value.content.length - 1 : read.problem;
  };
  expect(await reached(`/peek ${plan}`, {})).toBe(0);
  expect(await reached(`/mine ${plan}`, {})).toBe(1);
  expect(await reached(plan, {})).toBe(1);
  expect(await reached(`/mine ${plan}`, { onlyInside: true })).toBe(0);
  expect(await reached(plan, { onlyInside: true })).toBe(0);
});

test("command names may have dots: a typo is reported, and a path with dots is an ordinary message", async () => {
  const place = await placeWith({
    "work/.claude/commands/speckit.plan.md": "Plan $ARGUMENTS.",
    "work/.claude/commands/my cmd.md": "Mine: $1.",
    "work/.claude/commands/a!b.md": "Signs.",
    "work/.github/prompts/speckit.tasks.prompt.md": "Tasks.",
    "work/speckit.plat": "a file",
  });
  onTestFinished(() => place[Symbol.asyncDispose]());
  const here = { commands: fileCommandsOf(place, nothingTrusted), workspace: place.workspace };
  const told = async (words: string) => {
    const read = await meantBy([text(words)], here);
    if (!read.ok) return read.problem;
    const [part] = read.value.content;
    return part?.type === "text" ? part.text : "";
  };
  expect(await told("/speckit.plan build it")).toBe("Plan build it.");
  expect(await told("/Speckit.Tasks")).toBe("Tasks.");
  expect(await told("/my-cmd one two")).toBe("Mine: one.");
  expect(await told("/my cmd one two")).toBe("Mine: one.");
  expect(await told("/a!b")).toBe("Signs.");
  expect(await told("/speckit.pln build")).toContain('did you mean "/speckit.plan"?');
  expect(await told("/speckit.implement")).toContain("(there is /speckit.plan, /speckit.tasks)");
  for (const path of ["/speckit.plat is odd", "/readme.md", "/tmp/a.txt is broken", "/etc/hosts.allow", "/*"])
    expect(await told(path)).toBe(path);
});

test("a path is an ordinary message", () => {
  expect(slashCall("/etc/hosts is odd")).toBeUndefined();
  expect(slashCall("either /or")).toBeUndefined();
  expect(slashCall("/a:b  c\nd")).toEqual({ name: "a:b", rest: "c\nd", isAlone: false });
});

test("any message is expanded or refused with a reason, and is unchanged where nothing is to expand", async () => {
  const here = await context();
  const word = fc.oneof(
    fc.string(),
    fc.constantFrom("/", "@", "\n", "review", "help", " ", "notes.txt", "$1"),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(word, { maxLength: 6 }), async (words) => {
      const written = words.join("");
      const read = await meantBy([text(written), picture], here, { onlyInside: true });
      if (!read.ok) expect(read.problem.length).toBeGreaterThan(10);
      else expect(read.value.content.at(-1)).toBe(picture);
      if (!mayMeanMore([text(written)]))
        expect(read).toMatchObject({ value: { content: [text(written), picture] } });
    }),
    { numRuns: 60 },
  );
});
