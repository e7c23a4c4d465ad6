/** No repository that a contained command plants, in directories that tools fill too, makes a person's git run anything. */

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  inPlace,
  makeTools,
  own,
  people,
  type Place,
  plainEnv,
  removeTools,
  requestFor,
  runAs,
  type Tools,
  write,
} from "../support/sandbox-place.ts";
import type { RunOutcome } from "../support/sandbox-runner.ts";

let tools: Tools;
beforeAll(async () => {
  tools = await makeTools();
});
afterAll(() => removeTools(tools));

const markIn = ({ outside }: Place): string => join(outside, "ran");
const settings = (place: Place): string =>
  `[core]\\n\\tbare = false\\n\\tworktree = ${place.workspace}\\n\\tfsmonitor = touch ${markIn(place)};false\\n`;
/** Appends to a file what makes git run a program. */
const obey = (place: Place, file: string): string => `printf '${settings(place)}' >> ${file}`;

type PlantAttack = {
  title: string;
  prepare?: (place: Place) => void;
  /** Commands, one after the other. */
  lines: (place: Place) => string[];
};

const hostGit = (place: Place, words: readonly string[]): void => {
  execFileSync("git", words, { cwd: place.workspace, env: plainEnv(place.home), stdio: "ignore" });
};

const attacks: readonly PlantAttack[] = [
  ...[".next/y", "node_modules/x", "node_modules/@a/b", ".venv/src/x", ".yarn/x", "dist/x", "target/x"].map(
    (path): PlantAttack => ({
      title: `a repository in ${path}`,
      lines: (place) => [`git init -q ${path}; ${obey(place, `${path}/.git/config`)}`],
    }),
  ),
  {
    title: "a repository without a working tree in a skipped directory",
    lines: (place) => [`git init -q --bare .next/lib; ${obey(place, ".next/lib/config")}`],
  },
  {
    title: "a skipped directory that is itself a repository",
    lines: (place) => [`git init -q --bare .next; ${obey(place, ".next/config")}`],
  },
  {
    title: "a repository among two thousand installed files",
    lines: (place) => [
      `for p in $(seq 40); do mkdir -p node_modules/p$p; for f in $(seq 50); do : > node_modules/p$p/$f; done; done; git init -q node_modules/p7; ${obey(place, "node_modules/p7/.git/config")}`,
    ],
  },
  {
    title: "a file called .git that leads to settings",
    lines: (place) => [
      `git init -q --bare node_modules/x; ${obey(place, "node_modules/x/config")}; mkdir .next; echo 'gitdir: ../node_modules/x' > .next/.git`,
    ],
  },
  {
    title: "a link called .git",
    lines: (place) => [
      `git init -q --bare elsewhere; ${obey(place, "elsewhere/config")}; mkdir -p .next/y; ln -s ../../elsewhere .next/y/.git`,
    ],
  },
  {
    title: "git's own way to keep the repository elsewhere",
    lines: (place) => [
      `mkdir -p .next node_modules; git init -q --separate-git-dir=node_modules/kept .next/y; ${obey(place, "node_modules/kept/config")}`,
    ],
  },
  {
    title: "a repository in a plain one without a working tree",
    lines: (place) => [
      `git init -q --bare lib; git init -q lib/deep; ${obey(place, "lib/deep/.git/config")}; git init -q two; git init -q two/.git/deep; ${obey(place, "two/.git/deep/.git/config")}`,
    ],
  },
  {
    title: "settings of an installed package's repository",
    prepare: ({ workspace, ...place }) => hostGit({ ...place, workspace }, ["init", "-q", "node_modules/x"]),
    lines: (place) => [obey(place, "node_modules/x/.git/config")],
  },
  {
    title: "an installed package's repository, made anew",
    prepare: (place) => hostGit(place, ["init", "-q", "node_modules/x"]),
    lines: (place) => [
      `rm -rf node_modules/x; git init -q node_modules/x; ${obey(place, "node_modules/x/.git/config")}`,
    ],
  },
  {
    title: "settings of an installed package's repository without a working tree",
    prepare: (place) => hostGit(place, ["init", "-q", "--bare", "node_modules/x"]),
    lines: (place) => [obey(place, "node_modules/x/config")],
  },
  {
    title: "a workspace without a repository, made one without a working tree",
    prepare: ({ workspace }) => rmSync(join(workspace, ".git"), { recursive: true }),
    lines: (place) => [
      `git init -q --bare /tmp/b; ${obey(place, "/tmp/b/config")}; cp -r /tmp/b/. .; echo kept > kept.txt`,
    ],
  },
  {
    title: "the settings first, and then the rest",
    lines: (place) => [
      `mkdir -p lib .next/y; ${obey(place, "lib/config")}; cp lib/config .next/y/`,
      "for d in lib .next/y; do git init -q --bare /tmp/b; rm -f /tmp/b/config; cp -r /tmp/b/. $d; done",
    ],
  },
  {
    title: "the rest first, and then its head",
    lines: (place) => [
      `git init -q --bare lib; rm lib/HEAD; ${obey(place, "lib/config")}`,
      "echo 'ref: refs/heads/main' > lib/HEAD",
    ],
  },
  {
    title: "a plain repository first, and then its settings",
    lines: (place) => [
      "git init -q .next/y; git init -q --bare node_modules/x",
      `${obey(place, ".next/y/.git/config")}; ${obey(place, "node_modules/x/config")}`,
    ],
  },
  {
    title: "a directory renamed to .git, and one moved in from elsewhere",
    prepare: (place) => hostGit(place, ["init", "-q", "--bare", "node_modules/x"]),
    lines: (place) => [
      `mkdir -p .next/y .next/z; mv node_modules/x .next/y/.git; ${obey(place, ".next/y/.git/config")}; git init -q /tmp/r; ${obey(place, "/tmp/r/.git/config")}; mv /tmp/r/.git .next/z/`,
    ],
  },
  {
    title: "another spelling, renamed by a second command",
    lines: (place) => [
      `git init -q .next/y; ${obey(place, ".next/y/.git/config")}; mv .next/y/.git .next/y/git`,
      "mv .next/y/git .next/y/.git",
    ],
  },
  {
    title: "a repository deeper than anybody looks",
    lines: (place) => [
      `git init -q /tmp/r; ${obey(place, "/tmp/r/.git/config")}; d=a; for i in $(seq 140); do d=$d/a; done; mkdir -p $d; cp -r /tmp/r/.git $d/`,
    ],
  },
];

