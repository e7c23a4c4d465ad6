import { expect, test } from "vitest";
import { effectsOf, effectLines } from "../../testing/effects.ts";

test.each<[string, string[]]>([
  ["tar czf out.tgz src", ["reads src", "writes out.tgz replaces"]],
  ["tar cfb out.tar 20 src", ["reads src", "writes out.tar replaces"]],
  ["tar -czf out.tgz -C build a b", ["reads build/a", "reads build/b", "writes out.tgz replaces"]],
  ["tar xzf a.tgz", ["reads a.tgz", "writes . creates"]],
  ["tar -xf a.tar -C /opt", ["reads a.tar", "writes /opt creates"]],
  ["tar -xf a.tar docs/readme", ["reads a.tar", "writes ./docs/readme creates"]],
  ["tar xf a.tar --one-top-level=dir", ["reads a.tar", "writes dir creates"]],
  ["tar xOf a.tar script", ["reads a.tar", "prints decoded"]],
  ["tar tf a.tar", ["reads a.tar"]],
  ["tar cf host:a.tar b", ["reads b", "sends host b"]],
  ["tar cf", []],
  ["tar", []],
])("tar reports what it packs and where it unpacks: %s", (line, effects) => {
  expect(effectLines(effectsOf([], line))).toEqual(effects);
});

test.each([
  "tar xf a.tar --to-command=sh",
  "tar cf a.tar b --checkpoint=1 --checkpoint-action=exec=sh",
  "tar --use-compress=sh -xf a.tar",
  "tar -F sh -cf a.tar b",
  "tar --rsh-command=sh -cf host:a b",
])("tar reports the command that an option has it run: %s", (line) => {
  expect(effectLines(effectsOf([], line))).toContain("interprets shell sh");
});
