/**
 * Which workspace files count for a command, however it names them, and that everything else is reported (SAFETY 1, row
 * 10).
 */

import { statSync } from "node:fs";
import { mkdir, rm, truncate, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { scale } from "../../testing/scale.ts";
import { temporaryWorkspace, type TemporaryWorkspace } from "../../testing/workspace.ts";
import { judgingBounds } from "../bounds.ts";
import { ranFileBounds } from "./bounds.ts";
import { filesRunBy } from "./ran.ts";

async function workspaceWith(files: Record<string, string>) {
  const workspace = await temporaryWorkspace(files);
  onTestFinished(() => workspace.remove());
  return ranIn(workspace.root);
}

function ranIn(root: string) {
  return {
    root,
    counted: (line: string) => {
      const counted = filesRunBy({ type: "line", line }, { workspace: root });
      return counted && { files: counted.files.map(({ path }) => path), unfollowed: counted.unfollowed };
    },
    write: async (path: string, text: string) => {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), text);
    },
  };
}

const files = {
  ".git/HEAD": "",
  "scripts/x.sh": "",
  "scripts/s.mjs": "",
  "scripts/Makefile": "",
  "scripts/package.json": "",
  "my hooks/x.sh": "",
  "hooks/m.py": "",
  "hooks/__init__.py": "",
  "hooks/a.sh": "",
  "src/deep/b.ts": "",
  data: "",
};

/** Made once, for the many commands that only name what is there. */
let plain: TemporaryWorkspace;
let chained: TemporaryWorkspace;

beforeAll(async () => {
  plain = await temporaryWorkspace(files);
  chained = await temporaryWorkspace(chain);
});

afterAll(() => Promise.all([plain.remove(), chained.remove()]));

test.each<[line: string, path: string]>([
  ["cd scripts && ./x.sh", "scripts/x.sh"],
  ['bash "$(git rev-parse --show-toplevel)/scripts/x.sh"', "scripts/x.sh"],
  ['"$(git rev-parse --show-toplevel 2>/dev/null || pwd)"/scripts/x.sh', "scripts/x.sh"],
  ["`git rev-parse --show-toplevel`/scripts/x.sh", "scripts/x.sh"],
  ['cd "$CLAUDE_PROJECT_DIR/scripts" && ./x.sh', "scripts/x.sh"],
  ["$(pwd)/scripts/x.sh", "scripts/x.sh"],
  ["${CLAUDE_PROJECT_DIR:-.}/scripts/x.sh", "scripts/x.sh"],
  ["${CLAUDE_PROJECT_DIR:-$(pwd)}/scripts/x.sh --all", "scripts/x.sh"],
  ['"$PWD/my hooks/x.sh"', "my hooks/x.sh"],
  ["cd my\\ hooks && sh x.sh", "my hooks/x.sh"],
  ["python3 -m hooks.m", "hooks/m.py"],
  ["python3 -m hooks.m", "hooks/__init__.py"],
  ["find hooks -name '*.sh' -exec sh {} \\;", "hooks/a.sh"],
  ['for f in hooks/*.sh; do bash "$f"; done', "hooks/a.sh"],
  ['cd hooks; for f in *.sh; do "./$f"; done', "hooks/a.sh"],
  ['d=scripts; sh "$d/x.sh"', "scripts/x.sh"],
  ["make -C scripts check", "scripts/Makefile"],
  ["make -Cscripts check", "scripts/Makefile"],
  ["npm --prefix scripts run x", "scripts/package.json"],
  ["cd scripts && npm run x", "scripts/package.json"],
  ['sh -c "cd scripts && node s.mjs"', "scripts/s.mjs"],
  ["cd scripts && node s", "scripts/s.mjs"],
  ["(cd scripts; exec ./x.sh)", "scripts/x.sh"],
  ["timeout 10 env A=1 scripts/x.sh", "scripts/x.sh"],
  ["if [ -f scripts/x.sh ]; then sh scripts/x.sh; fi", "scripts/x.sh"],
  ["run-parts hooks", "hooks/a.sh"],
  ["cd scripts && ../hooks/a.sh", "hooks/a.sh"],
  ["a=scr; sh ${a}ipts/x.sh", "scripts/x.sh"],
  ["sh scripts/{x,y}.sh", "scripts/x.sh"],
  ["sh $'scr\\x69pts/x.sh'", "scripts/x.sh"],
  ["p=python3; $p -m hooks.m", "hooks/m.py"],
  ["IFS=_; a=sh_scripts/x.sh; $a", "scripts/x.sh"],
  ['set -- scripts/x.sh; sh "$@"', "scripts/x.sh"],
])("SAFETY 1: for `%s`, the file %s counts and nothing is unfollowed", async (line, path) => {
  const told = ranIn(plain.root).counted(line);
  expect(told?.files).toContain(path);
  expect(told?.unfollowed).toEqual([]);
});

