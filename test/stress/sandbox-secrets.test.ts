/** Issue 18, D5, G1 and G5, in real sandboxes: what executes is protected, and what is secret is hidden, by rule. */

import { linkSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { executingPlaces } from "../../src/safety/executing-places.ts";
import {
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

let tools: Tools;
beforeAll(async () => {
  tools = await makeTools();
});
afterAll(() => removeTools(tools));

const protectedNames = executingPlaces
  .filter(({ kept }) => kept === "protected")
  .flatMap(({ names }) => names.map((name) => name.replaceAll("*", "x")))
  .filter((name) => !/^(?:\.direnv|\.hg\/|\.sl\/|\.jj\/|\.bzr\/)/u.test(name));
const planted = [...protectedNames, ".hg/hgrc", ".jj/repo/config.toml", ".newagent/hooks/x.sh"];
const each = people.flatMap((person) => [false, true].map((overlay) => ({ ...person, person, overlay })));

test.each(each)(
  "as $name, with layer $layer: nothing that one script plants where it would run by itself stays",
  ({ person, overlay }) =>
    inPlace(person, async (place) => {
      const lines = planted.map(
        (path) => `mkdir -p "$(dirname 'new/${path}')"; echo 'run=x' > 'new/${path}'`,
      );
      write(place.workspace, "w.sh", lines.join("\n"));
      own(place.workspace, person);
      const request = requestFor(place, "build", "sh w.sh", { overlay });
      const outcome = await runOne(tools, place, request, overlay ? { after: ["make"] } : {});
      expect(planted.filter((path) => isThere(join(place.workspace, "new", path)))).toEqual([]);
      const told = outcome.warnings.join("\n");
      expect(told).toMatch(/^new\/\S+ was made by the command and would make programs run/mu);
      if (!overlay)
        expect(told).toContain(`${planted.length - 20} more like these were moved to the same place`);
    }),
  120_000,
);

test.each(each)(
  "as $name, with layer $layer: settings that were there stay as they are",
  ({ person, overlay }) =>
    inPlace(person, async (place) => {
      const there = [
        ".hg/hgrc",
        ".jj/repo/config.toml",
        ".gdbinit",
        ".npmrc",
        ".cargo/config.toml",
        ".odd/skills/x",
      ];
      for (const path of there) write(place.workspace, path, "ours\n");
      own(place.workspace, person);
      const line = there
        .map((path) => `echo theirs > ${path}; mv ${path} ${path}2; rm -f ${path}`)
        .join("; ");
      await runOne(
        tools,
        place,
        requestFor(place, "build", line, { overlay }),
        overlay ? { after: ["make"] } : {},
      );
      expect(there.map((path) => readFileSync(join(place.workspace, path), "utf8"))).toEqual(
        there.map(() => "ours\n"),
      );
    }),
);

test.each(people)(
  "as $name: new settings with plain keys, and repositories of all systems, may stay",
  (person) =>
    inPlace(person, async (place) => {
      const line =
        "echo engine-strict=true > .npmrc; mkdir -p h/.hg/store j/.jj/repo/store .cargo; echo x > h/.hg/requires; " +
        "printf '[paths]\\ndefault = /x\\n' > h/.hg/hgrc; echo git > j/.jj/repo/store/type; git init -q g";
      const outcome = await runOne(tools, place, requestFor(place, "build", line, { overlay: true }), {
        after: ["make"],
      });
      expect(outcome).toMatchObject({ exit: 0, warnings: [] });
      for (const path of [".npmrc", "h/.hg/hgrc", "h/.hg/requires", "j/.jj/repo/store/type", "g/.git/HEAD"])
        expect([path, isThere(join(place.workspace, path))]).toEqual([path, true]);
    }),
);

test.each(people)("as $name: secrets by rule are hidden or redacted, in every profile", (person) =>
  inPlace(person, async (place) => {
    const { home, workspace } = place;
    const texts: Record<string, string> = {
      ".pi/agent/auth.json": "CANARY",
      ".newagent/credentials.json": "CANARY",
      ".config/some/token": "CANARY",
      ".config/some/settings.toml": 'token = "CANARY-9"\nplain = 1\n',
      ".supabase/access-token": "CANARY",
      "code/other/.env": "CANARY",
      ".ssh/key": "CANARY",
      ".curlrc": 'user = "ann:CANARY"\nconnect-timeout = 10\n',
      ".cargo/env": "NEEDED",
      ".nvm/alias/default": "NEEDED",
    };
    for (const [path, text] of Object.entries(texts)) write(home, path, text);
    write(workspace, ".env", "CANARY");
    linkSync(join(workspace, ".env"), join(workspace, "plain.txt"));
    linkSync(join(home, ".ssh/key"), join(workspace, "other.txt"));
    own(home, person);
    const paths = [...Object.keys(texts).map((path) => join(home, path)), "plain.txt", "other.txt", ".env"];
    for (const profile of ["read", "build", "git", "open"] as const) {
      const outcome = await runOne(tools, place, requestFor(place, profile, `cat ${paths.join(" ")} 2>&1`));
      expect([profile, outcome.output.includes("CANARY")]).toEqual([profile, false]);
      expect(outcome.output.match(/NEEDED/gu)).toHaveLength(2);
      expect(outcome.output).toContain("connect-timeout = 10");
    }
    const named = join(home, ".config/some/token");
    const approved = await runOne(
      tools,
      place,
      requestFor(place, "open", `cat ${named}`, { named: [named] }),
    );
    expect(approved.output).toBe("CANARY");
  }),
);

const inFilled = [
  ".next/standalone/.env",
  ".next/.env.production",
  "node_modules/x/.env.local",
  ".venv/deep/prod.env",
  ".turbo/.env.d/one",
];

test.each(people)(
  "as $name: secrets in directories that tools fill are hidden as well, and go with their directory",
  (person) =>
    inPlace(person, async (place) => {
      for (const path of inFilled) write(place.workspace, path, "CANARY");
      write(place.workspace, ".next/plain.js", "PLAIN");
      own(place.workspace, person);
      const line = `cat ${inFilled.join(" ")} .next/plain.js 2>&1; for f in ${inFilled.join(" ")}; do cp $f copy; cat copy; chmod 777 $f; cat $f; done; stat -c '%a %U' .next .next/standalone`;
      for (const profile of ["read", "build", "git", "install", "open"] as const)
        for (const overlay of [false, true]) {
          const outcome = await runOne(tools, place, requestFor(place, profile, line, { overlay }));
          expect([profile, overlay, outcome.output.includes("CANARY")]).toEqual([profile, overlay, false]);
          expect(outcome.output).toContain("PLAIN");
          expect(outcome.output).toMatch(/^755 (?!root$)\w+\n755 \w+\n$|^755 root\n755 root\n$/mu);
        }
      const untouched = await runOne(
        tools,
        place,
        requestFor(place, "build", "chmod -R u+rw .next .turbo; touch .next/standalone/.env", {
          overlay: true,
        }),
        { after: ["make"] },
      );
      expect(untouched).toMatchObject({ exit: 0, warnings: [] });
      for (const path of inFilled)
        expect([path, readFileSync(join(place.workspace, path), "utf8")]).toEqual([path, "CANARY"]);
      const named = join(place.workspace, ".next/standalone/.env");
      const shown = await runOne(
        tools,
        place,
        requestFor(place, "build", `cat ${named}`, { overlay: true, named: [named] }),
      );
      expect(shown.output).toBe("CANARY");
      const removed = await runOne(
        tools,
        place,
        requestFor(place, "build", "rm -r .next node_modules && mkdir .next && echo new > .next/.env", {
          overlay: true,
        }),
        { after: ["make"] },
      );
      expect(removed).toMatchObject({ exit: 0, warnings: [] });
      expect(isThere(join(place.workspace, "node_modules"))).toBe(false);
      expect(isThere(join(place.workspace, ".next/standalone"))).toBe(false);
      expect(readFileSync(join(place.workspace, ".next/.env"), "utf8")).toBe("new\n");
      expect(removed.changes.find(({ path }) => path === ".next/standalone/.env")?.before?.text).toBe(
        "CANARY",
      );
    }),
  120_000,
);
