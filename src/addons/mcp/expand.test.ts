/** Variables in the configuration. */

import { expect, test } from "vitest";
import { expandSettings } from "./expand.ts";

const variables = { environment: { TOKEN: "t", EMPTY: "" }, workspace: "/repo", home: "/home/me" };
const inArgs = (...args: string[]) => expandSettings({ command: "x", args }, variables);

test("variables are expanded, with defaults for unset or empty ones", () => {
  expect(
    inArgs(
      "${TOKEN}",
      "${env:TOKEN}",
      "${NONE:-else}",
      "${EMPTY:-else}",
      "${workspaceFolder}/a",
      "${userHome}",
    ),
  ).toEqual({
    ok: true,
    value: { command: "x", args: ["t", "t", "else", "else", "/repo/a", "/home/me"] },
  });
});

test("unbraced variables are expanded as a whole env value or at the end of a header; {env:NAME} in arguments, too", () => {
  const found = expandSettings(
    {
      command: "x",
      args: ["$TOKEN", "{env:TOKEN}"],
      env: { A: "$TOKEN", B: "a$TOKEN", C: "$TOKEN costs $5" },
      headers: { D: "Bearer $TOKEN", E: "{env:TOKEN}" },
      cwd: "/x/${workspaceFolderBasename}",
    },
    variables,
  );
  expect(found).toEqual({
    ok: true,
    value: {
      command: "x",
      args: ["$TOKEN", "t"],
      env: { A: "t", B: "a$TOKEN", C: "$TOKEN costs $5" },
      headers: { D: "Bearer t", E: "t" },
      cwd: "/x/repo",
    },
  });
});

test("malformed variables stay as written, and inserted values are not expanded again", () => {
  const again = expandSettings(
    { command: "x", args: ["$TOKEN", "${}", "${a b}", "${A}"] },
    { ...variables, environment: { A: "${TOKEN}" } },
  );
  expect(again).toEqual({ ok: true, value: { command: "x", args: ["$TOKEN", "${}", "${a b}", "${TOKEN}"] } });
});

const problemOf = (...given: Parameters<typeof expandSettings>) => {
  const found = expandSettings(...given);
  return found.ok ? "" : found.problem;
};

test("all unset variables are named, wherever they occur", () => {
  const settings = { url: "https://${HOST}/", headers: { A: "${KEY}" } };
  expect(problemOf(settings, variables)).toContain("the variables HOST, KEY are not set");
});

test("an editor's input placeholder is reported as such, not as an unset variable", () => {
  const settings = { command: "x", env: { B: "${input:key}", C: "${KEY}" } };
  expect(problemOf(settings, variables)).toBe(
    "its editor asks for ${input:key}, which nobody does here: put the value there, or a variable (${NAME})",
  );
});