test.each([
  "python3 -m black .",
  "npx prettier --write src",
  'eval "$X"',
  "ls hooks | xargs -n1 sh",
  "ls hooks | sh",
  'd=$(cat where); sh "$d/x.sh"',
  'find . -name "*.sh" -exec sh {} \\;',
  "bash -s < scripts/x.sh",
  "node -e 'require(process.argv[1])' x",
  "NODE_OPTIONS=--require=./scripts/s.mjs node hooks/m.py",
  "npm -w pkg run x",
  "printf -v d scr%s ipts; sh $d/x.sh",
  "cp scripts/x.sh /tmp/x.sh; /tmp/x.sh",
  "go run ./src",
  "d=hooks; find $d -exec sh {} +",
  "d=hooks; python3 $d",
  "for f; do sh $f; done",
  "PATH=scripts:$PATH x.sh",
  "sh <<< ./scripts/y.sh",
  "python3 -E hooks/m.py",
  "python3 -X pycache_prefix=x hooks/m.py",
  "php -r 'include \"scripts/x\";' scripts/x.sh",
])("SAFETY 1: `%s` is reported as unfollowed", async (line) => {
  const { counted } = ranIn(plain.root);
  expect(counted(line)?.unfollowed).not.toEqual([]);
});

test.each([
  ["what is only looked at", "grep -q x scripts/x.sh && exit 2", []],
  ["what is only written to", "date >> scripts/x.sh", []],
  ["the files that a program is to change", "npx prettier --write 'src/**/*.ts' src", []],
  ["what lies beside a script", "cd scripts && ./x.sh", ["scripts/x.sh"]],
])("%s does not count", async (_, line, paths) => {
  const { counted } = ranIn(plain.root);
  expect(counted(line)?.files).toEqual(paths);
});

test("a command that uses the repository's top level above the workspace is reported as unfollowed", async () => {
  const { counted } = await workspaceWith({ "a.sh": "" });
  expect(counted('sh "$(git rev-parse --show-toplevel)/a.sh"')?.unfollowed).not.toEqual([]);
});

test("a file added to a matched pattern or directory counts, too", async () => {
  const { counted, write } = await workspaceWith(files);
  await write("hooks/deep/new.sh", "");
  expect(counted("find hooks -exec sh {} +")?.files).toContain("hooks/deep/new.sh");
  await write("hooks/new.sh", "");
  expect(counted("for f in hooks/*.sh; do . $f; done")?.files).toContain("hooks/new.sh");
});

test("a file too large to read counts by its last change, also where size and time of the content are set back", async () => {
  const { root, write } = await workspaceWith({});
  const path = join(root, "server");
  const hash = (): string | undefined =>
    filesRunBy({ type: "line", line: "./server" }, { workspace: root })?.files[0]?.hash;
  const made = async (text: string): Promise<void> => {
    await write("server", text);
    await truncate(path, ranFileBounds.countedBytes.most + 1);
    await utimes(path, 1_000, 1_000);
  };
  await made("one");
  const before = hash();
  const { ctimeNs } = statSync(path, { bigint: true });
  while (statSync(path, { bigint: true }).ctimeNs === ctimeNs) await made("two"); // the clock of the files ticks
  expect(before).toBeDefined();
  expect(hash()).not.toBe(before);
});

test("a command that may refer to too many files or words is rejected", async () => {
  const { counted, root } = await workspaceWith({});
  await mkdir(join(root, "many"));
  const names = Array.from({ length: ranFileBounds.counted.most + 1 }, (_, at) => `many/${at}.sh`);
  await Promise.all(names.map((name) => writeFile(join(root, name), "")));
  expect(counted("run-parts many")).toBeUndefined();
  expect(counted("sh many/1.sh")?.files).toEqual(["many/1.sh"]);
  expect(counted(`sh ${"x ".repeat(judgingBounds.lineText.most)}`)).toBeUndefined();
  const words = Array.from({ length: 700 }, (_, at) => `a${at}`).join(" ");
  const places = Array.from({ length: 40 }, (_, at) => `many/d${at}`);
  await Promise.all(places.map((place) => mkdir(join(root, place))));
  expect(counted(`tool ${words} ${places.join(" ")}`)).toBeUndefined();
  expect(counted(`tool ${words}`)?.files).toEqual([]);
  await rm(join(root, "many"), { recursive: true });
});