/** As a person's prompt does in every directory; also where the command withdrew rights. */
function visitAll(place: Place): void {
  const env = {
    ...plainEnv(place.home),
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: "safe.directory",
    GIT_CONFIG_VALUE_0: "*",
  };
  for (const name of readdirSync(place.workspace, { recursive: true, withFileTypes: true })) {
    if (!name.isDirectory()) continue;
    const cwd = join(name.parentPath, name.name);
    if (/\/\.git\/(?:objects|refs|logs)\//u.test(cwd)) continue;
    try {
      execFileSync("git", ["status"], { cwd, env, stdio: "ignore" });
    } catch {
      // no repository, or one that git refuses
    }
  }
}

async function attack(place: Place, lines: readonly string[]): Promise<RunOutcome[]> {
  own(place.workspace, place.person);
  const requests = lines.map((line) => requestFor(place, "build", line, { overlay: true }));
  return runAs(tools, place.person, { requests, after: lines.map(() => "make" as const) });
}

const person = people[0] ?? { name: "ourselves", uid: 0 };

test.each(attacks)("$title runs nothing later, and the result says what was moved away", (one) =>
  inPlace(person, async (place) => {
    one.prepare?.(place);
    const outcomes = await attack(place, one.lines(place));
    visitAll(place);
    expect(existsSync(markIn(place))).toBe(false);
    const told = outcomes.flatMap(({ warnings }) => warnings).join("\n");
    expect(told).toMatch(/would make programs run outside the sandbox/u);
  }),
);

test("what editors and agents obey does not arrive in directories that tools fill either, new or changed", () =>
  inPlace(person, async (place) => {
    write(place.workspace, "node_modules/old/.vscode/tasks.json", "ours\n");
    const planted = [
      ".next/x/.vscode/tasks.json",
      "node_modules/p/.envrc",
      "node_modules/p/.claude/settings.json",
      ".venv/x/.newagent/hooks/run",
      ".turbo/.idea/w.xml",
    ];
    const lines = planted.map((path) => `mkdir -p $(dirname ${path}); echo theirs > ${path}`);
    const [outcome] = await attack(place, [
      `${lines.join("; ")}; echo theirs > node_modules/old/.vscode/tasks.json; echo x > node_modules/p/index.js`,
    ]);
    expect(planted.filter((path) => existsSync(join(place.workspace, path)))).toEqual([]);
    expect(readFileSync(join(place.workspace, "node_modules/old/.vscode/tasks.json"), "utf8")).toBe("ours\n");
    expect(existsSync(join(place.workspace, "node_modules/p/index.js"))).toBe(true);
    expect(outcome?.warnings).toHaveLength(planted.length + 1);
  }));

test.each(people)("as $name: what installers make stays: plain repositories, and later work in them", (one) =>
  inPlace(one, async (place) => {
    const lines = [
      "git clone -q . .venv/src/x; mkdir -p node_modules/.bin node_modules/p; echo engine-strict=true > node_modules/p/.npmrc; echo x > node_modules/.bin/agents; echo '{}' > node_modules/p/package.json",
      "cd .venv/src/x; echo y > y; git add y; git -c user.name=a -c user.email=a@example.com commit -qm y",
    ];
    own(place.workspace, place.person);
    const requests = lines.map((line) => requestFor(place, "build", line, { overlay: true }));
    const outcomes = await runAs(tools, place.person, { requests, after: ["make", "make"] });
    expect(outcomes.map(({ exit, warnings }) => ({ exit, warnings }))).toEqual([
      { exit: 0, warnings: [] },
      { exit: 0, warnings: [] },
    ]);
    for (const path of ["p/.npmrc", ".bin/agents", "p/package.json"])
      expect([path, existsSync(join(place.workspace, "node_modules", path))]).toEqual([path, true]);
    const log = await runAs(tools, place.person, {
      requests: [requestFor(place, "read", "git -C .venv/src/x log --oneline | wc -l")],
    });
    expect(log[0]?.output).toBe("2\n");
  }),
);

test("settings with a second name, by which they could be changed later, are no plain ones", () =>
  inPlace(person, async (place) => {
    const [outcome] = await attack(place, [
      "git init -q .next/y; ln .next/y/.git/config .next/name; echo engine-strict=true > .npmrc; ln .npmrc other",
    ]);
    expect(outcome?.warnings.map((line) => line.split(" ")[0]).sort()).toEqual([".next/y/.git", ".npmrc"]);
  }));

const unoverlaid = [
  "a repository in .next/y",
  "a repository in node_modules/@a/b",
  "a repository without a working tree in a skipped directory",
  "a skipped directory that is itself a repository",
  "a repository among two thousand installed files",
  "a file called .git that leads to settings",
  "a repository in a plain one without a working tree",
  "settings of an installed package's repository",
  "settings of an installed package's repository without a working tree",
  "the settings first, and then the rest",
  "a plain repository first, and then its settings",
];

test.each(
  attacks
    .filter(({ title }) => unoverlaid.includes(title))
    .flatMap((one) => [false, true].map((landlock) => ({ ...one, landlock }))),
)("without a layer, with Landlock $landlock, $title runs nothing later", ({ prepare, lines, landlock }) =>
  inPlace(person, async (place) => {
    prepare?.(place);
    // With Landlock nothing new can be made beside .git.
    for (const path of [".next", "node_modules", "lib", "two"])
      mkdirSync(join(place.workspace, path), { recursive: true });
    own(place.workspace, place.person);
    const requests = lines(place).map((line) =>
      requestFor(place, "build", line.replaceAll("/tmp/", "node_modules/tmp-")),
    );
    const outcomes = await runAs(tools, place.person, { requests, landlock });
    visitAll(place);
    expect(existsSync(markIn(place))).toBe(false);
    const told = outcomes.flatMap(({ warnings }) => warnings).join("\n");
    expect(told).toMatch(/would make programs run outside the sandbox/u);
  }),
);

test.each([false, true])("without a layer, with Landlock %j, what installers make stays", (landlock) =>
  inPlace(person, async (place) => {
    write(place.workspace, "node_modules/old/.vscode/settings.json", "{}");
    hostGit(place, ["init", "-q", ".venv/src/old"]);
    write(place.workspace, ".venv/src/old/.git/hooks/pre-commit", "ours");
    own(place.workspace, place.person);
    const line =
      "git clone -q . .venv/src/x; touch .venv/src/old/.git/index.lock; rm .venv/src/old/.git/index.lock; mkdir -p node_modules/.bin; echo x > node_modules/.bin/agents";
    const outcomes = await runAs(tools, place.person, {
      requests: [requestFor(place, "build", line)],
      landlock,
    });
    expect(outcomes).toMatchObject([{ exit: 0, warnings: [] }]);
    for (const path of [
      ".venv/src/x/.git/HEAD",
      ".venv/src/old/.git/hooks/pre-commit",
      "node_modules/old/.vscode",
    ])
      expect([path, existsSync(join(place.workspace, path))]).toEqual([path, true]);
  }),
);
