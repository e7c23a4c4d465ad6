import fc from "fast-check";
import { expect, test } from "vitest";
import { modes } from "../protocol/fact-words.ts";
import type { Mode, Risk } from "../protocol/facts.ts";
import { concernsSandbox } from "./containment.ts";
import { evaluatePolicy, type Policy, type Subject } from "./evaluate-policy.ts";
import type { Judgement } from "./judgement.ts";
import { commandOf, judgement, level, off, part, policy, touchedPaths } from "./testing/judgements.ts";

const read: Subject = { tool: "read_file", does: "read", paths: ["a.ts"] };
const change: Subject = { tool: "write_file", does: "change", paths: ["src/a.ts"] };
const all: Mode[] = [...modes];
/** The modes in which the layers of this room have a say. */
const guarded = all.filter((mode) => mode !== "trusted");

const reading = commandOf(judgement([part("ls src")], { onlyReads: true }));
const building = commandOf(judgement([part("npm test", { kind: "builds", verbs: 2 })]));
const rated = (risk: Risk, over: Partial<Judgement> = {}) =>
  commandOf(judgement([part("doing it", { finding: [risk, `it is ${risk}`] })], over));
const installing = commandOf(
  judgement([part("npm install x", { verbs: 2, finding: ["medium", "it installs packages"] })], {
    onlyInstalls: true,
    usesNetwork: true,
  }),
);

const verdict = (subject: Subject, over: Partial<Policy> = {}) =>
  evaluatePolicy(subject, policy(over)).verdict;
const allowAll = [level("user", { tool: "*", decision: "allow" })];
const everyGrant = (subject: Subject) => {
  const { offer } = evaluatePolicy(subject, policy());
  return offer?.covers ? [offer.covers] : [];
};

test.each<[Mode, string, string, string, string]>([
  ["ask", "allow", "ask", "allow", "ask"],
  ["accept-edits", "allow", "allow", "allow", "ask"],
  ["auto", "allow", "allow", "allow", "allow"],
  ["plan", "allow", "deny", "deny", "deny"],
  ["deny", "allow", "deny", "allow", "deny"],
])(
  "C3: the mode %s says %s to reads, %s to changes, %s to contained commands and %s to installing",
  (mode, forRead, forChange, forBuild, forInstall) => {
    expect(verdict(read, { mode })).toBe(forRead);
    expect(verdict(change, { mode })).toBe(forChange);
    expect(verdict(building, { mode })).toBe(forBuild);
    expect(verdict(installing, { mode })).toBe(forInstall);
  },
);

test.each<[string, Subject]>([
  ["a change", change],
  ["a change of a sensitive file", { ...change, paths: [".env"], readOnly: [".env"] }],
  ["reading a secret", { ...read, paths: [".env"] }],
  ["installing", installing],
  ["a critical command", rated("critical")],
  ["a command that nobody understood", { tool: "run", does: "execute", paths: [], command: "x" }],
  [
    "deleting outside the workspace",
    rated("critical", { destroysOutside: true, touched: touchedPaths("delete", "/etc/nginx/x") }),
  ],
  ["a command that writes in .git", rated("critical", { touched: touchedPaths("write", ".git/hooks/x") })],
  ["what a host is asked", { tool: "fetch", does: "read", paths: [], hosts: ["example.com"] }],
  ["another tool", { tool: "mcp__x", does: "execute", paths: [] }],
  ["a guessed and repeated call", { ...change, guessed: true, repeats: "notes.md" }],
])("the mode trusted lets %s run, though nobody is there", (_, subject) => {
  const free = policy({ mode: "trusted", interactive: false, sandbox: off });
  expect(evaluatePolicy(subject, free)).toMatchObject({
    verdict: "allow",
    because: "the mode is trusted: only rules and hooks object",
  });
});

test("in the mode trusted a person's rules and hooks still ask and deny", () => {
  const rules = [
    level("user", { tool: "run", command: "doing it", decision: "deny" }, { tool: "*", decision: "ask" }),
  ];
  const trusted = { mode: "trusted", rules, sandbox: off } as const;
  expect(evaluatePolicy(rated("none"), policy(trusted))).toMatchObject({
    verdict: "deny",
    because: 'the rule "deny run doing it" says so',
  });
  expect(verdict(change, trusted)).toBe("ask");
  expect(verdict(change, { ...trusted, interactive: false })).toBe("deny");
  expect(verdict({ ...change, watched: "a hook asks" }, { mode: "trusted" })).toBe("ask");
});