test.each([
  "sort -S 16k --compress-program=./scripts/x.sh data -o /dev/null",
  "sort --compress-prog scripts/x.sh data",
  "tar -cf /dev/null --use-compress-program=scripts/x.sh data",
  "tar -c --checkpoint=1 --checkpoint-action=exec=scripts/x.sh data",
  "tar -cf - -I ./scripts/x.sh data",
  "rg --pre ./scripts/x.sh data",
  "git -c core.pager=./scripts/x.sh log",
  "rsync -e scripts/x.sh a b",
  "awk -f scripts/x.sh data",
  "sed -f scripts/x.sh data",
  "less --lesskey-src=scripts/x.sh data",
  "gdb -x scripts/x.sh",
  "perl -Iscripts -Mx scripts/x.sh",
  "env -S 'scripts/x.sh a'",
  "xargs -a data scripts/x.sh",
  "split --filter=scripts/x.sh data",
  "vim -S scripts/x.sh",
  "curl -K scripts/x.sh",
  "wget --use-askpass=scripts/x.sh x",
  "man -P scripts/x.sh ls",
  "psql -f scripts/x.sh",
  "gcc -fplugin=scripts/x.sh data",
  "zip -TT scripts/x.sh a data",
  "ssh -o ProxyCommand=scripts/x.sh h",
])("SAFETY 1: a program that is named as an option's value counts: %s", async (line) => {
  const { counted } = ranIn(plain.root);
  expect(counted(line)?.files).toContain("scripts/x.sh");
});

const chain = {
  "package.json": JSON.stringify({
    scripts: {
      lint: "sh tools/lint.sh && npm run more",
      prelint: "./tools/before.sh",
      more: "node tools/more.mjs",
      other: "./tools/other.sh",
      test: "tsx tools/check.ts",
    },
  }),
  "tools/lint.sh":
    '#!/bin/sh\n# runs ./tools/other.sh\n. "$(dirname "$0")/lib.sh"\ncat <<END\n./tools/other.sh\nEND\n',
  "tools/lib.sh": 'here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"\nsource "$here/deep/er.sh"\n',
  "tools/deep/er.sh": "true\n",
  "tools/before.sh": "true\n",
  "tools/other.sh": "true\n",
  "tools/more.mjs": 'import { a } from "./part.mjs";\nconst b = require("../b");\n',
  "tools/part.mjs": 'export * from "./parts/index.js";\n',
  "tools/parts/index.ts": "",
  "tools/check.ts": "",
  "b.cjs": "",
  "run.py": "import helper, os\nfrom pack.inner import x\nfrom . import beside\n",
  "helper.py": "",
  "beside.py": "",
  "pack/inner.py": "",
  Makefile: "include tools/rules.mk\ncheck: x\n\t@./tools/other.sh $$HOME\n",
  "tools/rules.mk": "x:\n\tsh tools/before.sh\n",
  justfile: "check:\n    @./tools/other.sh\n",
  "node_modules/.bin/tsx": "#!/usr/bin/env node\nrequire('../tsx/cli.js')\n",
  "pyproject.toml": "",
};

test.each<[line: string, paths: string[]]>([
  [
    "npm run lint",
    [
      "tools/lint.sh",
      "tools/lib.sh",
      "tools/deep/er.sh",
      "tools/before.sh",
      "tools/more.mjs",
      "tools/part.mjs",
      "tools/parts/index.ts",
      "b.cjs",
    ],
  ],
  ["pnpm lint", ["tools/lint.sh", "tools/before.sh"]],
  ["yarn run lint", ["tools/lint.sh", "tools/before.sh"]],
  ["bun run lint", ["tools/lint.sh", "tools/before.sh"]],
  ["npm t", ["tools/check.ts"]],
  ["cd tools && sh lint.sh", ["tools/lib.sh", "tools/deep/er.sh"]],
  ["sh -c './tools/lint.sh'", ["tools/lib.sh"]],
  ["node tools/more.mjs", ["tools/part.mjs", "tools/parts/index.ts", "b.cjs"]],
  ["npx tsx tools/more.mjs", ["tools/more.mjs", "tools/part.mjs", "node_modules/.bin/tsx"]],
  ["pnpm exec tsx tools/more.mjs", ["tools/part.mjs"]],
  ["python3 run.py", ["helper.py", "beside.py", "pack/inner.py"]],
  ["uv run run.py", ["run.py", "helper.py", "pyproject.toml"]],
  ["uv run python run.py", ["helper.py"]],
  ["poetry run python3 run.py", ["helper.py", "pyproject.toml"]],
  ["make check", ["tools/other.sh", "tools/rules.mk", "tools/before.sh"]],
  ["just check", ["tools/other.sh"]],
])("SAFETY 1: files that `%s` runs or imports indirectly count", async (line, paths) => {
  const { counted } = ranIn(chained.root);
  expect(counted(line)?.files).toEqual(expect.arrayContaining(paths));
});

