import { expect, test } from "vitest";
import { fileBounds } from "../../base/bounds.ts";
import { textFileOf } from "./text-files.ts";

const fileOf = (content: string | Uint8Array<ArrayBuffer>, name = "a.txt"): File => new File([content], name);

async function textOf(file: File): Promise<string> {
  const read = await textFileOf(file);
  return read.ok ? read.value.text : `! ${read.problem}`;
}

test("a text file is sent with its name, in a fence longer than any in its content", async () => {
  expect(await textFileOf(fileOf("one\n```\ntwo", "notes.md"))).toEqual({
    ok: true,
    value: {
      type: "text",
      file: "notes.md",
      text: "[Attached file notes.md, 11 bytes]\n````\none\n```\ntwo\n````",
    },
  });
  expect(await textOf(fileOf(""))).toBe("[Attached file a.txt, empty]");
});

test("a folder, or a file that went away, is refused in one line", async () => {
  const folder = Object.assign(new Blob(["x"]), { name: "src" });
  folder.slice = () =>
    Object.assign(new Blob(), { arrayBuffer: () => Promise.reject(new Error("NotFoundError")) });
  expect(await textFileOf(folder)).toMatchObject({
    ok: false,
    problem: expect.stringContaining("src cannot be read. Of a folder, add the files"),
  });
});

test("a file that is neither text nor an image is refused, whatever its name", async () => {
  expect(await textOf(fileOf(Uint8Array.from([0x25, 0x50, 0x44, 0x46, 0])))).toContain(
    "neither text nor a picture",
  );
  expect(await textOf(fileOf(Uint8Array.from([0xff, 0xfe, 0x41])))).toContain("neither text nor a picture");
});

test("a long file is cut between characters, with a note", async () => {
  const text = await textOf(fileOf("ü".repeat(fileBounds.text.most)));
  expect(text).toContain("Only its first 128 KiB are attached");
  expect(text).not.toContain("\uFFFD");
});

test("a file name with line breaks, escapes or bidi overrides stays on one line", async () => {
  const text = await textOf(fileOf("x", "odd\n\u001b[31m\u202e.txt"));
  expect(text.split("\n")).toHaveLength(4);
  for (const odd of ["\u001b", "\u202e"]) expect(text).not.toContain(odd);
});
