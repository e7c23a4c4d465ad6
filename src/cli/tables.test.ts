/** Tests lists as shown to people: sessions, models, findings. */

import { expect, test } from "vitest";
import type { OpenPty } from "../base/terminal/pty.ts";
import type { DialectMeasurement } from "../protocol/dialect-record.ts";
import { styleFor } from "../view/plain.ts";
import { findingLines, foldGroups } from "./doctor/lines.ts";
import { nodeVersion, terminals } from "./doctor/machine.ts";
import { dialectFinding, modelFindings } from "./doctor/models.ts";
import { keyLines, modelLines } from "./model-table.ts";
import { ageInWords, nestSessions, sessionChoice, sessionLines } from "./sessions/table.ts";

const plain = styleFor({}, false);
const minute = 60_000;

test("sessions are a table in which the current one is marked and each title stays on its line", () => {
  const session = { createdAt: 0, facts: 12 };
  const lines = sessionLines(
    [
      { ...session, id: "b", updatedAt: 60 * minute, title: "Fix\u001B[2J it", workspace: "/w" },
      { ...session, id: "a", updatedAt: 0, title: "", workspace: "/w/x" },
    ],
    { now: 62 * minute, current: "b", workspaces: true },
  );
  expect(lines).toEqual([
    "session  age    facts  title               workspace",
    "b *      2 min  12     Fix␛[2J it          /w",
    "a        1 h    12     (nothing said yet)  /w/x",
  ]);
  const long = { ...session, id: "c", updatedAt: 0, title: "word ".repeat(30), workspace: "/w" };
  expect(sessionLines([long], { now: 0, workspaces: true })[1]).toBe(
    "c        now  12     word word word word word word w…  /w",
  );
  expect(sessionLines([], { now: 0, workspaces: true })).toEqual([
    'There are no sessions yet: `toolwright "…"` starts one.',
  ]);
});

test("a subagent's session is listed and marked below the session it belongs to", () => {
  const row = (id: string, parent?: string) => ({
    id,
    title: `Task ${id}`,
    createdAt: 0,
    updatedAt: 0,
    facts: 1,
    workspace: "/w",
    ...(parent === undefined ? {} : { parent }),
  });
  const rows = nestSessions([row("e", "gone"), row("d", "a"), row("c"), row("b", "a"), row("a")]);
  expect(sessionLines(rows, { now: 0, workspaces: false })).toEqual([
    "session  age  facts  title",
    "e        now  1      ↳ Task e",
    "c        now  1      Task c",
    "a        now  1      Task a",
    "b        now  1      ↳ Task b",
    "d        now  1      ↳ Task d",
  ]);
});

test("sessions in which nothing was said are listed last, and a copy is known as one where it is chosen", () => {
  const row = (id: string, title: string, from?: string) => ({
    id,
    title,
    createdAt: 0,
    updatedAt: 0,
    facts: 1,
    workspace: "/w",
    ...(from === undefined ? {} : { from: { session: from, seq: 1 } }),
  });
  const rows = nestSessions([row("d", ""), row("c", "Task", "a"), row("b", ""), row("a", "Task")]);
  expect(rows.map(({ id }) => id)).toEqual(["c", "a", "d", "b"]);
  expect(rows.slice(0, 2).map((each) => sessionChoice(each, 0).name)).toEqual(["Task (copy)", "Task"]);
});

test("a copied session names the original, which has the same title", () => {
  const row = {
    id: "20261122-131055-ee977e",
    createdAt: 0,
    updatedAt: 0,
    facts: 1,
    title: "Fix it",
    workspace: "/w",
    cost: { dollars: 0, unknown: 0 },
    standing: "idle" as const,
  };
  const copy = { ...row, id: "20261122-131102-0a1b2c", from: { session: row.id, seq: 1 } };
  const view = { now: 0, workspaces: false };
  expect(sessionLines([copy, row], view)).toEqual([
    "session                 age  facts  cost  state  copy of  title",
    "20261122-131102-0a1b2c  now  1      free  idle   ee977e   Fix it",
    "20261122-131055-ee977e  now  1      free  idle            Fix it",
  ]);
  expect(sessionLines([copy], { ...view, columns: 40 })).toEqual([
    "20261122-131102-0a1b2c · now · idle · copy of ee977e",
    "  Fix it",
  ]);
});

test("a narrow terminal gets shorter titles, and a very narrow one several lines for each session", () => {
  const row = {
    id: "20261122-131055-ee977e",
    createdAt: 0,
    updatedAt: 0,
    facts: 12,
    title: "Make the parser take what it took before",
    workspace: "/w",
    cost: { dollars: 0, unknown: 0 },
    standing: "idle" as const,
  };
  const view = { now: 0, workspaces: false };
  const widest = (columns: number) =>
    Math.max(...sessionLines([row, { ...row, title: "" }], { ...view, columns }).map((line) => line.length));
  for (const columns of [200, 80, 70, 60, 50, 48]) expect(widest(columns)).toBeLessThanOrEqual(columns);
  expect(sessionLines([row], { ...view, columns: 70 })[1]).toBe(
    "20261122-131055-ee977e  now  12     free  idle   Make the parser take…",
  );
  expect(sessionLines([row], { ...view, columns: 50, workspaces: true })).toEqual([
    "20261122-131055-ee977e · now · idle",
    "  Make the parser take what it to…",
    "  /w",
  ]);
});