test("SAFETY 1: other scripts, comments, heredocs and files that are only read do not count", async () => {
  const { counted } = ranIn(chained.root);
  expect(counted("npm run lint")).toEqual({
    files: expect.not.arrayContaining(["tools/other.sh", "tools/check.ts"]),
    unfollowed: [],
  });
  expect(counted("cat tools/lint.sh")?.files).toEqual([]);
  expect(counted("npx prettier --write tools/more.mjs")?.files).not.toContain("tools/part.mjs");
});

test("SAFETY 1: unfollowed commands in scripts are reported with their file", async () => {
  const { counted, write } = await workspaceWith(chain);
  await write(
    "package.json",
    JSON.stringify({ scripts: { lint: "eslint . && sh a.sh && node big.js && ./x.pl" } }),
  );
  await write("a.sh", 'eval "$X"\n');
  await write("big.js", " ".repeat(ranFileBounds.followedText.most + 1));
  await write("x.pl", "do './y.pl'\n");
  expect(counted("npm run lint")).toEqual({
    files: ["a.sh", "big.js", "package.json", "x.pl"],
    unfollowed: [
      "package.json: eslint .",
      "a.sh: eval …",
      "big.js: all that it runs",
      "x.pl: all that it runs",
    ],
  });
});

test("SAFETY 1: a script's own functions and the usual ways to find its directory are followed", async () => {
  const { counted, write } = await workspaceWith({
    "tools/lib.sh": "log() { echo $1; }\n",
    "tools/x.py": "",
  });
  await write(
    "hooks/a.sh",
    'ROOT="$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)"\nsay() {\n  echo "$1"\n}\nsay hello\n. "$ROOT/tools/lib.sh"\npython3 "${ROOT}/tools/x.py"\n',
  );
  expect(counted("sh hooks/a.sh")).toEqual({
    files: ["hooks/a.sh", "tools/lib.sh", "tools/x.py"],
    unfollowed: [],
  });
  await write("hooks/b.sh", 'x=$(cat y)\nsay() {\n  eslint .\n}\nsay\nsh "$x"\n');
  expect(counted("sh hooks/b.sh")?.unfollowed).toEqual(["hooks/b.sh: eslint .; sh …"]);
});

test("circular, very long and very numerous chains of scripts are followed only within the bounds", async () => {
  const { counted, write } = await workspaceWith({
    "a.sh": "sh b.sh",
    "b.sh": "sh a.sh; npm run go",
    "package.json": JSON.stringify({ scripts: { go: "npm run again", again: "npm run go; sh a.sh" } }),
  });
  expect(counted("sh a.sh")).toEqual({ files: ["a.sh", "b.sh", "package.json"], unfollowed: [] });
  const { most } = ranFileBounds.followed;
  for (let at = 0; at < most; at += 1) await write(`step${at}.sh`, `sh step${at + 1}.sh`);
  await write(`step${most}.sh`, "sh a.sh");
  const far = counted("sh step0.sh");
  expect(far?.files).toContain(`step${most}.sh`);
  expect(far?.files).not.toContain("a.sh");
  expect(far?.unfollowed).toEqual([`step${most}.sh: all that it runs`]);
  const names = Array.from({ length: most + 1 }, (_, at) => `many/${at}.sh`);
  for (const name of names) await write(name, "true");
  expect(counted("run-parts many")?.unfollowed).toEqual([expect.stringContaining(": all that it runs")]);
});

