import { expect, test } from "vitest";
import type { Judgement } from "./judgement.ts";
import { deniedOutright, wordsOfRules, type Rule, type RuleLevel } from "./rules.ts";
import { around, commandOf, judgement, level, part, touchedPaths } from "./testing/judgements.ts";

const changing = (...paths: string[]) => ({ tool: "write_file", paths, ...around });
const saying = (levels: readonly RuleLevel[], subject: Parameters<typeof wordsOfRules>[1]) =>
  wordsOfRules(levels, subject).map(({ verdict }) => verdict);
const onPaths = (rules: Rule[], ...paths: string[]) => saying([level("user", ...rules)], changing(...paths));

/** The verdict of command rules on parts; the line is the parts, joined by `;`. */
function said(
  rules: readonly Rule[],
  words: readonly string[],
  over: Partial<Judgement> = {},
  line?: string,
) {
  const subject = commandOf(
    judgement(
      words.map((each) => part(each)),
      over,
    ),
    line,
  );
  return saying([level("user", ...rules)], { ...subject, ...around })[0];
}
const rule = (decision: Rule["decision"], command: string): Rule => ({
  tool: "run",
  command,
  decision,
});

test("C3: the first matching rule of a layer wins, and each layer gives its own verdict", () => {
  const rules = [
    level("user", { tool: "write_file", path: "src/**", decision: "allow" }, { tool: "*", decision: "deny" }),
    level("workspace", { tool: "*", path: "src/a.ts", decision: "ask" }),
  ];
  expect(saying(rules, changing("src/a.ts"))).toEqual(["allow", "ask"]);
  expect(saying(rules, changing("src/b.ts"))).toEqual(["allow"]);
  expect(saying(rules, changing("docs/a.md"))).toEqual(["deny"]);
});

test("C3: an allow must cover every path in its exact case, a deny any path in any case", () => {
  expect(onPaths([{ tool: "*", path: "src/**", decision: "allow" }], "src/a.ts", "secret/key")).toEqual([]);
  expect(onPaths([{ tool: "*", path: "secret/**", decision: "deny" }], "src/a.ts", "SECRET/key")).toEqual([
    "deny",
  ]);
  expect(onPaths([{ tool: "*", path: "src/**", decision: "allow" }], "SRC/a.ts")).toEqual([]);
});

test("a tool denied outright is recognised without its arguments", () => {
  const rules = [
    level("user", { tool: "run", command: "x", decision: "deny" }, { tool: "*", decision: "deny" }),
  ];
  expect(deniedOutright(rules, "write_file")).toBe('the rule "deny *" of the user configuration denies it');
  expect(deniedOutright(rules, "run")).toBeUndefined();
});

test("C3: an allow must cover every part of a command, whichever rule covers it", () => {
  const rules = [rule("allow", "npm test *"), rule("allow", "npm ci")];
  expect(said(rules, ["npm test", "npm ci"])).toBe("allow");
  expect(said(rules, ["npm test -- --run"])).toBe("allow");
  expect(said(rules, ["npm test", "npm publish"])).toBeUndefined();
  expect(said(rules, ["npm tester"])).toBeUndefined();
  expect(said(rules, [])).toBeUndefined();
});

test("C3: an allow's star never spans parts, and no allow covers text known only at run time", () => {
  expect(said([rule("allow", "npm test*")], ["npm test", "rm -rf ."])).toBeUndefined();
  expect(said([rule("allow", "*")], ["npm test …"])).toBeUndefined();
  expect(said([{ tool: "*", decision: "allow" }], ["npm test", "…"])).toBeUndefined();
  expect(said([{ tool: "*", decision: "allow" }], ["npm test"])).toBe("allow");
});

test("C3: an allow covers variables before a command only if its pattern does", () => {
  const prefixed = part("A=1 npm test", { argv: ["npm", "test"] });
  const say = (pattern: string) =>
    saying([level("user", rule("allow", pattern))], { ...commandOf(judgement([prefixed])), ...around })[0];
  expect([say("npm test *"), say("A=* npm test")]).toEqual([undefined, "allow"]);
  const long = part("", { words: "npm test aaa…", argv: ["npm", "test", "aaaaaaaa"] });
  expect(
    saying([level("user", rule("allow", "npm test *"))], { ...commandOf(judgement([long])), ...around }),
  ).toEqual(["allow"]);
});

test("C3: a deny or ask applies if any part or the whole line matches", () => {
  const deny = [rule("deny", "rm *"), rule("allow", "*")];
  expect(said(deny, ["ls", "rm -rf x"])).toBe("deny");
  expect(said(deny, ["ls", "/usr/bin/rm x"])).toBe("deny");
  expect(said(deny, ["ls", "rm …"])).toBe("deny");
  expect(said([rule("ask", "git push*")], ["sh -c x", "git push"])).toBe("ask");
  expect(said([rule("deny", "*rm -rf*")], ["ls"], {}, "ls;\nrm -rf .")).toBe("deny");
  expect(said([rule("ask", "a"), rule("deny", "b")], ["a", "b"])).toBe("deny");
});

