/** Names of hooks whose settings give none: recognizable, without any part of a command that may be secret. */

import fc from "fast-check";
import { expect, test } from "vitest";
import type { HookRuns } from "./hook.ts";
import { shortName } from "./names.ts";
import { hooksOf } from "./own-form.ts";

const nameOf = (runs: HookRuns): string => shortName(runs, { event: "prompt", at: 1 });
const line = (text: string): HookRuns => ({ type: "line", line: text });

test.each<[HookRuns, string]>([
  [line("./tools/check.sh --all"), "check.sh"],
  [line('"$CLAUDE_PROJECT_DIR"/.claude/hooks/check.sh'), "check.sh"],
  [line("bash -e tools/check.sh x"), "check.sh"],
  [line("node"), "node"],
  [line("python3 -m black ."), "python3"],
  [line("npx prettier --write ."), "prettier"],
  [line("CI=1 NAME='a b' npm test"), "npm"],
  [line("check.sh; rm x"), "check.sh"],
  [line("grep -q x\nexit 2"), "grep"],
  [{ type: "program", command: ["/usr/bin/jq", "-e", "."] }, "jq"],
  [
    { type: "address", url: "https://user:pass@policy.example.com:8443/T0/B1?k=v", headers: {} },
    "policy.example.com:8443",
  ],
  [line('TOKEN="$(pass show x)" curl x'), "hook 2"],
  [line("TOKEN=a\\ b curl x"), "hook 2"],
  [line('TOKEN="un closed'), "hook 2"],
  [line('TOKEN="a/b"x'), "hook 2"],
  [line("{ cat; }"), "hook 2"],
  [{ type: "program", command: [""] }, "hook 2"],
])("a hook is named after its program, script or host, else by its number: %j is %s", (runs, name) => {
  expect(nameOf(runs)).toBe(`${name} at prompt`);
});

test("hooks of the same name are numbered, and a given name is kept", () => {
  const hooks = hooksOf([
    { on: "prompt", command: "npm run a" },
    { on: "prompt", command: "npm run b" },
    { on: "prompt", command: "npm run c", name: "mine" },
  ]);
  expect(hooks.map(({ name }) => name)).toEqual(["npm at prompt", "npm at prompt (2)", "mine"]);
});

test("no secret in a command, URL or header appears in the hook's name", () => {
  const secret = fc.stringMatching(/^[A-Za-z0-9/]{24,30}$/u).map((text) => `sk-${text}`);
  const places: ((text: string) => HookRuns)[] = [
    (text) => line(`curl -H "authorization: Bearer ${text}" https://example.com`),
    (text) => line(`TOKEN=${text} ./check.sh`),
    (text) => line(`TOKEN="${text}"x ./check.sh`),
    (text) => line(`TOKEN="${text} ./check.sh`),
    (text) => line(`TOKEN=a\\ ${text} ./check.sh`),
    (text) => line(`TOKEN='a b' K="$(echo ${text})" ./check.sh`),
    (text) => line(`bash check.sh ${text}`),
    (text) => line(`node ${text}`),
    (text) => ({ type: "program", command: ["check", `--token=${text}`, text] }),
    (text) => ({ type: "program", command: ["env", `TOKEN=${text}`, "check"] }),
    (text) => ({
      type: "address",
      url: `https://me:${text}@example.com/${text}?k=${text}`,
      headers: { a: text },
    }),
  ];
  fc.assert(
    fc.property(secret, fc.constantFrom(...places), (text, place) => {
      const name = nameOf(place(text));
      for (const piece of text.split("/").filter(({ length }) => length > 5))
        expect(name).not.toContain(piece);
    }),
  );
});