const directory = fc.constantFrom(
  "scripts",
  "./scripts",
  "$PWD/scripts",
  "${CLAUDE_PROJECT_DIR:-.}/scripts",
  "$(pwd)/scripts",
  "`pwd`/scripts",
  "$(git rev-parse --show-toplevel)/scripts",
  '"scripts"',
  "sc'rip'ts",
  "scri\\pts",
  "hooks/../scripts",
  "${X:-scripts}",
  "$(echo scripts)",
  "s*s",
  "$(printf scr; printf ipts)",
  "{scripts,hooks}",
);
const runner = fc.constantFrom(
  (at: string) => `${at}/x.sh`,
  (at: string) => `sh ${at}/x.sh`,
  (at: string) => `. ${at}/x.sh`,
  (at: string) => `cd ${at} && ./x.sh`,
  (at: string) => `cd ${at}; bash -eu x.sh a b`,
  (at: string) => `d=${at}; sh $d/x.sh`,
  (at: string) => `d=${at}; e=x; sh "$d/$e.sh"`,
  (at: string) => `for f in ${at}/*; do sh $f; done`,
  (at: string) => `for f in ${at}/*.sh; do case $f in *x.sh) sh $f;; esac; done`,
  (at: string) => `find ${at} -name 'x*' -exec sh {} ';'`,
  (at: string) => `ls ${at}/x.sh | xargs sh`,
  (at: string) => `cat ${at}/x.sh | sh`,
  (at: string) => `cat ${at}/x.sh > /tmp/y; sh /tmp/y`,
  (at: string) => `pushd ${at} >/dev/null && env -i ./x.sh`,
  (at: string) => `f() { sh ${at}/x.sh; }; f`,
  (at: string) => `echo "$(${at}/x.sh)"`,
  (at: string) => `sh ${at}/?.sh`,
  (at: string) => `sh < ${at}/x.sh`,
  (at: string) => `x=${at}/x.sh && exec "$x" go`,
  (at: string) => `f=${at}/x.sh; cd / && sh "$OLDPWD/$f"`,
  (at: string) => `cd hooks; sh ../${at}/x.sh || ./x.sh`,
  (at: string) => `for d in hooks ${at}; do for f in $d/*.sh; do . $f; done; done`,
  (at: string) => `for d in ${at}; do (cd "$d" && for f in *; do ./$f; done); done`,
);
const wrapping = fc.constantFrom(
  (line: string) => line,
  (line: string) => `true && { ${line}; }`,
  (line: string) => `(${line}) 2>&1`,
  (line: string) => `if true; then ${line}; fi`,
  (line: string) => `sh -c '${line.replaceAll("'", "'\\''")}'`,
  (line: string) => `echo go | (${line}) || exit 0`,
);

test("SAFETY 1: however a command refers to a script, the script counts or the command is reported as unfollowed", async () => {
  const { counted } = ranIn(plain.root);
  fc.assert(
    fc.property(directory, runner, wrapping, (at, run, wrap) => {
      const told = counted(wrap(run(at)));
      if (told && told.unfollowed.length === 0) expect(told.files).toContain("scripts/x.sh");
    }),
    { numRuns: 300 * scale },
  );
});

test("arbitrary commands never throw and never count a file outside the workspace", async () => {
  const { counted } = ranIn(plain.root);
  const piece = fc.constantFrom(
    "scripts",
    "x.sh",
    "*",
    "**",
    "/",
    "..",
    "$x",
    "'",
    '"',
    "\\",
    " ",
    ";",
    "-m",
    "{",
    "[",
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, fc.string()), { maxLength: 12 }), (pieces) => {
      const told = counted(pieces.join(""));
      expect(told?.files.every((path) => !path.startsWith(".."))).not.toBe(false);
    }),
  );
});

test("SAFETY 1: programs that quoted texts and first lines name count, but not what a script writes", async () => {
  const { counted } = await workspaceWith({
    "s/p.py": 'import subprocess\nsubprocess.run(["sh", "s/c.sh"])\nopen("s/log.txt", "a")\n',
    "s/n.js": 'require("child_process").execSync("sh s/d.sh")\n',
    "s/x": "#!s/interp.pl -w\n",
    "s/interp.pl": "",
    "s/c.sh": "sh s/e.sh\n",
    "s/d.sh": "",
    "s/e.sh": "",
    "s/log.txt": "1\n",
  });
  expect(counted("python3 s/p.py")?.files).toEqual(["s/c.sh", "s/e.sh", "s/p.py"]);
  expect(counted("node s/n.js")?.files).toEqual(["s/d.sh", "s/n.js"]);
  expect(counted("./s/x")?.files).toEqual(["s/interp.pl", "s/x"]);
});
