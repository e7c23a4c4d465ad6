import { expect, test } from "vitest";
import { effectsOf, told } from "../testing-effects.ts";

test.each<[string, string[]]>([
  ["zip -r out.zip src -x *.log tmp", ["writes out.zip replaces", "reads src"]],
  ["zip -m out.zip a", ["writes out.zip replaces", "reads a", "deletes a deep"]],
  ["zip -d out.zip a", ["writes out.zip replaces"]],
  [
    "zip a.zip b -T -TT sh",
    [
      "danger high its option -TT runs a command",
      "interprets shell sh",
      "writes a.zip replaces",
      "reads b",
      "reads sh",
    ],
  ],
  [
    "zip a.zip b --unzip-command=sh",
    [
      "danger high its option of that name runs a command",
      "interprets shell sh",
      "writes a.zip replaces",
      "reads b",
    ],
  ],
  ["unzip a.zip -d out", ["reads a.zip", "writes out creates"]],
  ["unzip a.zip b c", ["reads a.zip", "writes b creates", "writes c creates"]],
  ["unzip -l a.zip", ["reads a.zip"]],
  ["unzip -p a.zip", ["reads a.zip", "prints decoded"]],
  [
    "unzip -: a.zip",
    ["reads a.zip", "writes . creates", "danger high it lets the archive write wherever its names point"],
  ],
  ["7z x a.7z -oout", ["reads a.7z", "writes out creates"]],
  ["7z x a.7z -so", ["reads a.7z", "prints decoded"]],
  ["7z a -sdel a.7z b", ["writes a.7z replaces", "reads b", "deletes b deep"]],
  ["7z l a.7z", ["reads a.7z"]],
  [
    "7z x -spf a.7z",
    ["reads a.7z", "writes . creates", "danger high it lets the archive write wherever its names point"],
  ],
  ["unrar x a.rar out/", ["reads a.rar", "writes out/ creates"]],
  ["cpio -idm -D out", ["writes out creates"]],
  [
    "cpio -o -O a.cpio --rsh-command=sh",
    ["danger high its option of that name runs a command", "interprets shell sh", "writes a.cpio replaces"],
  ],
  ["cpio -p out", ["writes out creates"]],
  ["pax -rw a b", ["reads a", "writes b creates"]],
  ["ar rcs lib.a a.o b.o", ["writes lib.a edits", "reads a.o", "reads b.o"]],
  ["ar x lib.a a.o", ["reads lib.a", "writes a.o creates"]],
  ["ar t lib.a", ["reads lib.a"]],
  ["ar --plugin evil.so t lib.a", ["loads evil.so other", "reads lib.a"]],
  [
    "jar cfm a.jar manifest -C build .",
    ["writes a.jar replaces", "reads manifest", "reads build", "reads ."],
  ],
  ["jar xf a.jar", ["reads a.jar", "writes . creates"]],
  ["jar tf a.jar", ["reads a.jar"]],
  ["jar --create --file a.jar b", ["writes a.jar replaces", "reads b"]],
  ["unshar a.shar", ["loads a.shar shell"]],
])("files that an archiver reads, writes and deletes are reported: %s", (line, effects) => {
  expect(told(effectsOf([], line)).toSorted()).toEqual(effects.toSorted());
});
