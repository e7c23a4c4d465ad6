import { expect, test } from "vitest";
import { languageSession, oneCall, writeCall } from "../../testing/language-session.ts";
import { testRow } from "../../testing/languages.ts";
import { languageServerBounds } from "./bounds.ts";

const projects = ["a", "b", "c", "d", "e", "f"];
const most = languageServerBounds.together.most;
const monorepo = {
  ...Object.fromEntries(projects.map((name) => [`${name}/bad.json`, "{}"])),
  ...Object.fromEntries(projects.map((name) => [`${name}/x.bad`, `old BAD in ${name}\n`])),
};
const nearest = { rows: [{ ...testRow("good"), root: "nearest" as const }], files: monorepo };
const patient = { waits: { usual: 60_000, short: 60_000 } };

test("a workspace with more projects than concurrent servers is checked completely", async () => {
  const { results } = await languageSession([oneCall("get_diagnostics", {})], nearest);
  expect(results[0]).toContain("6 errors and 0 warnings in the workspace (test):");
  for (const name of projects) expect(results[0]).toContain(`${name}/x.bad:1:5 error: old BAD in ${name}`);
});

test("an evicted server is restarted without reporting known problems as new", async () => {
  const { results } = await languageSession(
    [...projects, "a"].map((name, at) => writeCall(`${name}/x.bad`, `old BAD in ${name}\nBAD ${at}\n`)),
    { ...nearest, ...patient },
  );
  for (const [at, words] of results.entries())
    expect(words).toContain(
      `[test: 1 new error since this change:\n${[...projects, "a"][at]}/x.bad:2:1 error`,
    );
});

test("for a command that changes more projects than concurrent servers, the unchecked ones are reported", async () => {
  const { results } = await languageSession(
    [oneCall("run_command", { command: "for p in a b c d e f; do echo BAD > $p/x.bad; done" })],
    { ...nearest, ...patient },
  );
  expect(results[0]?.match(/\[test: 1 new error since this change:/g)).toHaveLength(most);
  expect(results[0]).toContain(
    `[Files of more than ${most} projects were changed at once: those of ${projects.length - most} more were not checked.]`,
  );
});