test("a tool that is asked about each time is asked about in every mode, whatever a rule or an earlier yes allows", () => {
  const careful: Subject = { tool: "run", does: "execute", paths: [], askedEachTime: "it is outside" };
  const free = { rules: allowAll, grants: everyGrant({ ...careful, askedEachTime: "" }) };
  for (const mode of all.filter((one) => one !== "plan" && one !== "deny"))
    expect(evaluatePolicy(careful, policy({ ...free, mode }))).toMatchObject({
      verdict: "ask",
      because: "it is outside",
      offer: { scopes: ["once"] },
    });
  expect(verdict(careful, { ...free, mode: "plan" })).toBe("deny");
  expect(verdict(careful, { ...free, mode: "auto", interactive: false })).toBe("deny");
});

test("in the mode trusted no tool changes .git, and no command deletes a whole home directory", () => {
  expect(verdict({ ...change, paths: [".git/config"] }, { mode: "trusted" })).toBe("deny");
  for (const path of ["/", "/home", "/home/*", "/home/dev"]) {
    const deleting = rated("critical", { destroysOutside: true, touched: touchedPaths("delete", path) });
    expect(verdict(deleting, { mode: "trusted" })).toBe("deny");
  }
  const below = rated("critical", { destroysOutside: true, touched: touchedPaths("delete", "/home/dev/x") });
  expect(verdict(below, { mode: "trusted" })).toBe("allow");
});

test("delegating to a subagent needs no approval, unless a rule denies it", () => {
  const delegating: Subject = { tool: "delegate", does: "delegate", paths: [], delegates: true };
  for (const mode of all) expect(verdict(delegating, { mode, interactive: false })).toBe("allow");
  expect(verdict({ ...delegating, delegates: false }, { mode: "auto" })).toBe("ask");
  const rules = [level("user", { tool: "delegate", decision: "deny" })];
  expect(verdict(delegating, { rules })).toBe("deny");
});

test("A35: a command that only reads runs in every mode, with and without a sandbox", () => {
  for (const mode of all) {
    expect(evaluatePolicy(reading, policy({ mode }))).toMatchObject({
      verdict: "allow",
      sandbox: { profile: "read" },
    });
    expect(verdict(reading, { mode, sandbox: off })).toBe("allow");
  }
});

test("A36: a critical command always asks or is denied, whatever rules and grants allow", () => {
  const critical = rated("critical");
  const asked = evaluatePolicy(
    critical,
    policy({ rules: allowAll, mode: "auto", grants: everyGrant(rated("high")) }),
  );
  expect(asked).toMatchObject({ verdict: "ask-always", risk: "critical", because: "it is critical" });
  expect(asked.offer).toEqual({ scopes: ["once"], words: "only this once" });
  const line = {
    type: "line",
    command: "doing it",
    directory: ".",
    risk: "critical",
    profile: "open",
    contained: false,
  } as const;
  expect(verdict(critical, { grants: [line] })).toBe("ask-always");
  expect(verdict(critical, { mode: "deny", rules: allowAll })).toBe("deny");
  expect(verdict(critical, { mode: "plan", rules: allowAll })).toBe("deny");
  expect(verdict(critical, { interactive: false, rules: allowAll })).toBe("deny");
});

test("A35: high risk asks in every mode that may ask; medium risk asks too, unless contained in auto mode", () => {
  for (const mode of ["ask", "accept-edits", "auto"] as const)
    expect(verdict(rated("high"), { mode })).toBe("ask");
  expect(verdict(rated("medium"), { mode: "ask" })).toBe("ask");
  expect(verdict(rated("medium"), { mode: "accept-edits" })).toBe("ask");
  expect(verdict(rated("medium"), { mode: "auto" })).toBe("allow");
  expect(verdict(rated("medium", { usesNetwork: true }), { mode: "auto" })).toBe("ask");
  expect(verdict(rated("medium"), { mode: "auto", sandbox: off })).toBe("ask");
});