test("ages are given in the unit that fits, even if the clock jumped back", () => {
  const ages = [-5, 0, 59_999, minute, 59 * minute, 60 * minute, 47 * 60 * minute, 48 * 60 * minute].map(
    ageInWords,
  );
  expect(ages).toEqual(["now", "now", "now", "1 min", "59 min", "1 h", "47 h", "2 d"]);
});

test("models are listed by provider as --model takes them; providers without models with the reason", () => {
  const lines = modelLines(
    [
      { provider: "here", models: ["small", "large"] },
      { provider: "there", models: [], problem: "Nothing answers." },
      { provider: "elsewhere", models: [] },
    ],
    plain,
  );
  expect(lines).toEqual([
    "here",
    "  here/small",
    "  here/large",
    "Out of reach:",
    "  there      Nothing answers.",
    "  elsewhere  it lists no models",
  ]);
});

test("without a model the variables that were looked for are listed, and how to hand a key over", () => {
  const local = { name: "local", needsKey: false, keyNames: ["LOCAL_KEY"] };
  const hosted = { name: "hosted", needsKey: true, keyNames: ["A_KEY", "B_KEY"] };
  expect(keyLines([local, hosted, { ...hosted, name: "own", keyNames: [] }], plain)).toEqual([
    "A key was looked for in these variables; `toolwright login` keeps one:",
    "  hosted  A_KEY, B_KEY",
  ]);
});

test("doctor folds what is well into a line for each group, and shows what is not last", () => {
  const well = (check: string) => ({ check, state: "ok" as const, words: `${check} is well` });
  const odd = { check: "c", state: "warn" as const, words: "odd" };
  const groups = [
    { name: "one", findings: [well("a"), well("b"), odd, well("b"), well("models")] },
    { name: "two", findings: [well("d")] },
    { name: "three", findings: [] },
  ];
  const all = groups.flatMap(({ findings }) => findings);
  expect(findingLines(all, plain, foldGroups(groups))).toEqual([
    "ok    models  models is well",
    "ok    one     a, b",
    "ok    d       d is well",
    "warn  c       odd",
    "",
    "5 ok · 1 warn (c) · 0 fail; `toolwright doctor --verbose` has a line for each",
  ]);
});

test("doctor shows which models are reachable, which providers are unused, and what to do without any", () => {
  expect(
    modelFindings(
      [
        { provider: "here", models: ["a", "b"] },
        { provider: "there", models: [], problem: "Silent." },
      ],
      undefined,
    ),
  ).toEqual([
    { check: "models", state: "ok", words: "2 within reach (here)" },
    { check: "there", state: "ok", words: "not in use: Silent." },
  ]);
  const [, dead] = modelFindings([{ provider: "dead", models: [], problem: "Silent." }], undefined, "Dead");
  expect(dead).toEqual({ check: "dead", state: "warn", words: "Silent." });
  expect(modelFindings([], "Set a key.")).toEqual([{ check: "models", state: "warn", words: "Set a key." }]);
});

test("doctor shows the best dialect of each measured model", () => {
  const figures = {
    at: 0,
    tasks: 22,
    repaired: 0,
    unreadable: 0,
    inputTokens: 0,
    outputTokens: 0,
    medianMs: 1,
  };
  const measured = (dialect: string, right: number): DialectMeasurement => ({ ...figures, dialect, right });
  const counts = { calls: 9, repairs: 0, refusals: 0 };
  const key = { server: "http://box", template: "" };
  const record = (dialect: string, right: number) => ({
    dialect,
    counts,
    measured: measured(dialect, right),
  });
  const models = [
    {
      ...key,
      model: "small",
      dialects: [record("native", 9), record("hermes", 21), { dialect: "x", counts }],
    },
    { ...key, model: "large", dialects: [record("native", 22)] },
  ];
  expect(dialectFinding(models)).toEqual({
    check: "dialects",
    state: "ok",
    words: "measured: small (best: hermes, 21/22 tasks), large (best: native, 22/22 tasks)",
  });
  expect(dialectFinding([]).words).toContain("`toolwright probe MODEL`");
});

test("doctor opens a terminal to check that terminals work", async () => {
  const opening =
    (end: boolean): OpenPty =>
    async (request) => {
      if (end) setImmediate(() => request.onEnd({ exit: 0 }));
      const pty = {
        pid: 1,
        write: () => true,
        waiting: () => 0,
        device: undefined,
        descriptor: () => undefined,
        resize: () => undefined,
      };
      return { ok: true, value: pty };
    };
  expect(await terminals(opening(true))).toEqual({ check: "terminals", state: "ok", words: "work" });
  expect(await terminals(opening(false), 1)).toMatchObject({
    state: "warn",
    words: "none: a program on one does not end",
  });
  const none: OpenPty = async () => ({ ok: false, problem: "There are no terminals here: no package." });
  expect(await terminals(none)).toMatchObject({
    state: "warn",
    words: "There are no terminals here: no package.",
  });
});

test("doctor's lines are aligned, an outdated Node fails, and the last line names what is not ok", () => {
  expect(
    findingLines(
      [nodeVersion("24.1.0"), { check: "a", state: "warn", words: "b" }, nodeVersion("20.1.0")],
      plain,
    ),
  ).toEqual([
    "ok    Node  24.1.0",
    "warn  a     b",
    "fail  Node  20.1.0: install Node 24 or newer",
    "",
    "1 ok · 1 warn (a) · 1 fail (Node)",
  ]);
});
