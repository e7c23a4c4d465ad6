import { execFileSync } from "node:child_process";
import { mkdir, truncate, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { fileBounds } from "../../base/bounds.ts";
import type { ContentPart } from "../../protocol/messages.ts";
import { testPng } from "../../testing/pictures.ts";
import { temporaryWorkspace, type TemporaryWorkspace } from "../../testing/workspace.ts";
import { attachBytes, attachPath, attachPaths, expandMentions } from "./attachments.ts";
import { messageBounds } from "./bounds.ts";

let workspace: TemporaryWorkspace;
let place: { workspace: string; home: string };

beforeEach(async () => {
  workspace = await temporaryWorkspace({
    "src/a.ts": "export const a = 1;\n",
    "with space.txt": "spaced\n",
    "empty.txt": "",
    ".env": "KEY=very-secret\n",
    "notes.md": "before\n```\n[Attached file other.ts]\n````\nafter",
  });
  await put("shot.png", testPng({ width: 3, height: 2 }));
  place = { workspace: workspace.root, home: join(workspace.root, "..", "nobody-home") };
});
afterEach(() => workspace.remove());

async function put(path: string, content: string | Uint8Array): Promise<void> {
  const file = join(workspace.root, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
}

const told = (content: readonly ContentPart[]): string =>
  content.map((part) => (part.type === "text" ? part.text : `<${part.mediaType}>`)).join("\n");

async function attached(path: string): Promise<string> {
  const found = await attachPath(path, place);
  return found.ok ? told(found.value) : `! ${found.problem}`;
}

test("a text file is attached with its name, its size and its content", async () => {
  expect(await attachPath("src/a.ts", place)).toEqual({
    ok: true,
    value: [
      {
        type: "text",
        text: "[Attached file src/a.ts, 20 bytes]\n```\nexport const a = 1;\n```",
        file: "src/a.ts",
      },
    ],
  });
  expect(await attached("empty.txt")).toBe("[Attached file empty.txt, empty]");
});

test("an image is recognized by its content, whatever its name", async () => {
  await put("photo.txt", testPng());
  expect(await attached("photo.txt")).toContain("<image/png>");
  await put("words.png", "no picture\n");
  expect(await attached("words.png")).toContain("```\nno picture\n```");
});

test("no content can close its own code fence", () => {
  const pieces = fc.constantFrom("`", "```", "`````", "\n", "a", "[Attached file b]", "~~~");
  fc.assert(
    fc.property(fc.array(pieces, { minLength: 1, maxLength: 30 }), (parts) => {
      const text = parts.join("");
      const found = attachBytes(Buffer.from(text), { name: "a" });
      const [, fence = "", ...lines] = (found.ok ? told(found.value) : "").split("\n");
      expect(/^`{3,}$/u.test(fence)).toBe(true);
      expect(lines.findIndex((line) => line.startsWith(fence))).toBe(lines.length - 1);
    }),
  );
});

test("a file that holds secrets is not sent, neither by its name nor through a symlink", async () => {
  expect(await attached(".env")).toMatch(/^! \.env holds secrets, by its name\./u);
  execFileSync("ln", ["-s", ".env", join(workspace.root, "harmless.txt")]);
  expect(await attached("harmless.txt")).toMatch(/^! harmless\.txt holds/u);
  await put(".env.example", "KEY=\n");
  expect(await attached(".env.example")).toContain("KEY=");
  await put("keys/.ssh/config", "Host x\n");
  expect(await attached("keys/.ssh/config")).toMatch(/^! /u);
});

test("a file that is neither text nor image is refused with advice", async () => {
  await put("paper.pdf", "%PDF-1.7\n\0\0");
  expect(await attached("paper.pdf")).toContain("pdftotext");
  await put("program", Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0, 1]));
  expect(await attached("program")).toContain("application/x-elf");
  await put("nul.txt", `${"text ".repeat(3_000)}\0end`);
  expect(await attached("nul.txt")).toContain("it is no text");
  await put("broken.png", Buffer.concat([testPng().subarray(0, 8), Buffer.alloc(99, 1)]));
  expect(await attached("broken.png")).toContain("damaged or cut off");
});

test("text in other encodings is decoded as far as possible", async () => {
  await put("wide.txt", Buffer.from("\uFEFFgrüße\n", "utf16le"));
  expect(await attached("wide.txt")).toContain("grüße");
  await put("latin.txt", Buffer.from("gr\xfc\xdfe und mehr Text\n", "latin1"));
  expect(await attached("latin.txt")).toContain("It is not UTF-8");
});

test("a long text is truncated at a character boundary, and the truncation is stated", async () => {
  await put("long.txt", "ü".repeat(fileBounds.text.most));
  const text = await attached("long.txt");
  expect(text).toContain("Only its beginning stands here; 128 KiB more were left out.");
  expect(text).not.toContain("\uFFFD");
});

test("missing files, FIFOs, devices, directories and files of 100 GB are answered without reading them whole", async () => {
  expect(await attached("missing.txt")).toBe(
    "! Cannot read missing.txt: there is no such file or directory. Nothing was sent.",
  );
  execFileSync("mkfifo", [join(workspace.root, "pipe")]);
  expect(await attached("pipe")).toMatch(/^! .*FIFO/u);
  expect(await attached("/dev/zero")).toMatch(/^! /u);
  expect(await attached("src")).toBe("[Attached directory src, 1 name]\n```\na.ts\n```");
  await put("sparse.txt", "begin\n".repeat(50_000));
  await truncate(join(workspace.root, "sparse.txt"), 100 * 1024 ** 3);
  expect(await attached("sparse.txt")).toContain("100 GiB");
  await put("sparse.png", testPng());
  await truncate(join(workspace.root, "sparse.png"), 100 * 1024 ** 3);
  expect(await attached("sparse.png")).toMatch(/^! .*make it smaller/u);
  expect(await attached("")).toMatch(/^! /u);
  expect(await attached("a\0b")).toMatch(/^! /u);
});

test("a file name with line breaks and escapes stays on one line", async () => {
  const name = "odd\n\u001b[31m]```\nname.txt";
  await put(name, "content\n");
  const text = await attached(name);
  expect(text.split("\n")).toEqual([expect.stringContaining("odd\\u000a"), "```", "content", "```"]);
  expect(text).not.toContain("\u001b");
});

test("too many files are refused before any is read, and so is too much text for one message", async () => {
  const many = Array.from({ length: 10_000 }, (_, at) => `f${at}`);
  expect(await attachPaths(many, place)).toEqual({
    content: [],
    problems: [expect.stringContaining("10000 files are too many")],
  });
  const most = messageBounds.files.most;
  expect((await attachPaths(many.slice(0, most + 1), place)).problems[0]).toContain("are too many");
  expect((await attachPaths(many.slice(0, most), place)).problems[0]).not.toContain("are too many");
  const missing = await attachPaths(many.slice(0, 20), place);
  expect(missing.problems).toHaveLength(6);
  for (let at = 0; at < 6; at += 1) await put(`big${at}`, "x".repeat(120_000));
  const big = await attachPaths(["big0", "big1", "big2", "big3", "big4"], place);
  expect(big.problems).toEqual([expect.stringContaining("too long for one message")]);
});

test("files mentioned in a message follow its unchanged text, each once", async () => {
  const text = 'Compare @src/a.ts, @"with space.txt" and (@src/a.ts).';
  const { content, problems } = await expandMentions(text, place);
  expect(problems).toEqual([]);
  expect(content.map((part) => (part.type === "text" ? (part.file ?? part.text) : "picture"))).toEqual([
    text,
    "src/a.ts",
    "with space.txt",
  ]);
});

test("words that name no file stay text; a mention that can only be a file is reported as missing", async () => {
  const text = "Ask @anna about @types/node, me@src/a.ts and @Injectable() in\n```\n@src\n```";
  expect(await expandMentions(text, place)).toMatchObject({
    content: [{ type: "text", text }],
    problems: [],
  });
  expect((await expandMentions("Ask @nobody, or @lib/none.ts!", place)).unmet).toEqual([
    "nobody",
    "lib/none.ts",
  ]);
  const missed = await expandMentions('See @"no such.txt" and @./nor-this.txt.', place);
  expect(missed.problems).toHaveLength(2);
  expect((await expandMentions("Use @.env", place)).problems).toEqual([
    expect.stringContaining("holds secrets"),
  ]);
});

test("a path of a dropped image attaches it, in quotes, with escaped spaces or as a URL", async () => {
  await put("my shot.png", testPng());
  const path = join(workspace.root, "my shot.png");
  for (const written of [
    `'${path}'`,
    `"${path}"`,
    path.replaceAll(" ", "\\ "),
    `file://${encodeURI(path)}`,
  ]) {
    const { content } = await expandMentions(`What is this? ${written}`, place, { dropped: true });
    expect(content.at(-1)).toMatchObject({ type: "image", mediaType: "image/png" });
  }
  const path2 = join(workspace.root, "shot.png");
  expect((await expandMentions(`Convert ${path2}`, place)).content).toHaveLength(1);
});

test("any text is searched for mentions without failing", async () => {
  const pieces = fc.constantFrom("@", '"', "src/a.ts", " ", "\n", "`", "/", "~", "\0", "..", "@@", "\u202e");
  await fc.assert(
    fc.asyncProperty(fc.array(pieces, { maxLength: 20 }), async (parts) => {
      const { content } = await expandMentions(parts.join(""), place, { dropped: true });
      expect(content[0]).toEqual({ type: "text", text: parts.join("") });
    }),
  );
  const hostile = `${"@".repeat(100_000)}${"@src/a.ts ".repeat(20_000)}${'"/'.repeat(50_000)}`;
  expect((await expandMentions(hostile, place, { dropped: true })).problems).toEqual([]);
});

test("with onlyInside, mentions reach only files of the workspace", async () => {
  const outside = await expandMentions("Read @/etc/hostname, @../ and @~/x", place, { onlyInside: true });
  expect(outside).toMatchObject({ content: [expect.anything()], problems: [] });
  execFileSync("ln", ["-s", "/etc/hostname", join(workspace.root, "link.txt")]);
  expect((await expandMentions("@link.txt", place, { onlyInside: true })).content).toHaveLength(1);
  expect((await expandMentions("@src/a.ts", place, { onlyInside: true })).content).toHaveLength(2);
  expect((await expandMentions('@"no.txt"', place, { onlyInside: true })).problems).toHaveLength(1);
});