test("without a sandbox only read-only commands run unasked, and the reason says that it is off", () => {
  for (const mode of ["ask", "accept-edits", "auto"] as const) {
    const decision = evaluatePolicy(building, policy({ mode, sandbox: off }));
    expect(decision).toMatchObject({
      verdict: "ask",
      because: "the sandbox is off (bubblewrap is missing)",
      sandbox: { profile: "build", isOn: false, because: "bubblewrap is missing" },
    });
  }
  expect(evaluatePolicy(rated("high"), policy({ sandbox: off })).because).toBe(
    "it is high; the sandbox is off (bubblewrap is missing)",
  );
  expect(evaluatePolicy(reading, policy({ sandbox: off })).trace).toContainEqual({
    layer: "sandbox",
    verdict: "allow",
    because: "the sandbox is off (bubblewrap is missing), and it only reads",
  });
});

test("for a command that needs a profile that the sandbox does not have, the sandbox is off", () => {
  const sandbox = { isOn: true, profiles: ["read", "build", "git"] } as const;
  const decided = (subject: Subject) => evaluatePolicy(subject, policy({ sandbox, mode: "auto" }));
  expect(evaluatePolicy(installing, policy({ mode: "auto" })).verdict).toBe("allow");
  expect(decided(installing)).toMatchObject({
    verdict: "ask",
    because: expect.stringContaining("the sandbox is off (the one of this machine has no profile install)"),
    sandbox: { profile: "install", isOn: false },
  });
  const asking = rated("none", { usesService: true });
  expect(decided(asking)).toMatchObject({ verdict: "ask", sandbox: { profile: "open", isOn: false } });
  expect(decided(building)).toMatchObject({ verdict: "allow", sandbox: { profile: "build", isOn: true } });
  expect(decided(change)).toEqual(evaluatePolicy(change, policy({ mode: "auto" })));
});

test.each<[string, Partial<Judgement>, Risk, string]>([
  ["reads", { onlyReads: true }, "none", "read"],
  ["builds", {}, "none", "build"],
  ["is git", { onlyGit: true }, "none", "git"],
  ["only reads with git", { onlyGit: true, onlyReads: true }, "none", "read"],
  ["installs", { onlyInstalls: true, usesNetwork: true }, "medium", "install"],
  ["deletes rebuildable files", {}, "medium", "build"],
  ["pushes", { onlyGit: true, usesNetwork: true, needs: ["~/.ssh"] }, "medium", "open"],
  ["loses work in git", { onlyGit: true }, "high", "git"],
  ["downloads", { usesNetwork: true }, "none", "open"],
  ["may need a key file", { needs: [".npmrc"] }, "none", "build"],
  [
    "writes outside the workspace",
    { touched: touchedPaths("write", "/srv/x"), leavesWorkspace: true },
    "none",
    "open",
  ],
  [
    "reads outside the workspace",
    { onlyReads: true, touched: touchedPaths("read", "/home/dev/other/x"), leavesWorkspace: true },
    "none",
    "read",
  ],
  ["is of high risk", {}, "high", "open"],
])("a command that %s runs in the matching profile", (_, over, risk, profile) => {
  expect(evaluatePolicy(rated(risk, over), policy()).sandbox?.profile).toBe(profile);
});

test("a command that needs the network asks in every mode, and the reason says so", () => {
  const because = "it must run with the network";
  for (const mode of ["ask", "accept-edits", "auto"] as const)
    expect(evaluatePolicy(rated("none", { usesNetwork: true }), policy({ mode }))).toMatchObject({
      verdict: "ask",
      because,
    });
});

test("a command without a judgement asks even in auto mode", () => {
  const { judgement: _, ...unknown } = building;
  expect(evaluatePolicy(unknown, policy({ mode: "auto" }))).toMatchObject({
    verdict: "ask",
    risk: "high",
    sandbox: { profile: "open" },
  });
  expect(evaluatePolicy(unknown, policy({ mode: "auto" })).offer?.covers).toMatchObject({ type: "line" });
});

test("plan mode asks about a dangerous read-only command, and denies a build even if a rule allows it", () => {
  const secret = commandOf(
    judgement([part("cat key", { finding: ["high", "it reads a secret"] })], { onlyReads: true }),
  );
  expect(verdict(secret, { mode: "plan" })).toBe("ask");
  expect(evaluatePolicy(building, policy({ mode: "plan", rules: allowAll })).because).toContain(
    "the mode is plan",
  );
});

