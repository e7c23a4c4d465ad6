/** Unusual overlays: odd names and sizes, changes by others in the meantime, a killed process. */

import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { removeTree } from "../../src/base/safe-fs/remove-tree.ts";
import { pathsOf, runnerWith, textOf } from "../support/sandbox-layer-run.ts";
import {
  leftIn,
  inPlace,
  isThere,
  makeTools,
  own,
  people,
  removeTools,
  requestFor,
  runOne,
  type Tools,
  write,
} from "../support/sandbox-place.ts";
import { snapshotOf } from "../support/sandbox-snapshot.ts";

let tools: Tools;
beforeAll(async () => {
  tools = await makeTools();
});
afterAll(() => removeTools(tools));

const run = runnerWith(() => tools);

test.each(people)(
  "as $name: files that somebody else changed meanwhile are left alone, with a warning for each",
  (person) =>
    inPlace(person, async (place) => {
      for (const name of ["edited", "removed", "tree/edited", "tree/other", "taken", "turned", "free"])
        write(place.workspace, name, "old\n");
      const line =
        "echo mine > edited; rm -r removed tree; echo mine > made; rm -r taken; mkdir taken; echo x > taken/x; rm turned; ln -s x turned; echo mine > free";
      const meanwhile = "for f in edited removed tree/edited made taken turned; do echo theirs > $f; done";
      const outcome = await run(place, "build", line, { meanwhile, after: ["make"] });
      expect(outcome.warnings).toHaveLength(6);
      for (const path of ["edited", "removed", "tree/edited", "made", "taken", "turned"])
        expect(textOf(place, path)).toBe("theirs\n");
      expect(pathsOf(outcome)).toEqual(["free", "tree/other"]);
      const kept = /is kept at (.*)\.$/m.exec(
        outcome.warnings.find((line) => line.startsWith("edited")) ?? "",
      )?.[1];
      expect(readFileSync(kept ?? "", "utf8")).toBe("mine\n");
      expect(outcome.warnings.find((line) => line.startsWith("removed"))).toContain("it was not removed");
    }),
);

test.each(people)(
  "as $name: a file whose name is not UTF-8 is written directly and reported as uncovered",
  (person) =>
    inPlace(person, async (place) => {
      writeFileSync(Buffer.concat([Buffer.from(`${place.workspace}/old`), Buffer.from([0xff])]), "old\n");
      const line =
        "echo new > $'caf\\xe9'; echo more >> $'old\\xff'; mkdir -p $'d\\xfe/in'; echo x > $'d\\xfe/in/x'; echo y > plain; ln -s $'\\xe9' l; mkdir n; echo z > n/$'\\xe8'; echo z > n/z";
      const outcome = await run(place, "build", line, { after: ["make"] });
      expect(outcome.warnings).toEqual([]);
      expect(pathsOf(outcome)).toEqual(["n/z", "plain"]);
      expect(outcome.uncovered.join("\n")).toContain("caf\\xe9: 1 file (the name is no UTF-8 text)");
      expect(snapshotOf(place.workspace)).toMatchObject({
        "caf\xe9": expect.stringContaining("file"),
        "d\xfe/in/x": expect.stringContaining("file"),
        "n/\xe8": expect.stringContaining("file"),
        l: "link \xe9",
      });
      expect(
        readFileSync(Buffer.concat([Buffer.from(`${place.workspace}/old`), Buffer.from([0xff])])).toString(),
      ).toBe("old\nmore\n");
      const staged = await run(place, "build", "echo x > $'caf\\xea'; echo y > plain2", { overlay: "whole" });
      expect(pathsOf(staged)).toEqual(["plain2"]);
      expect(staged.warnings).toEqual(["caf\\xea cannot be staged and is left out."]);
    }),
);

test("FIFOs and sockets are not copied out of the layer, and an existing FIFO can be removed", () =>
  inPlace(people[0] ?? { name: "ourselves", uid: 0 }, async (place) => {
    const line = `mkfifo fifo; mkdir d; mkfifo d/fifo; perl -MSocket -e 'socket(S, AF_UNIX, SOCK_STREAM, 0); bind(S, sockaddr_un("sock"))'; echo x > d/x`;
    const outcome = await run(place, "build", line, { after: ["make"] });
    expect(outcome.warnings.sort()).toEqual([
      "d/fifo is a FIFO, which is left out.",
      "fifo is a FIFO, which is left out.",
    ]);
    expect(Object.keys(snapshotOf(place.workspace)).sort()).toEqual(["a.txt", "d", "d/x"]);
    await run(place, "build", "mkfifo old", { overlay: false });
    const removing = await run(place, "build", "rm old; echo x > old", { after: ["make"] });
    expect(removing.uncovered).toEqual(["old: 1 file (cannot be kept)"]);
    expect(textOf(place, "old")).toBe("x\n");
  }));

