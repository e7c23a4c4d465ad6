import { expect, test } from "vitest";
import { effectsOf, told } from "../testing-effects.ts";

test.each<[string, string[]]>([
  ["rsync -a src/ build/", ["reads src/", "writes build/ replaces"]],
  ["rsync -a src build/", ["reads src", "writes build/src replaces"]],
  ["rsync -a --delete src/ build", ["reads src/", "deletes build deep", "writes build replaces"]],
  ["rsync -an --delete src/ build", ["reads src/"]],
  ["rsync --remove-source-files a/ b/", ["reads a/", "deletes a/ deep", "writes b/ replaces"]],
  ["rsync -a . user@host:/srv", ["reads .", "sends user@host ."]],
  [
    "rsync -a --delete . host:/srv",
    ["reads .", "sends host .", "danger high it deletes files on another machine"],
  ],
  ["rsync --chmod=Du+s a/ b/", ["reads a/", "writes b/ replaces", "permits b/ u+s deep"]],
  ["rsync -a host:/srv/x here/", ["fetches host", "writes here/x replaces"]],
  ["rsync host:a here/", ["fetches host", "writes here/a replaces"]],
  ["rsync rsync://host/module/x here/", ["fetches host", "writes here/x replaces"]],
  [
    "rsync -e ./evil a/ b/",
    ["danger high its option -e runs a command", "interprets shell ./evil", "reads a/", "writes b/ replaces"],
  ],
  [
    "rsync --rsh=./evil a/ b/",
    ["danger high its option -e runs a command", "interprets shell ./evil", "reads a/", "writes b/ replaces"],
  ],
  ["rsync -e ssh_-p_22 host:a here/", ["runs ssh -p 22", "fetches host", "writes here/a replaces"]],
  [
    "rsync --rsync-path=./evil a host:b",
    [
      "danger high its option --rsync-path runs a command",
      "interprets shell ./evil",
      "reads a",
      "sends host a",
    ],
  ],
  [
    "rsync --log-file=log --files-from=list a/ b/",
    ["reads list", "writes log replaces", "reads a/", "writes b/ replaces"],
  ],
  ["rsync --daemon", ["danger high it serves files to other machines"]],
  ["rsync a", []],
])("rsync reports what it copies, deletes, sends and runs: %s", (line, effects) => {
  expect(told(effectsOf([], line))).toEqual(effects);
});
