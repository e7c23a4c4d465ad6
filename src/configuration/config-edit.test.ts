/** Changing one value of a file that people write: what is around it stays, letter by letter. */

import fc from "fast-check";
import { parse, type ParseError } from "jsonc-parser";
import { expect, test } from "vitest";
import { readKeyPath, withoutValue, withValue } from "./config-edit.ts";

const set = async (text: string, path: string[], value: unknown): Promise<string> => {
  const changed = await withValue(text, path, value);
  if (!changed.ok) throw new Error(changed.problem);
  return changed.value;
};

const file = `// My settings.
{
  "model": "ollama/qwen3", // the small one
  /* of the team */
  "providers": {
    // at work
    "work": { "baseUrl": "http://models.example" },
  },
  "rules": [] // none yet
}
`;

test("a value is replaced in its place, and nothing else changes", async () => {
  expect(await set(file, ["model"], "a/b")).toBe(file.replace('"ollama/qwen3"', '"a/b"'));
  expect(await set(file, ["providers", "work", "baseUrl"], "http://x")).toBe(
    file.replace("http://models.example", "http://x"),
  );
});

test("a new key comes last, behind the comma and the comment of the one before", async () => {
  expect(await set(file, ["mode"], "plan")).toBe(
    file.replace('"rules": [] // none yet\n', '"rules": [], // none yet\n  "mode": "plan"\n'),
  );
  const trailing = '{\n  "a": 1, // one\n}\n';
  expect(await set(trailing, ["b"], 2)).toBe('{\n  "a": 1, // one\n  "b": 2,\n}\n');
});

test("objects on the way are made, with the margin of their place", async () => {
  expect(await set(file, ["providers", "box", "wire"], "ollama")).toBe(
    file.replace(
      '"http://models.example" },\n',
      '"http://models.example" },\n    "box": {\n      "wire": "ollama"\n    },\n',
    ),
  );
  expect(await set(file, ["providers", "work", "key"], "k")).toBe(
    file.replace('"http://models.example" }', '"http://models.example", "key": "k" }'),
  );
  expect(await set("{ }", ["a", "b"], 1)).toBe('{\n  "a": {\n    "b": 1\n  }\n}');
});

test.each([
  ["", '{\n  "a": 1\n}\n'],
  ["// mine\n", '// mine\n{\n  "a": 1\n}\n'],
  ["{} // end", '{\n  "a": 1\n} // end'],
  ["{\n  // nothing yet\n}\n", '{\n  // nothing yet\n  "a": 1\n}\n'],
  ['{\r\n\t"b": 2\r\n}\r\n', '{\r\n\t"b": 2,\r\n\t"a": 1\r\n}\r\n'],
])("%j gets a first key", async (before, after) => {
  expect(await set(before, ["a"], 1)).toBe(after);
});

test("a value goes with its comma and its line, and every comment stays", async () => {
  expect(await withoutValue(file, ["providers", "work"])).toBe(
    file.replace('    "work": { "baseUrl": "http://models.example" },\n', ""),
  );
  expect(await withoutValue(file, ["model"])).toBe(file.replace('"model": "ollama/qwen3",', ""));
  expect(await withoutValue(file, ["rules"])).toBe(file.replace('"rules": []', ""));
  expect(await withoutValue('{ "a": [1, 2, 3] }', ["a", "1"])).toBe('{ "a": [1,  3] }');
  for (const path of [["mode"], ["model", "x"], ["providers", "home"], ["__proto__"]])
    expect(await withoutValue(file, path)).toBeUndefined();
});

test("what is no object has no members, and says so", async () => {
  expect(await withValue(file, ["rules", "first"], 1)).toEqual({
    ok: false,
    problem: '"rules" is a list, so it has no "first": set it as a whole.',
  });
  expect(await withValue(file, ["model", "x"], 1)).toMatchObject({ ok: false });
});

test.each([
  ["model", ["model"]],
  ["providers.work.baseUrl", ["providers", "work", "baseUrl"]],
  ["autoApproveEdits.'docs/**/*.md'", ["autoApproveEdits", "docs/**/*.md"]],
  ["prices.'openai/gpt-4.1'.input", ["prices", "openai/gpt-4.1", "input"]],
])("the key %s is read", (written, path) => {
  expect(readKeyPath(written)).toEqual({ ok: true, value: path });
});

test.each(["", ".", "a.", ".a", "a..b", "a.''", "'a", "a'b'"])("%j is no key", (written) => {
  expect(readKeyPath(written)).toMatchObject({ ok: false });
});

/** Objects with comments and commas wherever they may be; the last is the text's value. */
const gap = fc.constantFrom("", " ", "\n", "\n\n  ", " // c\n", "/* c */", "\n  /* a\n b */\n");
const name = fc.constantFrom("a", "b", "c d", "é", "x.y");
const text: fc.Arbitrary<string> = fc.letrec<{ value: string; object: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom("1", "true", '"// no comment"', "[1, /* c */ 2]", "null"),
    tie("object"),
  ),
  object: fc
    .tuple(
      fc.uniqueArray(name, { maxLength: 4 }),
      fc.infiniteStream(gap),
      fc.array(tie("value"), { minLength: 4, maxLength: 4 }),
      fc.boolean(),
    )
    .map(([names, gaps, values, trailing]) => {
      const next = () => gaps.next().value ?? "";
      const members = names.map((key, at) => `${next()}${JSON.stringify(key)} : ${values[at]}${next()}`);
      return `{${members.join(",")}${trailing && members.length > 0 ? "," : ""}${next()}}`;
    }),
})).object;

const read = (written: string): unknown => {
  const errors: ParseError[] = [];
  const value: unknown = parse(written, errors, { allowTrailingComma: true });
  expect([written, errors]).toEqual([written, []]);
  return value;
};
const commentsOf = (written: string): string[] =>
  written.match(/"(?:\\.|[^"])*"|\/\/.*|\/\*[^]*?\*\//gu)?.filter((one) => one.startsWith("/")) ?? [];

test("whatever a file looks like, a value is set and unset in it, and no comment is lost", async () => {
  await fc.assert(
    fc.asyncProperty(text, name, fc.option(name), async (before, key, inner) => {
      const path = inner === null ? [key] : [key, inner];
      const changed = await withValue(before, path, "new");
      if (!changed.ok) return;
      const value = read(changed.value);
      expect(value).toEqual({
        ...Object(read(before)),
        [key]: inner === null ? "new" : { ...Object(Reflect.get(Object(read(before)), key)), [inner]: "new" },
      });
      const replaced = inner === null && Object.hasOwn(Object(read(before)), key);
      if (
        !replaced &&
        !(inner !== null && Object.hasOwn(Object(Reflect.get(Object(read(before)), key)), inner))
      )
        expect(commentsOf(changed.value)).toEqual(commentsOf(before));
      const without = await withoutValue(changed.value, path);
      expect(
        Reflect.has(
          Object(inner === null ? read(without ?? "") : Reflect.get(Object(read(without ?? "")), key)),
          path.at(-1) ?? "",
        ),
      ).toBe(false);
      expect(commentsOf(without ?? "")).toEqual(commentsOf(changed.value));
    }),
  );
});