const many = "for d in $(seq 20); do mkdir -p $R/$d; for f in $(seq 20); do echo $d$f > $R/$d/$f; done; done";

test.each(people)(
  "as $name: an install's files are written directly, keep their times, and are reported by number",
  (person) =>
    inPlace(person, async (place) => {
      const made = await run(
        place,
        "build",
        `R=node_modules; ${many}; touch -d @1000000000 $R/1/1; echo x > p.json; echo y > $R/.lock`,
        {
          after: ["make"],
        },
      );
      expect(made).toMatchObject({ warnings: [], uncovered: ["node_modules: 401 files"] });
      expect(pathsOf(made)).toEqual(["p.json"]);
      expect(lstatSync(join(place.workspace, "node_modules/1/1")).mtimeMs).toBe(1e12);
      const more = await run(
        place,
        "build",
        "echo x > node_modules/1/1; mkdir node_modules/new; echo n > node_modules/new/n; rm -r node_modules/2",
      );
      expect(more.uncovered).toEqual([]);
      expect(pathsOf(more)).toHaveLength(24);
      const again = await run(
        place,
        "install",
        `rm -rf node_modules; R=node_modules; ${many}; mkdir $R/only; echo o > $R/only/o`,
      );
      expect(again.uncovered).toEqual(["node_modules: 402 files"]);
      expect(isThere(join(place.workspace, "node_modules/.lock"))).toBe(false);
      const gone = await run(place, "build", "rm -rf node_modules");
      expect(gone).toMatchObject({ changes: [], uncovered: ["node_modules: 401 files"], warnings: [] });
      expect(isThere(join(place.workspace, "node_modules"))).toBe(false);
    }),
);

test.each(people)(
  "as $name: what is new in a file of the same size and time arrives, among packages and in a huge file, too",
  (person) =>
    inPlace(person, async (place) => {
      // Some package managers give all their files the same time.
      const write = (version: string): string =>
        `for f in node_modules/p/package.json huge; do rm -f $f; printf '{"version":"${version}"}' > $f; done; truncate -s 65M huge; touch -d @456789000 node_modules/p/package.json huge`;
      await run(place, "build", `mkdir -p node_modules/p; ${write("1.0.1")}`, { overlay: false });
      const same = await run(place, "build", `${write("1.0.1")}; chmod 644 huge`);
      expect(same).toMatchObject({ changes: [], uncovered: [], warnings: [] });
      const other = await run(place, "build", write("1.0.2"), { after: ["make"] });
      expect(pathsOf(other)).toEqual(["node_modules/p/package.json"]);
      expect(other.uncovered).toEqual(["huge: 1 file (larger than 64 MiB)"]);
      expect(textOf(place, "node_modules/p/package.json")).toContain("1.0.2");
      expect(textOf(place, "huge").slice(0, 19)).toContain("1.0.2");
    }),
);

test.each(people)(
  "as $name: ten thousand new files are written directly, and of ten thousand edited ones half are kept",
  (person) =>
    inPlace(person, async (place) => {
      const make = `perl -e 'for my $d (1..20) { mkdir "m/$d"; for my $f (1..500) { open(my $h, ">", "m/$d/$f"); print $h "$d $f\\n" } }'`;
      const made = await run(place, "build", `mkdir m; ${make}; echo x > own.txt`);
      expect(made).toMatchObject({ uncovered: ["m: 10,000 files (more than can be kept)"], warnings: [] });
      expect(pathsOf(made)).toEqual(["own.txt"]);
      expect(readdirSync(join(place.workspace, "m/20"))).toHaveLength(500);
      const touched = await run(place, "build", "find m -type f | xargs touch -d @1000000000");
      expect(touched).toMatchObject({ changes: [], uncovered: [], warnings: [] });
      expect(lstatSync(join(place.workspace, "m/7/7")).mtimeMs).toBe(1e12);
      const changed = await run(place, "build", "find m -type f | xargs sed -i s/1/2/");
      expect(changed.uncovered.join()).toMatch(/^m: \d,\d{3} files \(more than can be kept\)$/);
      expect(changed.changes).toHaveLength(5000);
      expect(changed.warnings).toEqual([]);
    }),
);

test("files over 64 MiB are written directly and reported as uncovered", () =>
  inPlace(people[0] ?? { name: "ourselves", uid: 0 }, async (place) => {
    const outcome = await run(
      place,
      "build",
      "truncate -s 65M big; mkdir d; truncate -s 70M d/huge; echo x > d/x; echo y > y",
    );
    expect(outcome.uncovered.sort()).toEqual([
      "big: 1 file (larger than 64 MiB)",
      "d/huge: 1 file (larger than 64 MiB)",
    ]);
    expect(pathsOf(outcome)).toEqual(["d/x", "y"]);
    expect(lstatSync(join(place.workspace, "big")).size).toBe(65 * 2 ** 20);
    const staged = await run(place, "build", "truncate -s 65M other", { overlay: "whole" });
    expect(staged).toMatchObject({ changes: [], tooLarge: expect.stringContaining("other: 1 file") });
    expect(isThere(join(place.workspace, "other"))).toBe(false);
  }));