test.each([
  ["destroying outside the workspace", { destroysOutside: true, leavesWorkspace: true }, "deny"],
  ["touching paths outside the workspace", { leavesWorkspace: true }, "ask"],
  [
    "reading files outside the workspace",
    { touched: touchedPaths("read", "/home/dev/notes"), leavesWorkspace: true },
    "ask",
  ],
  ["reading system files", { touched: touchedPaths("read", "/usr/include/stdio.h") }, "allow"],
  ["writing temporary files", { touched: touchedPaths("write", "/tmp/x") }, "allow"],
  ["writing inside the workspace", { touched: touchedPaths("write", "src/x") }, "allow"],
] as const)("B12: %s", (_, over, expected) => {
  expect(verdict(rated("none", over))).toBe(expected);
});

test("B12: the prompt names the paths touched outside the workspace", () => {
  const beside = touchedPaths("write", "src/x", "/tmp/y", "/dev/null", "/home/dev/proj-evil/x");
  const because = "it writes /home/dev/proj-evil/x, outside the workspace";
  expect(evaluatePolicy(rated("none", { leavesWorkspace: true, touched: beside }), policy())).toMatchObject({
    because,
  });
});

test("B12: deleting inside asks by its severity; outside it is denied, whatever rules allow, with advice", () => {
  expect(verdict(rated("medium", { touched: touchedPaths("delete", "dist") }))).toBe("ask");
  const denied = evaluatePolicy(
    rated("high", { destroysOutside: true }),
    policy({ mode: "auto", rules: allowAll }),
  );
  expect(denied.verdict).toBe("deny");
  expect(denied.because).toBe("it is high; outside the workspace that is done by hand only");
});

test.each([
  ".git/hooks/pre-commit",
  ".GIT/config",
  ".git./config",
  ".git /config",
  ".git::$INDEX_ALLOCATION/config",
  "GIT~1/config",
  "sub/.git/config",
  ".husky/pre-commit",
  "node_modules/a/index.js",
  "a/../.git/config",
  ".g\u200bit/config",
  ".git\\config",
  "HUSKY~1/pre-commit",
  "NODE_M~1/a/index.js",
  ".hu\u017Fky/pre-commit",
])(
  "C2: %j is protected from edits and from commands that write it, whatever rules or modes allow",
  (path) => {
    const over = { mode: "auto", rules: allowAll } as const;
    const decision = evaluatePolicy(
      { ...change, paths: [path] },
      policy({ ...over, grants: everyGrant(change) }),
    );
    expect(decision.verdict).toBe("deny");
    expect(decision.because).toContain("protected");
    expect(verdict(rated("none", { touched: touchedPaths("write", path) }), over)).toBe("deny");
    expect(verdict({ ...read, paths: [path] })).toBe("allow");
    expect(verdict(rated("none", { onlyReads: true, touched: touchedPaths("read", path) }))).toBe("allow");
  },
);

test("C2: node_modules may be removed, .git may not", () => {
  expect(verdict(rated("medium", { touched: touchedPaths("delete", "node_modules") }))).toBe("ask");
  expect(verdict(rated("none", { touched: touchedPaths("delete", "a/node_modules/.cache") }))).toBe("allow");
  expect(verdict(rated("critical", { touched: touchedPaths("delete", ".git") }))).toBe("deny");
});

test.each([".github/x.md", ".gitignore", "git/config", "src/node_modules.ts"])(
  "%j is not protected",
  (path) => {
    expect(verdict({ ...change, paths: [path] }, { mode: "auto" })).toBe("allow");
    expect(verdict(rated("none", { touched: touchedPaths("write", path) }))).toBe("allow");
  },
);

test("A37: a sensitive file asks even in modes that accept edits, with an allowing rule, or written by a command", () => {
  const env = { ...change, paths: [".env"] };
  for (const mode of ["accept-edits", "auto"] as const) {
    const decision = evaluatePolicy(env, policy({ mode, rules: allowAll }));
    expect(decision).toMatchObject({
      verdict: "ask",
      because: ".env is a sensitive file, changed only with a yes of its own",
    });
    const writing = rated("none", { touched: touchedPaths("write", ".github/workflows/ci.yml") });
    expect(verdict(writing, { mode, rules: allowAll })).toBe("ask");
  }
  expect(verdict({ ...change, paths: [".env.example"] }, { mode: "auto" })).toBe("allow");
  expect(verdict({ ...env, paths: ["src/a.ts", ".ENV"] }, { mode: "auto" })).toBe("ask");
});

