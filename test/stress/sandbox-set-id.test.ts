/** No contained command leaves a file that runs with the rights of its owner or group. */

import { execFileSync } from "node:child_process";
import { chmodSync, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Profile } from "../../src/protocol/fact-words.ts";
import type { ContainRequest } from "../../src/safety/sandbox/sandbox.ts";
import {
  inPlace,
  makeTools,
  people,
  removeTools,
  requestFor,
  runOne,
  type Tools,
  write,
} from "../support/sandbox-place.ts";

let tools: Tools;
beforeAll(async () => {
  tools = await makeTools();
});
afterAll(() => removeTools(tools));

/** Every way that we know: shell tools, system calls, archives, and copies that keep modes. */
const attempts = [
  "cp /bin/true a; chmod 4755 a; cp /bin/true b; chmod g+s b; install -m 6755 /bin/true c",
  `perl -e 'umask 0; sysopen(F, "d", 65, 04755); sysopen(G, "e", 577, 06755); syscall(133, "f", 0104755, 0); syscall(85, "g", 04755); mkdir "h", 06755'`,
  "mkdir -p node_modules/x deep/er; cp -p a node_modules/x/y; cp -a b deep/er/z; ln a linked; mv b moved",
  "tar -cf t.tar a moved c 2>/dev/null; mkdir out; tar -xpf t.tar -C out; mkdir .git/x; cp a .git/x/a; chmod 6755 .git/x/a; true",
].join("\n");

function setIdFiles(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: "utf8" }).filter((name) => {
    const stats = lstatSync(join(directory, name));
    return stats.isFile() && (stats.mode & 0o6000) !== 0;
  });
}

type Way = { profile: Profile } & Pick<ContainRequest, "overlay" | "terminal">;
const ways: readonly Way[] = (["build", "git", "install"] as const).flatMap((profile) => [
  { profile },
  { profile, overlay: true },
  { profile, overlay: "whole" as const },
  { profile, terminal: true as const },
]);

test.each(people.flatMap((person) => ways.map((way) => ({ person, way, words: JSON.stringify(way) }))))(
  "as $person.name, $words: no file has set-id bits afterwards",
  ({ person, way: { profile, ...more } }) =>
    inPlace(person, async (place) => {
      const outcome = await runOne(tools, place, requestFor(place, profile, attempts, more), {
        after: ["make"],
      });
      expect(setIdFiles(place.workspace)).toEqual([]);
      expect(readdirSync(place.workspace)).toContain("a");
      if (more.overlay && profile !== "git")
        expect(outcome.warnings).toContain(
          "a has lost its set-id bits: it would have run with the rights of its owner for every user.",
        );
    }),
);

test.each(people)("as $name: no file gets capabilities", (person) =>
  inPlace(person, async (place) => {
    const capability = "0x0100000200040000000000000000000000000000";
    const line = `cp /bin/true a; python3 -c 'import os; os.setxattr("a", "security.capability", bytes.fromhex("${capability.slice(2)}"))' && echo ESCAPED; setcap cap_setuid+ep a 2>/dev/null && echo ESCAPED; echo TRIED`;
    for (const more of [{}, { overlay: true }]) {
      const outcome = await runOne(tools, place, requestFor(place, "build", line, more), { after: ["make"] });
      expect(outcome.output).toMatch(/TRIED\n$/);
      expect(outcome.output).not.toContain("ESCAPED");
    }
  }),
);

test.each(people)(
  "as $name: unpacking and installing set-id files works over a layer, and undo restores",
  (person) =>
    inPlace(person, async (place) => {
      write(place.workspace, "old", "x\n");
      chmodSync(join(place.workspace, "old"), 0o4755);
      const line =
        "install -m 4755 /bin/true tool && mkdir -m 2775 shared && chmod o-r old && stat -c %a tool shared old";
      const outcome = await runOne(tools, place, requestFor(place, "build", line, { overlay: true }), {
        after: ["undo"],
      });
      if (person.uid === process.getuid?.())
        expect(outcome).toMatchObject({ exit: 0, output: "4755\n2775\n4751\n" });
      expect(outcome.changes.find(({ path }) => path === "tool")?.after?.mode).toBe(0o755);
      expect(setIdFiles(place.workspace)).toEqual(["old"]);
      execFileSync("test", ["!", "-e", join(place.workspace, "tool")]);
    }),
);

test("an approved command in the open sets them as its user may", () =>
  inPlace(people[0] ?? { name: "ourselves", uid: 0 }, async (place) => {
    const line = "cp /bin/true a; chmod 4755 a; stat -c %a a";
    for (const more of [{}, { overlay: true }]) {
      const outcome = await runOne(tools, place, requestFor(place, "open", line, more), { after: ["make"] });
      expect(outcome).toMatchObject({ exit: 0, output: "4755\n" });
      expect(setIdFiles(place.workspace)).toEqual(["a"]);
    }
  }));