test.each(people)("as $name: a fully staged command changes nothing, not even the repository", (person) =>
  inPlace(person, async (place) => {
    write(place.workspace, "node_modules/x/a", "a");
    for (let at = 0; at < 300; at += 1) write(place.workspace, `node_modules/x/${at}`, "b");
    const before = snapshotOf(place.workspace, ["index"]);
    const line =
      "rm -rf node_modules; git rm -q --cached a.txt; git checkout -q -b other; echo x > a.txt; git commit -qam x; echo y > new";
    const outcome = await run(place, "git", line, { overlay: "whole" });
    expect(outcome).toMatchObject({ exit: 0, uncovered: [] });
    expect(outcome.warnings).toEqual(["What the command did to the repository .git is left out."]);
    expect(outcome.changes).toHaveLength(301 + 2 + 2);
    expect(snapshotOf(place.workspace, ["index"])).toEqual(before);
    const large = await run(place, "build", "mkdir m; cd m; seq 5001 | xargs touch", { overlay: "whole" });
    expect(large).toMatchObject({ changes: [], tooLarge: expect.stringContaining("5001 files") });
    expect(snapshotOf(place.workspace, ["index"])).toEqual(before);
  }),
);

test.each(people)(
  "as $name: the paths of the workspace and the state directory may contain special characters",
  (person) =>
    inPlace(person, async (place) => {
      const odd = "o, d:d\\ \"n'a\nm=e ü";
      const workspace = join(place.home, odd);
      const stateDir = join(place.outside, odd);
      for (const path of [workspace, stateDir]) mkdirSync(path);
      write(workspace, "sub/a", "a\n");
      own(place.home, person);
      own(place.outside, person);
      const there = { ...place, workspace, stateDir };
      const outcome = await run(there, "build", "sed -i s/a/b/ sub/a; rm -rf none; mkdir n; pwd", {
        after: ["make"],
      });
      expect(outcome).toMatchObject({ exit: 0, warnings: [], output: `${workspace}\n` });
      expect(textOf(there, "sub/a")).toBe("b\n");
    }),
);

test.each(people)(
  "as $name: a layer works for a workspace on another device than the state directory",
  (person) =>
    inPlace(person, async (place) => {
      const workspace = realpathSync(mkdtempSync("/dev/shm/toolwright-layer-"));
      try {
        write(workspace, "old/a", "a\n");
        own(workspace, person);
        const there = { ...place, workspace };
        const line = `R=node_modules; ${many}; ln -s 1/1 $R/l; chmod 640 $R/1/2; chmod 0 $R/1/3; chmod 500 $R/2; touch -d @1000000000 $R/1/1; rm -r old; echo x > own`;
        const outcome = await run(there, "open", line, { after: ["make"] });
        expect(outcome).toMatchObject({ exit: 0, warnings: [], uncovered: ["node_modules: 401 files"] });
        expect(snapshotOf(workspace)).toMatchObject({
          "node_modules/l": "link 1/1",
          "node_modules/2": "directory 500",
          "node_modules/1/2": expect.stringContaining("file 640 "),
          own: expect.stringContaining("file"),
        });
        expect(lstatSync(join(workspace, "node_modules/1/1")).mtimeMs).toBe(1e12);
        expect(readdirSync(workspace).sort()).toEqual(["node_modules", "own"]);
      } finally {
        removeTree(workspace);
      }
    }),
);

test.each(people)(
  "as $name: a file that a command replaced by a directory that nobody may search keeps its content for undo",
  (person) =>
    inPlace(person, async (place) => {
      for (const name of ["empty", "full", "fifo"]) write(place.workspace, name, "precious\n");
      const line = "rm empty full fifo; mkdir empty full; echo x > full/x; chmod 400 empty full; mkfifo fifo";
      const outcome = await run(place, "build", line, { after: ["make"] });
      for (const path of ["empty", "full"]) {
        const change = outcome.changes.find((one) => one.path === path);
        expect(change?.before?.kind).toBe("file");
        expect(change?.after).toBeNull();
        expect(lstatSync(join(place.workspace, path)).isDirectory()).toBe(true);
        expect(outcome.warnings.join("\n")).toContain(`${path} was a file`);
      }
    }),
);

