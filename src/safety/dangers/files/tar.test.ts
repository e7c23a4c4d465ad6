import { expect, test } from "vitest";
import { effectsOf, told } from "../testing-effects.ts";
import { tar } from "./tar.ts";

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
  ["tar rf a.tar b", ["reads b", "writes a.tar edits"]],
  ["tar --delete -f a.tar b", ["writes a.tar edits"]],
  [
    "tar xPf a.tar",
    ["reads a.tar", "writes . creates", "danger high it lets the archive write wherever its names point"],
  ],
  ["tar cf a.tar b --remove-files", ["reads b", "writes a.tar replaces", "deletes b deep"]],
  ["tar cf host:a.tar b", ["reads b", "sends host b"]],
  [
    "tar xf a.tar --to-command=sh",
    [
      "danger high its option --to-command runs a command",
      "interprets shell sh",
      "reads a.tar",
      "prints decoded",
    ],
  ],
  [
    "tar cf a.tar b --checkpoint=1 --checkpoint-action=exec=sh",
    [
      "danger high its option --checkpoint-action runs a command",
      "interprets shell sh",
      "reads b",
      "writes a.tar replaces",
    ],
  ],
  ["tar cf a.tar b --checkpoint-action=dot", ["reads b", "writes a.tar replaces"]],
  [
    "tar --use-compress=./evil -xf a.tar",
    [
      "danger high its option --use-compress-program runs a command",
      "interprets shell ./evil",
      "reads a.tar",
      "writes . creates",
    ],
  ],
  ["tar -I zstd_-19 -cf a.tar b", ["runs zstd -19", "reads b", "writes a.tar replaces"]],
  [
    "tar -F ./evil -cf a.tar b",
    [
      "danger high its option -F runs a command",
      "interprets shell ./evil",
      "reads b",
      "writes a.tar replaces",
    ],
  ],
  [
    "tar --rsh-command=./evil -cf host:a b",
    [
      "danger high its option --rsh-command runs a command",
      "interprets shell ./evil",
      "reads b",
      "sends host b",
    ],
  ],
  ["tar -T list -X skip -cf a.tar", ["reads list", "reads skip", "writes a.tar replaces"]],
  ["tar --index-file=log -tvf a.tar", ["writes log replaces", "reads a.tar"]],
  ["tar cf", []],
  ["tar", []],
])("tar reports what it packs, unpacks and runs: %s", (line, effects) => {
  expect(told(effectsOf([tar], line))).toEqual(effects);
});
