import { expect, test } from "vitest";
import { effectsOf, effectLines } from "../../testing/effects.ts";

test.each<[string, string[]]>([
  ["cp a.txt b.txt", ["reads a.txt", "writes b.txt replaces"]],
  ["cp -r src backup", ["reads src", "writes backup replaces", "writes backup/src replaces"]],
  ["cp a b docs/", ["reads a", "reads b", "writes docs/a replaces", "writes docs/b replaces"]],
  ["cp -t out a sub/b", ["reads a", "reads sub/b", "writes out/a replaces", "writes out/b replaces"]],
  ["cp --target-dir=out a", ["reads a", "writes out/a replaces"]],
  ["cp .bashrc ~", ["reads .bashrc", "writes ~/.bashrc replaces"]],
  ["cp -r dots/. ~/", ["reads dots/.", "writes ~/. replaces"]],
  ["cp ?file docs/", ["reads …", "writes docs/ replaces"]],
  ["cp --parents a/b/c out", ["reads a/b/c", "writes out replaces", "writes out/a/b/c replaces"]],
  ["mv old.txt new.txt", ["deletes old.txt deep deep new.txt", "writes new.txt replaces"]],
  [
    "mv -t out a b",
    [
      "deletes a deep deep out/a",
      "deletes b deep deep out/a",
      "writes out/a replaces",
      "writes out/b replaces",
    ],
  ],
  [
    "ln -s ../lib/x bin/x",
    ["reads bin/../lib/x", "writes bin/x creates ../lib/x", "writes bin/x/x creates ../lib/x"],
  ],
  [
    "ln -sf /etc/passwd here",
    ["reads /etc/passwd", "writes here replaces /etc/passwd", "writes here/passwd replaces /etc/passwd"],
  ],
  ["ln key copy", ["reads key", "writes copy creates", "writes copy/key creates"]],
  ["ln -s ../a/tool", ["reads ./../a/tool", "writes tool creates ../a/tool"]],
  [
    "install -m 4755 tool /usr/local/bin/tool",
    [
      "reads tool",
      "writes /usr/local/bin/tool replaces",
      "writes /usr/local/bin/tool/tool replaces",
      "permits /usr/local/bin/tool 4755",
      "permits /usr/local/bin/tool/tool 4755",
    ],
  ],
  ["install -d -m 755 a b", ["writes a creates", "writes b creates", "permits a 755", "permits b 755"]],
  ["cp", []],
])("a copy is reported under every path that it may get: %s", (line, effects) => {
  expect(effectLines(effectsOf([], line))).toEqual(effects);
});
