import * as fc from "fast-check";
import { expect, test } from "vitest";
import { looseName, resolveToolName } from "./tool-name.ts";

const declared = ["read_file", "list_files", "Bash", "fs.stat"];
const found = (written: string): string | undefined => resolveToolName(written, declared);

test.each([
  ["read_file", "read_file"],
  ["functions.read_file", "read_file"],
  ["default_api.read_file", "read_file"],
  ["tools.read_file", "read_file"],
  ["tool.read_file", "read_file"],
  ["functions.read_file:0", "read_file"],
  ["read_file:12", "read_file"],
  ["read_file<|channel|>commentary", "read_file"],
  ["functions.read_file <|constrain|>json", "read_file"],
  ["to=functions.read_file", "read_file"],
  ['"read_file"', "read_file"],
  ["`read_file`", "read_file"],
  ["**read_file**", "read_file"],
  ["[read_file]", "read_file"],
  ["read_file()", "read_file"],
  [" read_file\n", "read_file"],
  ["`functions.ReadFile()`", "read_file"],
  ["ReadFile", "read_file"],
  ["READ-FILE", "read_file"],
  ["readFile", "read_file"],
  ["bash", "Bash"],
  ["fs_stat", "fs.stat"],
  ["read_file.read_file", "read_file"],
])("%j resolves to the declared tool %s", (written, name) => {
  expect(found(written)).toBe(name);
});

test.each([
  "",
  "read",
  "read_files",
  "other.read_file",
  "read_file(path)",
  "read_file<arg_key>path</arg_key>",
  "()",
  "functions.",
  "x.read_file",
])("%j resolves to no declared tool", (written) => {
  expect(found(written)).toBeUndefined();
});

test("an ambiguous name resolves to no tool, unless it matches one exactly", () => {
  expect(resolveToolName("Read", ["READ", "read"])).toBeUndefined();
  expect(resolveToolName("read", ["READ", "read"])).toBe("read");
  expect(resolveToolName("tools.read", ["READ", "read"])).toBe("read");
  expect(resolveToolName("tools.read", ["read", "tools.read"])).toBe("tools.read");
  expect(resolveToolName("Read", ["read", "read"])).toBe("read");
});

test("only declared names are found, and every declared name is found", () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { minLength: 1 }), fc.string({ maxLength: 600 }), (names, written) => {
      expect([...names, undefined]).toContain(resolveToolName(written, names));
      for (const name of names) expect(resolveToolName(name, names)).toBe(name);
    }),
  );
});

test("a loose name ignores case and separators", () => {
  expect(["filePath", "file_path", "FILE-PATH", "file path"].map(looseName)).toEqual(
    Array(4).fill("filepath"),
  );
});
