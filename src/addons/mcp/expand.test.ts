/** Variables in the configuration. */

import { expect, test } from "vitest";
import { expanded } from "./expand.ts";

const variables = { environment: { TOKEN: "t", EMPTY: "" }, workspace: "/repo", home: "/home/me" };
const inArgs = (...args: string[]) => expanded({ command: "x", args }, variables);

test("variables are put in, with what stands for a missing one", () => {
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

test("variables without braces are put in where a value is one or ends with one, and those of opencode", () => {
  const found = expanded(
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

test("what is no variable stays as it is, and nothing that was put in is read again", () => {
  const again = expanded(
    { command: "x", args: ["$TOKEN", "${}", "${a b}", "${A}"] },
    { ...variables, environment: { A: "${TOKEN}" } },
  );
  expect(again).toEqual({ ok: true, value: { command: "x", args: ["$TOKEN", "${}", "${a b}", "${TOKEN}"] } });
});

const problemOf = (...given: Parameters<typeof expanded>) => {
  const found = expanded(...given);
  return found.ok ? "" : found.problem;
};

test("missing ones are named, wherever they stand", () => {
  const settings = { url: "https://${HOST}/", headers: { A: "${KEY}" } };
  expect(problemOf(settings, variables)).toContain("the variables HOST, KEY are not set");
});

test("what an editor would ask for is said as that: there is no variable to set", () => {
  const settings = { command: "x", env: { B: "${input:key}", C: "${KEY}" } };
  expect(problemOf(settings, variables)).toBe(
    "its editor asks for ${input:key}, which nobody does here: put the value there, or a variable (${NAME})",
  );
});
