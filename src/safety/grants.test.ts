import fc from "fast-check";
import { expect, test } from "vitest";
import { withoutUndefined } from "../base/without-undefined.ts";
import type { Grant } from "../protocol/facts.ts";
import { scale } from "../testing/scale.ts";
import { evaluatePolicy, type Policy, type Subject } from "./evaluate-policy.ts";
import { grantInWords } from "./grants.ts";
import type { Judgement } from "./judgement.ts";
import { commandOf, judgement, off, part, policy, touchedPaths } from "./testing/judgements.ts";

const installs = { verbs: 2, finding: ["medium", "it installs packages"] as ["medium", string] };
const install = (
  words: string,
  over: Partial<Judgement> = {},
  more: Parameters<typeof part>[1] = {},
): Subject =>
  commandOf(
    judgement([part(words, { ...installs, ...more })], { onlyInstalls: true, usesNetwork: true, ...over }),
  );

const offer = (subject: Subject, over: Partial<Policy> = {}) => evaluatePolicy(subject, policy(over)).offer;
function granted(subject: Subject, over: Partial<Policy> = {}): Grant[] {
  const covers = offer(subject, over)?.covers;
  if (!covers) throw new Error("nothing wider was offered");
  return [covers];
}
const verdict = (subject: Subject, grants: readonly Grant[], over: Partial<Policy> = {}) =>
  evaluatePolicy(subject, policy({ grants, ...over })).verdict;

test("approving a command covers its first words with the same findings, and the offer says so", () => {
  expect(offer(install("npm install left-pad"))).toEqual({
    scopes: ["once", "turn", "session", "project"],
    covers: {
      type: "uses",
      uses: [{ words: ["npm", "install"], findings: ["it installs packages"] }],
      profile: "install",
      contained: true,
    },
    words: "`npm install …` in this workspace, while it does nothing worse than this: it installs packages",
  });
  const grants = granted(install("npm install left-pad"));
  expect(verdict(install("npm install right-pad --save-dev"), grants)).toBe("allow");
});

test.each<[string, Subject]>([
  ["another subcommand", install("npm publish")],
  ["a command whose name only starts the same", install("npm installer x")],
  ["a further finding", install("npm install x", {}, { findings: [{ severity: "high", because: "z" }] })],
  ["a wider profile", install("npm install x", { onlyInstalls: false })],
  ["a command that leaves the workspace", install("npm install x", { leavesWorkspace: true })],
  ["a part that is not plain", install("npm install x", {}, { isPlain: false })],
  ["a wrapper", install("npm install x", {}, { kind: "wrapper" })],
  ["an interpreter", install("npm install x", {}, { kind: "interpreter" })],
  ["an argument known only at run time", install("npm install …")],
  ["a sensitive file", install("npm install x", { touched: touchedPaths("write", ".npmrc") })],
  [
    "a redirection to a file outside",
    install("npm install x", { leavesWorkspace: true, touched: touchedPaths("write", "/srv/x") }),
  ],
  [
    "a second part that asks",
    commandOf(
      judgement([part("npm install x", installs), part("rm x", { finding: ["medium", "it deletes"] })]),
    ),
  ],
])("approving an install does not cover %s", (_, subject) => {
  expect(verdict(subject, granted(install("npm install x")))).toBe("ask");
});

test("a line is covered if every part that asks is covered by some grant", () => {
  const over = { onlyInstalls: true };
  const parts = [
    part("npm install x", installs),
    part("make", { kind: "builds" }),
    part("pip install y", installs),
  ];
  const line = commandOf(judgement(parts, over));
  const grants = [...granted(install("npm install x")), ...granted(install("pip install x"))];
  expect(verdict(line, grants)).toBe("allow");
  expect(verdict(line, grants.slice(0, 1))).toBe("ask");
});

test("a grant given inside the sandbox does not apply without it, but one given without it applies inside", () => {
  const inside = granted(install("npm install x"));
  const outside = granted(install("npm install x"), { sandbox: off });
  expect(verdict(install("npm install x"), inside, { sandbox: off })).toBe("ask");
  expect(verdict(install("npm install y"), outside, { sandbox: off })).toBe("allow");
  expect(verdict(install("npm install y"), outside)).toBe("allow");
});

test.each<[string, Subject]>([
  ["a wrapper", commandOf(judgement([part("timeout 5 x", { kind: "wrapper", finding: ["high", "y"] })]))],
  [
    "an interpreter",
    commandOf(judgement([part("python3 -c x", { kind: "interpreter", finding: ["high", "y"] })])),
  ],
  ["arguments known only at run time", commandOf(judgement([part("x …", { finding: ["high", "y"] })]))],
  ["a program by its path", commandOf(judgement([part("./x.sh a", { finding: ["high", "y"] })]))],
  [
    "an option before the subcommand",
    commandOf(judgement([part("git -C x push", { verbs: 2, finding: ["high", "y"] })])),
  ],
  ["a command that leaves the workspace", commandOf(judgement([part("ls ..")], { leavesWorkspace: true }))],
])("approving %s covers exactly that line in that directory", (_, subject) => {
  const covers = granted(subject);
  expect(covers).toEqual([
    expect.objectContaining({ type: "line", command: subject.command, directory: "." }),
  ]);
  expect(verdict(subject, covers)).toBe("allow");
  expect(verdict({ ...subject, directory: "other" }, covers)).toBe("ask");
  expect(verdict({ ...subject, command: `${subject.command} ` }, covers)).toBe("ask");
});