test("A37: reading a file that may hold secrets asks, reading settings does not", () => {
  expect(evaluatePolicy({ ...read, paths: [".env"] }, policy())).toMatchObject({
    verdict: "ask",
    because: ".env may hold secrets",
  });
  expect(verdict({ ...read, paths: ["package.json"] })).toBe("allow");
});

test("A37: approving a sensitive file covers only that file, and approving the tool no sensitive file", () => {
  const env = { ...change, paths: [".env"] };
  const { offer } = evaluatePolicy(env, policy());
  expect(offer).toEqual({
    scopes: ["once", "turn", "session"],
    covers: { type: "tool", tool: "write_file", paths: [".env"] },
    words: "every change of .env by write_file",
  });
  const grants = everyGrant(env);
  expect(verdict(env, { grants })).toBe("allow");
  expect(verdict({ ...change, paths: [".npmrc"] }, { grants })).toBe("ask");
  expect(verdict(change, { grants })).toBe("ask");
  expect(verdict(env, { grants: everyGrant(change) })).toBe("ask");
});

test("[T] C, B13: without a user to ask, ask becomes deny, and the reason says so", () => {
  const decision = evaluatePolicy(change, policy({ interactive: false }));
  expect(decision).toMatchObject({
    verdict: "deny",
    because: "it changes files, and there is nobody to ask",
  });
  expect(decision.trace.map((word) => word.layer)).toEqual(["mode ask", "no person"]);
  expect(decision.offer).toBeUndefined();
  expect(verdict(installing, { interactive: false })).toBe("deny");
});

test("a grant satisfies the mode's ask, but overrides neither a rule that asks nor a denial", () => {
  const grants = everyGrant(change);
  expect(verdict(change, { grants })).toBe("allow");
  expect(
    evaluatePolicy(change, policy({ grants, rules: [level("user", { tool: "*", decision: "ask" })] })),
  ).toMatchObject({
    verdict: "ask",
    offer: { scopes: ["once"] },
  });
  expect(verdict(change, { grants, mode: "plan" })).toBe("deny");
  expect(verdict({ ...change, tool: "edit_file" }, { grants })).toBe("ask");
});

test("FORMATS 4.8: a call repaired by a guess may read, but asks before a change, whatever rules or modes allow", () => {
  expect(verdict({ ...change, guessed: true }, { mode: "auto", rules: allowAll })).toBe("ask");
  expect(verdict({ ...reading, guessed: true }, { mode: "auto", grants: everyGrant(change) })).toBe("ask");
  expect(verdict({ ...read, guessed: true })).toBe("allow");
});

test("a call whose text stands in what was read may read, but asks before anything else, whatever allows it", () => {
  const repeats = "the result of Read notes.md";
  const because = `this call stands word for word in ${repeats}: it may be repeated text and not an order`;
  for (const mode of ["ask", "accept-edits", "auto", "staged"] as const) {
    const free = policy({ mode, rules: allowAll, grants: everyGrant(change) });
    expect(evaluatePolicy({ ...change, repeats }, free)).toMatchObject({
      verdict: "ask",
      because,
      offer: { scopes: ["once"] },
    });
    expect(evaluatePolicy({ ...building, repeats }, free)).toMatchObject({ verdict: "ask" });
    expect(evaluatePolicy({ ...change, repeats }, { ...free, interactive: false }).verdict).toBe("deny");
  }
  expect(verdict({ ...read, repeats })).toBe("allow");
  expect(verdict({ ...read, repeats, hosts: ["example.com"] }, { rules: allowAll })).toBe("ask");
});

test("the trace contains each layer's verdict and the sandbox profile", () => {
  const rules = [level("user", { tool: "run", command: "npm install *", decision: "allow" })];
  expect(evaluatePolicy(installing, policy({ rules })).trace).toEqual([
    {
      layer: "rules (user)",
      verdict: "allow",
      because: 'the rule "allow run npm install *" says so',
    },
    { layer: "severity", verdict: "ask", because: "it installs packages" },
    { layer: "sandbox", verdict: "allow", because: "it runs in the sandbox (install)" },
  ]);
});

test("the trace says of a command in plan mode that it only reads, and nothing of plans in other modes", () => {
  const told = { layer: "plan mode", verdict: "allow", because: "it only reads" };
  const layers = (mode: Mode) => evaluatePolicy(reading, policy({ mode })).trace;
  expect(layers("plan")).toContainEqual(told);
  for (const mode of guarded.filter((one) => one !== "plan")) expect(layers(mode)).not.toContainEqual(told);
});

