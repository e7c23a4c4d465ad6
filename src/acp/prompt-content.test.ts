import { expect, test } from "vitest";
import { messageFrom } from "./prompt-content.ts";

const workspace = "/project";
const link = (uri: string) => ({ type: "resource_link", uri, name: "x" }) as const;

test("words and links become one text, in which a file of the workspace is a mention", () => {
  const prompt = [
    { type: "text", text: "Look at " },
    link("file:///project/src/a%20b.ts#L3"),
    { type: "text", text: " and " },
    link("file:///project/c.ts"),
  ] as const;
  expect(messageFrom(prompt, workspace)).toEqual({
    ok: true,
    value: [{ type: "text", text: 'Look at @"src/a b.ts" and @c.ts' }],
  });
});

test("a link stands apart from the words beside it, so that it stays a mention", () => {
  const file = link("file:///project/c.ts");
  const words = (text: string) => ({ type: "text", text }) as const;
  for (const [prompt, text] of [
    [[file, words("explain")], "@c.ts explain"],
    [[words("look at"), file], "look at @c.ts"],
    [[file, file], "@c.ts @c.ts"],
    [[words("(see "), file, words("), then")], "(see @c.ts), then"],
    [[words("("), file, words(").")], "(@c.ts)."],
    [[words("half a wo"), words("rd")], "half a word"],
  ] as const)
    expect(messageFrom(prompt, workspace)).toEqual({ ok: true, value: [{ type: "text", text }] });
});

test("a link that leads elsewhere stays what it is", () => {
  for (const [uri, text] of [
    ["file:///etc/passwd", "/etc/passwd"],
    ["file:///project/../etc/passwd", "/etc/passwd"],
    ["https://example.com/a", "https://example.com/a"],
    ["nonsense", "nonsense"],
    ["file:///project/%zz", "file:///project/%zz"],
    ['file:///project/a"b', '/project/a"b'],
  ] as const)
    expect(messageFrom([link(uri)], workspace)).toEqual({ ok: true, value: [{ type: "text", text }] });
});

test("an embedded text is an attached file, named as the workspace names it", () => {
  const resource = { uri: "file:///project/a.ts", text: "unsaved" };
  expect(messageFrom([{ type: "resource", resource }], workspace)).toEqual({
    ok: true,
    value: [{ type: "text", text: "unsaved", file: "a.ts" }],
  });
});

test("what cannot be sent is refused with a reason", () => {
  const blob = { type: "resource", resource: { uri: "file:///project/a.bin", blob: "AA==" } } as const;
  const audio = { type: "audio", data: "AA==", mimeType: "audio/wav" } as const;
  for (const prompt of [[], [blob], [audio]])
    expect(messageFrom(prompt, workspace)).toEqual({ ok: false, problem: expect.stringMatching(/\.$/u) });
});
