import { expect, test } from "vitest";
import { meantByCommonName } from "./common-names.ts";

test.each<[string[], string[], [string, string][]]>([
  [["path"], ["filePath"], [["path", "filePath"]]],
  [["cmd"], ["command"], [["cmd", "command"]]],
  [
    ["oldText", "newText"],
    ["old_string", "new_string"],
    [
      ["oldText", "old_string"],
      ["newText", "new_string"],
    ],
  ],
  [["file_text"], ["content"], [["file_text", "content"]]],
  [["file", "path"], ["filePath"], []],
  [["file"], ["path", "filename"], []],
  [["path"], [], []],
  [["note"], ["path"], []],
])("%j given and %j missing are taken for %j", (undeclared, missing, meant) => {
  expect([...meantByCommonName(undeclared, missing)]).toEqual(meant);
});