test("C3: each part is decided by its first matching rule, even before a later deny", () => {
  const rules = [rule("allow", "git commit *"), rule("deny", "git *")];
  expect(said(rules, ["git commit -m a; b"], {}, 'git commit -m "a; b"')).toBe("allow");
  expect(said(rules, ["git commit", "git push"])).toBe("deny");
  expect(said([rule("deny", "git *"), rule("allow", "git commit *")], ["git commit"])).toBe("deny");
});

test("an allow covers risks up to high, or up to its own upTo", () => {
  const risky = (risk: "medium" | "high" | "critical", more: Partial<Rule> = {}) => {
    const judged = judgement([part("npm x", { finding: [risk, "y"] })]);
    return saying([level("user", { ...rule("allow", "npm *"), ...more })], {
      ...commandOf(judged),
      ...around,
    })[0];
  };
  expect([risky("medium"), risky("high"), risky("critical")]).toEqual(["allow", "allow", undefined]);
  expect([risky("medium", { upTo: "medium" }), risky("high", { upTo: "medium" })]).toEqual([
    "allow",
    undefined,
  ]);
});

test("a rule with a path applies to commands that touch it", () => {
  const secret: Rule = { tool: "*", path: "secrets/**", decision: "deny" };
  const denied = [secret];
  for (const path of ["secrets/key", "SECRETS/key", "secrets", "sec*/key", "…/key", "a/../secrets/key"])
    expect([path, said(denied, ["cat it"], { touched: touchedPaths("read", path) })]).toEqual([path, "deny"]);
  expect(said(denied, ["rm -r ."], { touched: touchedPaths("delete", ".") })).toBe("deny");
  expect(said(denied, ["cat a"], { touched: touchedPaths("read", "src/a") })).toBeUndefined();
  expect(
    said([{ ...secret, tool: "read_file" }], ["cat it"], { touched: touchedPaths("read", "secrets/key") }),
  ).toBe(undefined);
});

test("an allow with a path applies to a command only if the rule has a command pattern as well", () => {
  const allowed: Rule = { tool: "*", path: "src/**", decision: "allow" };
  const over = { touched: touchedPaths("write", "src/a.ts") };
  expect(said([allowed], ["node src/a.ts"], over)).toBeUndefined();
  expect(said([{ ...allowed, command: "sed *" }], ["sed -i x src/a.ts"], over)).toBe("allow");
  expect(said([{ ...allowed, command: "sed *" }], ["sed x"])).toBeUndefined();
  expect(
    said([{ ...allowed, command: "*" }], ["sed x"], { touched: touchedPaths("write", "src/a", "b") }),
  ).toBeUndefined();
});

test("in a command pattern only the star is special", () => {
  expect(said([rule("allow", "a.c (x)+ [y]")], ["abc (x)+ [y]"])).toBeUndefined();
  expect(said([rule("allow", "a.c (x)+ [y]")], ["a.c (x)+ [y]"])).toBe("allow");
  expect(said([rule("deny", `${"*a".repeat(30)}*b`)], ["a".repeat(5_000)])).toBeUndefined();
});

test.each(["secrets", "secrets/", "./secrets", "secrets/**", "/home/dev/proj/secrets", "~/proj/secrets/"])(
  "C3: a denied directory is denied with everything below it: %j",
  (path) => {
    const refusal: Rule[] = [{ tool: "*", path, decision: "deny" }];
    expect(onPaths(refusal, "secrets/a/key")).toEqual(["deny"]);
    expect(onPaths(refusal, "secrets.md", "other/secrets")).toEqual([]);
    const reading = (file: string) => said(refusal, ["cat"], { touched: touchedPaths("read", file) });
    expect([reading("secrets/a/key"), reading("secrets.md")]).toEqual(["deny", undefined]);
  },
);

test("a denied file is denied, and a denied pattern matches no deeper than written", () => {
  expect(onPaths([{ tool: "*", path: "package.json", decision: "deny" }], "package.json")).toEqual(["deny"]);
  expect(onPaths([{ tool: "*", path: "docs/*", decision: "deny" }], "docs/a/b")).toEqual([]);
});

test("an allowed directory includes its files only if written with a trailing slash", () => {
  expect(onPaths([{ tool: "*", path: "docs", decision: "allow" }], "docs/a")).toEqual([]);
  expect(onPaths([{ tool: "*", path: "./docs/", decision: "allow" }], "docs/a")).toEqual(["allow"]);
});

test("C3: a rule for a path in the home directory applies to commands that touch it", () => {
  const refusal: Rule[] = [{ tool: "*", path: "~/notes/**", decision: "deny" }];
  expect(said(refusal, ["cat"], { touched: touchedPaths("read", "/home/dev/notes/a") })).toBe("deny");
  expect(said(refusal, ["cat"], { touched: touchedPaths("read", "/home/eve/notes/a") })).toBeUndefined();
});

test("extra spaces in a command rule do not disable it", () => {
  expect(said([rule("deny", " git  push* ")], ["git push origin"])).toBe("deny");
});