test.each(people)(
  "as $name: what a killed process left behind is removed at the next start, however hostile",
  (person) =>
    inPlace(person, async (place) => {
      const deep = `perl -e 'for (1..1500) { mkdir "d" x 9; chdir "d" x 9; mkdir "shut", 0 if $_ == 9 } open(my $h, ">", "f")'; mkdir s; echo x > s/x; chmod 0 s; echo x > a.txt`;
      const outcome = await run(place, "build", deep, { abandon: true });
      expect(outcome.uncovered.join()).toContain("ddddddddd: ");
      const runs = join(place.stateDir, "sandbox/runs");
      expect(readdirSync(runs)).toHaveLength(1);
      const [before] = readdirSync(runs);
      await run(place, "build", "true");
      expect(readdirSync(runs)).not.toContain(before);
      const removed = await run(place, "build", "rm -rf ddddddddd");
      expect(removed.exit).toBe(0);
    }),
);

test("where a layer is impossible the command is refused with the reason", () =>
  inPlace(people[0] ?? { name: "ourselves", uid: 0 }, async (place) => {
    const stateDir = join(place.workspace, "state");
    mkdirSync(stateDir);
    const outcome = await run(place, "build", "echo ran", { stateDir });
    expect(outcome).toMatchObject({ output: "", refused: expect.stringContaining("lies in the workspace") });
    const looking = await run(place, "read", "cat a.txt");
    expect(looking).toMatchObject({ exit: 0, output: "first\n", changes: [] });
  }));

test.each(people.filter(({ uid }) => uid !== 0 && process.getuid?.() === 0))(
  "as $name: a directory of another group, which a layer cannot change, is refused",
  (person) =>
    inPlace(person, async (place) => {
      mkdirSync(join(place.workspace, "shared"));
      own(place.workspace, person);
      chownSync(join(place.workspace, "shared"), person.uid, 0);
      const outcome = await runOne(tools, place, requestFor(place, "build", "echo ran", { overlay: true }));
      expect(outcome).toMatchObject({
        output: "",
        refused: expect.stringContaining("shared belongs to another user or group"),
      });
    }),
);

test.each(people)("as $name: what a command changed before its timeout is returned", (person) =>
  inPlace(person, async (place) => {
    const outcome = await run(
      place,
      "build",
      "echo x > made; (while :; do echo y >> more; done) & sleep 60",
      {
        wallMs: 400,
      },
    );
    expect(pathsOf(outcome)).toEqual(["made", "more"]);
    expect(snapshotOf(place.workspace)).toEqual({ "a.txt": expect.any(String) });
  }),
);

test.each(people)(
  "as $name: times and modes are preserved, and reverted changes are not reported",
  (person) =>
    inPlace(person, async (place) => {
      chmodSync(join(place.workspace, "a.txt"), 0o640);
      utimesSync(join(place.workspace, "a.txt"), 1, 1);
      const line =
        "stat -c '%a %Y %U' . a.txt | sed 's/ [0-9]\\{6,\\}//'; mv a.txt b; mv b a.txt; chmod 600 a.txt; chmod 640 a.txt";
      const outcome = await run(place, "build", line, { after: ["make"] });
      expect(outcome).toMatchObject({ changes: [], uncovered: [], warnings: [] });
      expect(outcome.output).toMatch(/^755 \S+\n640 1 \S+\n$/);
    }),
);

test.each(people)("as $name: a command on its own terminal can use it, and has no further rights", (person) =>
  inPlace(person, async (place) => {
    write(place.home, ".npmrc", "a=b\n//x/:_authToken=canary\n");
    own(place.home, person);
    const line = [
      "test -t 0 && test -t 1 && echo terminal; echo typed >/dev/tty; echo x >> made",
      `perl -e 'my $c = "x"; ioctl(STDIN, 0x5412, $c) and print "ESCAPED\\n"; print "refused $!\\n"'`,
      "cat ~/.npmrc; grep Seccomp: /proc/self/status; grep CapEff /proc/self/status; ls /proc | grep -c '^[0-9]'",
      `for f in /proc/self/fd/*; do t=$(readlink $f); case "$t" in /dev/pts/*|/dev/console|/dev/null|pipe:*|/proc/*|"") ;; *) echo OPEN $t;; esac; done`,
    ].join("; ");
    for (const overlay of [false, true]) {
      const outcome = await run(place, "build", line, { terminal: true, overlay });
      expect(outcome.output).toMatch(
        /^terminal\r\ntyped\r\nrefused Operation not permitted\r\na=b\r\nSeccomp:\t2\r\nCapEff:\t0+\r\n\d\r\n$/,
      );
      expect(pathsOf(outcome)).toEqual(overlay ? ["made"] : []);
      expect(leftIn(place)).toEqual([]);
    }
    expect(existsSync(join(place.workspace, "made"))).toBe(true);
  }),
);
