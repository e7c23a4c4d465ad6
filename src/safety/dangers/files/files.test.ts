import { expect, test } from "vitest";
import { literal, noFlows } from "../../command-line/word.ts";
import { effectsOf, told } from "../testing-effects.ts";
import { files } from "./files.ts";

test.each<[string, string[]]>([
  ["rm -rf build a.txt", ["deletes build deep", "deletes a.txt deep"]],
  ["rm --recurs build", ["deletes build deep"]],
  ["rm a.txt", ["deletes a.txt"]],
  ["rm ?flags a.txt", ["deletes … deep", "deletes a.txt deep"]],
  ["rm -- -rf", ["deletes -rf"]],
  ["rmdir -p a/b", ["deletes a/b"]],
  ["rimraf dist build", ["deletes dist deep", "deletes build deep"]],
  ["trash notes.txt", ["deletes notes.txt deep deep"]],
  ["trash-empty", ["danger high it removes for good what is in the wastebasket"]],
  ["mkdir -p -m 700 a b", ["writes a creates", "writes b creates", "permits a 700", "permits b 700"]],
  ["mkdirp a/b", ["writes a/b creates"]],
  ["touch -r other a", ["reads other", "writes a creates"]],
  ["mktemp -d", ["writes /tmp/tmp.XXXXXXXXXX creates", "prints /tmp/tmp.XXXXXXXXXX"]],
  ["mktemp -p build x.XXXX", ["writes build/x.XXXX creates", "prints build/x.XXXX"]],
  ["mktemp -u", ["prints /tmp/tmp.XXXXXXXXXX"]],
  ["mktemp --tmpdir=/var/tmp a.XXX", ["writes /var/tmp/a.XXX creates", "prints /var/tmp/a.XXX"]],
  [
    "mknod disk b 8 0",
    ["writes disk creates", "danger high it makes a device file, through which hardware is reached"],
  ],
  ["mknod pipe p", ["writes pipe creates"]],
  ["truncate -s 0 log", ["writes log replaces"]],
  ["truncate -s 0 src/*.ts", ["writes src/*.ts replaces", "deletes src/*.ts"]],
  ["shred -n 3 -u key.pem", ["writes key.pem replaces", "deletes key.pem"]],
  ["fallocate -l 1G disk.img", ["writes disk.img edits"]],
  ["tee -a a b", ["writes a appends", "writes b appends"]],
  ["sponge a", ["writes a replaces"]],
  ["split -b 1M big out/part-", ["reads big", "writes out/part-aa creates"]],
  [
    "split --filter=./run big",
    ["reads big", "danger high its option --filter runs a command", "interprets shell ./run"],
  ],
  ["csplit -f part- big /^--/", ["reads big", "writes part-00 creates"]],
  ["dd if=a of=/dev/sda bs=1M", ["reads a", "writes /dev/sda replaces"]],
  ["dd if=a of=b oflag=append conv=notrunc", ["reads a", "writes b appends"]],
  ["dd if=a ?rest", ["reads a", "writes … replaces"]],
  ["rename s/a/b/ a1 a2", ["interprets perl s/a/b/", "writes a1 edits", "writes a2 edits"]],
  ["rename -e s/a/b/ a1", ["interprets perl s/a/b/", "writes a1 edits"]],
  ["rename.ul a b a1", ["writes a1 edits"]],
  ["sync", []],
  ["gio copy a b", ["reads a", "writes b replaces"]],
  ["gio remove a", ["deletes a deep"]],
  ["gio trash a", ["deletes a deep deep"]],
  ["gio list a", []],
  ["hardlink a", ["writes a edits"]],
])("effects on files are reported: %s", (line, effects) => {
  expect(told(effectsOf(files, line))).toEqual(effects);
});

test("tee reports the known text that it writes and passes on", () => {
  const text = literal("rm -rf ~\n");
  const effects = effectsOf(files, "tee run.sh", { text, flows: noFlows, isGiven: true });
  expect(effects).toEqual([
    { type: "writes", path: literal("run.sh"), how: "replaces", content: text },
    { type: "prints", text },
  ]);
});
