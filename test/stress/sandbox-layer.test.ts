/** Commands over an overlay leave the workspace unchanged, and applying their changes gives the same result. */

import { chmodSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Profile } from "../../src/protocol/fact-words.ts";
import {
  leftIn,
  gitOnHost,
  makePlace,
  makeTools,
  own,
  people,
  type Person,
  type Place,
  removePlace,
  removeTools,
  requestFor,
  runAs,
  type Tools,
  write,
} from "../support/sandbox-place.ts";
import { snapshotOf } from "../support/sandbox-snapshot.ts";

let tools: Tools;
beforeAll(async () => {
  tools = await makeTools();
});
afterAll(() => removeTools(tools));

function makeProject(person: Person, pages: number): Place {
  const place = makePlace(person);
  for (const path of ["src/main.ts", "src/lib/one.ts", "src/lib/two.ts", "docs/read me.md", "run.sh"])
    write(place.workspace, path, `the text of ${path}\n`);
  chmodSync(join(place.workspace, "run.sh"), 0o755);
  symlinkSync("src/main.ts", join(place.workspace, "way"));
  symlinkSync("nowhere", join(place.workspace, "dangling"));
  gitOnHost(place, "add", ".");
  gitOnHost(place, "commit", "--quiet", "--message=second");
  write(place.workspace, "src/main.ts", "changed by hand\n");
  for (let at = 0; at < pages; at += 1) write(place.workspace, `pages/${at % 9}/${at}.txt`, `page  ${at}\n`);
  own(place.workspace, person);
  return place;
}

type Work = { title: string; profiles: readonly Profile[]; line: string };

const writing: readonly Profile[] = ["build", "git", "install", "open"];

const works: readonly Work[] = [
  { title: "sed -i", profiles: writing, line: "sed -i 's/text/words/' src/lib/*.ts 'docs/read me.md'" },
  { title: "rm -rf of a tree", profiles: writing, line: "rm -rf src" },
  {
    title: "mv of files and directories",
    profiles: writing,
    line: "mv run.sh bin.sh; mv src/lib lib; mv docs src/",
  },
  { title: "chmod", profiles: writing, line: "chmod 600 run.sh; chmod -R go-rwx src; chmod 711 docs" },
  {
    title: "ln -s, over a file and a link",
    profiles: writing,
    line: "ln -s src s; ln -sf docs way; rm run.sh; ln -s x run.sh",
  },
  {
    title: "a formatter over 500 files",
    profiles: writing,
    line: "perl -pi -e 's/  / /' $(find pages -name '*.txt')",
  },
  { title: "git checkout of a file", profiles: ["git", "open"], line: "git checkout -q -- src/main.ts" },
  { title: "git stash", profiles: ["git"], line: "git stash -q" },
  {
    title: "git mv of a file",
    profiles: ["git"],
    line: "git mv run.sh src/go.sh; git rm -q 'docs/read me.md'",
  },
  {
    title: "a file that becomes a directory",
    profiles: ["build"],
    line: "rm run.sh; mkdir run.sh; echo x > run.sh/x",
  },
  {
    title: "a directory that becomes a file",
    profiles: ["build"],
    line: "rm -rf src; echo x > src; rm -r docs; ln -s src docs",
  },
  {
    title: "directories removed and made again",
    profiles: ["build"],
    line: "rm -rf src; mkdir -p src/lib/deep; echo 1 > src/lib/one.ts; echo n > src/lib/deep/n; rm -rf pages/3; mkdir pages/3",
  },
  { title: "hard links", profiles: ["build"], line: "ln run.sh hard; echo new > a; ln a src/b; ln a c" },
  { title: "a sparse file", profiles: ["build"], line: "truncate -s 8M sparse; truncate -s 100 src/main.ts" },
  {
    title: "names with newlines, quotes, backslashes and other letters",
    profiles: ["build"],
    line: `mkdir $'new\\nline'; echo 1 > $'new\\nline/a\\tb'; echo 2 > 'quo"te'; echo 3 > 'back\\slash'; echo 4 > 'ünï ☃'; echo 5 > ' '; rm 'docs/read me.md'`,
  },
  {
    title: "nothing",
    profiles: ["build"],
    line: "cat run.sh >/dev/null; touch a; rm a; echo x >> run.sh; sed -i '$d' run.sh",
  },
  {
    title: "directories that nobody may write or look into",
    profiles: ["build"],
    line: "mkdir -p shut/in; echo x > shut/in/x; chmod 500 shut/in; mkdir closed; echo y > closed/y; chmod 0 closed; chmod 0 src/lib/one.ts; chmod 500 docs",
  },
  {
    title: "a directory that loses and gets back its rights",
    profiles: ["build"],
    line: "chmod 500 src/lib; chmod 700 src/lib; rm -rf src/lib; cp -a docs d2; chmod 555 docs; ! rm -rf docs || true",
  },
];

const table = people.flatMap((person) =>
  works.flatMap(({ profiles, ...work }) =>
    profiles.map((profile) => ({ ...work, profile, person, who: person.name })),
  ),
);

test.each(table)("as $who, in $profile: $title", async ({ person, profile, line }) => {
  const after = ["leave", "leave", "make", "undo"] as const;
  const places = after.map(() => makeProject(person, line.includes("pages") ? 500 : 2));
  const [plain, left, made, undone] = places;
  if (!plain || !left || !made || !undone) throw new Error("no places");
  const before = snapshotOf(left.workspace);
  try {
    const requests = places.map((place) => requestFor(place, profile, line, { overlay: place !== plain }));
    const [without, ...over] = await runAs(tools, person, { requests, after });
    for (const outcome of over)
      expect(outcome).toMatchObject({ exit: without?.exit, output: without?.output, warnings: [] });
    expect(snapshotOf(made.workspace)).toEqual(snapshotOf(plain.workspace));
    if (over[0]?.uncovered.length === 0) {
      expect(snapshotOf(left.workspace)).toEqual(before);
      expect(snapshotOf(undone.workspace)).toEqual(before);
    }
    for (const place of places) expect(leftIn(place)).toEqual([]);
  } finally {
    for (const place of places) removePlace(place);
  }
});