const anyJudgement = fc
  .record({
    risk: fc.constantFrom<Risk>("none", "medium", "high", "critical"),
    onlyReads: fc.boolean(),
    onlyGit: fc.boolean(),
    usesNetwork: fc.boolean(),
    leavesWorkspace: fc.boolean(),
    destroysOutside: fc.boolean(),
    kind: fc.constantFrom("wrapper", "interpreter", "builds", undefined),
  })
  .map(({ risk, kind, ...over }) =>
    judgement([part("do it", { finding: [risk, "x"], ...(kind === undefined ? {} : { kind }) })], over),
  );

test("for any judgement, a stricter policy never allows more, and every decision has a trace", () => {
  const order = ["allow", "ask", "ask-always", "deny"];
  fc.assert(
    fc.property(anyJudgement, fc.constantFrom(...guarded), fc.boolean(), (judged, mode, isOn) => {
      const subject = commandOf(judged);
      const over = { mode, sandbox: isOn ? { isOn } : off };
      const plain = evaluatePolicy(subject, policy(over));
      const height = (more: Partial<Policy>): number => order.indexOf(verdict(subject, { ...over, ...more }));
      const usual = order.indexOf(plain.verdict);
      expect(height({ interactive: false })).toBeGreaterThanOrEqual(usual);
      expect(height({ sandbox: off })).toBeGreaterThanOrEqual(usual);
      expect(height({ rules: [level("w", { tool: "*", decision: "ask" })] })).toBeGreaterThanOrEqual(usual);
      if (judged.severity === "critical") expect(plain.verdict).not.toBe("allow");
      if (judged.severity === "critical") expect(height({ rules: allowAll })).toBeGreaterThanOrEqual(2);
      if (!isOn && plain.verdict === "allow")
        expect([judged.onlyReads, judged.severity]).toEqual([true, "none"]);
      expect(plain.trace.length).toBeGreaterThan(1);
      expect(plain.offer === undefined).toBe(plain.verdict === "allow" || plain.verdict === "deny");
    }),
  );
});

test("calls that do not concern the sandbox are decided alike with and without one", () => {
  const subject: fc.Arbitrary<Subject> = fc.record({
    tool: fc.constantFrom("read_file", "write_file", "fetch", "run_command"),
    does: fc.constantFrom("read", "change", "execute", "delegate"),
    paths: fc.subarray(["a.ts", ".env", "../out", ".git/config"]),
    hosts: fc.subarray(["example.com"]),
    applies: fc.boolean(),
    ofCommand: fc.boolean(),
    lasting: fc.boolean(),
    guessed: fc.boolean(),
  });
  fc.assert(
    fc.property(subject, fc.constantFrom(...all), fc.boolean(), (about, mode, granted) => {
      const over = { mode, grants: granted ? everyGrant(about) : [] };
      expect(concernsSandbox(about)).toBe(false);
      expect(evaluatePolicy(about, policy(over))).toEqual(
        evaluatePolicy(about, policy({ ...over, sandbox: off })),
      );
    }),
  );
  for (const about of [
    building,
    { ...change, stages: true },
    { ...read, runsIn: { profile: "build", isOn: true } } as const,
  ])
    expect(concernsSandbox(about)).toBe(true);
});

test("a command that uses a local service runs in the open profile: unasked if read-only, else approved", () => {
  const looking = rated("none", { usesService: true, onlyReads: true, mayLookOutside: true });
  expect(evaluatePolicy(looking, policy())).toMatchObject({ verdict: "allow", sandbox: { profile: "open" } });
  const unlisted = rated("none", { usesService: true, onlyReads: true });
  expect(evaluatePolicy(unlisted, policy())).toMatchObject({ verdict: "ask", sandbox: { profile: "open" } });
  const starting = commandOf(judgement([part("docker run alpine", { finding: ["medium", "it runs"] })]));
  expect(evaluatePolicy(starting, policy())).toMatchObject({ verdict: "ask", sandbox: { profile: "open" } });
  expect(evaluatePolicy(starting, policy({ mode: "auto" }))).toMatchObject({
    verdict: "ask",
    because: "it runs",
  });
  const naming = commandOf(judgement([part("docker compose config")]));
  expect(evaluatePolicy(naming, policy())).toMatchObject({
    verdict: "ask",
    because: "it must run where it reaches a service of this machine",
  });
});