test("approving an exact line does not cover it once its risk has risen", () => {
  const link = (risk: "medium" | "high") => commandOf(judgement([part("./x", { finding: [risk, "y"] })]));
  expect(verdict(link("high"), granted(link("medium")))).toBe("ask");
  expect(verdict(link("medium"), granted(link("high")))).toBe("allow");
});

test("high risk is granted for a session at most, critical risk only once", () => {
  const rated = (risk: "high" | "critical") =>
    commandOf(judgement([part("git x", { finding: [risk, "y"] })]));
  expect(offer(rated("high"))?.scopes).toEqual(["once", "turn", "session"]);
  expect(offer(rated("critical"))).toEqual({ scopes: ["once"], words: "only this once" });
});

test("a wider yes to a tool that neither reads nor changes files is to its every use", () => {
  const used = (readOnly: string[]) =>
    offer({ tool: "mcp__x", does: "execute", paths: readOnly, readOnly })?.words;
  expect(used([])).toBe("every use of mcp__x");
  expect(used(["a.ts"])).toBe("every use of a.ts by mcp__x");
});

test("each kind of grant is described in words", () => {
  const grants: Grant[] = [
    { type: "tool", tool: "write_file" },
    { type: "tool", tool: "write_file", paths: [".env"] },
    { type: "line", command: "./x", directory: "a", risk: "high", profile: "open", contained: true },
    ...granted(install("npm install x")),
  ];
  expect(grants.map(grantInWords)).toEqual([
    "every use of write_file",
    "write_file of .env",
    "exactly `./x` in a",
    "`npm install …` in this workspace, while it does nothing worse than this: it installs packages",
  ]);
});

const word = fc.constantFrom("npm", "install", "run", "-g", "./a", "x");
const anyPart = fc
  .record({
    argv: fc.array(word, { minLength: 1, maxLength: 4 }),
    verbs: fc.integer({ min: 1, max: 3 }),
    risk: fc.constantFrom("none", "medium", "high", "critical"),
    because: fc.constantFrom("one", "two"),
    isPlain: fc.boolean(),
    kind: fc.constantFrom(undefined, "wrapper" as const, "interpreter" as const),
  })
  .map(({ argv, risk, because, kind, ...more }) =>
    part(argv.join(" "), { finding: [risk, because], ...(kind ? { kind } : {}), ...more }),
  );

test("no grant covers a line with a new finding, another program or a critical part", () => {
  const line = fc.array(anyPart, { minLength: 1, maxLength: 3 }).map((parts) => judgement(parts));
  fc.assert(
    fc.property(line, line, (seen, later) => {
      const covers = offer(commandOf(seen))?.covers;
      const decision = evaluatePolicy(
        commandOf(later, "another line"),
        policy({ grants: covers ? [covers] : [] }),
      );
      if (!decision.trace.some(({ layer }) => layer === "grant")) return;
      const known = seen.parts.flatMap(({ findings }) => findings.map(({ because }) => because));
      for (const each of later.parts.filter(({ severity }) => severity !== "none")) {
        expect(["medium", "high"]).toContain(each.severity);
        expect(each.isPlain && each.kind === undefined).toBe(true);
        expect(known).toEqual(expect.arrayContaining(each.findings.map(({ because }) => because)));
        expect(seen.parts.some(({ argv }) => argv?.[0] === each.argv?.[0])).toBe(true);
      }
    }),
    { numRuns: 300 * scale },
  );
});

test("approving an uncontained line that changes the directory covers only that line", () => {
  const finding: ["high", string] = ["high", "it publishes"];
  const publish = (...before: string[]): Subject =>
    commandOf(
      judgement([...before.map((words) => part(words)), part("npm publish", { verbs: 2, finding })], {
        usesNetwork: true,
      }),
    );
  const grants = granted(publish("cd packages/a"));
  expect(grants).toMatchObject([{ type: "line", command: "cd packages/a; npm publish" }]);
  expect(verdict(publish("cd packages/a"), grants)).toBe("allow");
  expect(verdict(publish("cd ../other"), [...grants, ...granted(publish())])).toBe("ask");
});

test("whatever is offered beyond once, the same call is not asked about again", () => {
  const aboutTool = fc.record({
    tool: fc.constantFrom("edit_file", "fetch", "read_file"),
    does: fc.constantFrom("read" as const, "change" as const, "execute" as const),
    paths: fc.subarray(["a.txt", ".env", "package.json"]),
    hosts: fc.option(fc.constant(["docs.example.org"]), { nil: undefined }),
    readOnly: fc.option(fc.subarray(["a.txt"]), { nil: undefined }),
    definition: fc.option(fc.constant("1"), { nil: undefined }),
  });
  const tools = aboutTool.map((subject): Subject => withoutUndefined(subject));
  const lines = fc.array(anyPart, { minLength: 1, maxLength: 3 }).map((parts) => commandOf(judgement(parts)));
  fc.assert(
    fc.property(fc.oneof(tools, lines), fc.boolean(), (subject, isOff) => {
      const over = isOff ? { sandbox: off } : {};
      const covers = offer(subject, over)?.covers;
      if (covers) expect(verdict(subject, [covers], over)).toBe("allow");
    }),
  );
});
