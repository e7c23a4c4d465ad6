import { expect, test } from "vitest";
import type { FactOf } from "../../../../../src/client.ts";
import { noticeOf } from "./notice.ts";

const asked = {
  type: "approval-asked",
  callId: "1",
  title: "Run npm test",
  because: "it runs a program of the workspace",
  risk: "none",
  preview: "npm test",
  command: "npm test",
  grant: "npm test",
  sandbox: { profile: "open", isOn: false },
} as const satisfies FactOf<"approval-asked">;

const noticeFor = (more: Partial<FactOf<"approval-asked">>) =>
  noticeOf({ type: "approval", key: "1", session: "s", asked: { ...asked, ...more } });

const labelsOf = ({ answers }: ReturnType<typeof noticeOf>): string[] => answers.map(({ label }) => label);

test("a notification shows the whole command and the reason, with few buttons", () => {
  const notice = noticeFor({ command: "cat > a <<'END'\none\nEND", scopes: ["once", "session", "project"] });
  expect(notice.message).toBe(
    "Run this command? cat > a <<'END'⏎one⏎END · it runs a program of the workspace",
  );
  expect(labelsOf(notice)).toEqual(["Allow once", "Allow for…", "Deny…", "Show"]);
  expect(notice.answers[1]).toMatchObject({ scopes: ["session", "project"], covers: "npm test" });
});

test("a command that does not fit whole cannot be allowed from a notification", () => {
  const notice = noticeFor({ command: "x".repeat(5000) });
  expect(notice.message.length).toBeLessThan(1000);
  expect(notice.message).toMatch(/x… \(\d+ characters more\)$/u);
  expect(labelsOf(notice)).toEqual(["Show", "Deny…"]);
});

test("where a command would run, and what its words do not tell, stands beside it", () => {
  const place = { into: "bash", directory: "docs" };
  expect(noticeFor({ place }).message).toContain("npm test — typed into bash in docs · ");
  const { command: _command, ...other } = { ...asked, title: "Ask weather", preview: '{ "city": "Ulm" }' };
  const notice = noticeOf({ type: "approval", key: "1", session: "s", asked: other });
  expect(notice.message).toContain('Ask weather — { "city": "Ulm" } · ');
});

test("a longer answer is offered only where the question has one", () => {
  expect(labelsOf(noticeFor({ scopes: ["once"] }))).toEqual(["Allow once", "Deny…", "Show"]);
});

test("nothing in a command hides behind a link or an invisible character", () => {
  const { message } = noticeFor({ command: "echo [fine](https://bad.example) \u202E" });
  expect(message).toContain("[fine]\u2060(https://bad.example) ⟨U+202E⟩");
});

test("of a critical command the first button allows nothing", () => {
  const notice = noticeFor({ risk: "critical", scopes: ["once"] });
  expect(notice.severity).toBe("warning");
  expect(notice.message).toContain("critical risk: it runs a program of the workspace");
  expect(labelsOf(notice)).toEqual(["Show", "Deny…", "Allow once"]);
});

test("a change is told by its title and its files, and its diff is a button away", () => {
  const changes = [{ path: "src/a.ts", before: "1", after: "2", added: 3, removed: 1 }];
  const {
    command: _command,
    sandbox: _sandbox,
    ...change
  } = { ...asked, title: "Edit src/a.ts", changes, preview: "the diff" };
  const notice = noticeOf({ type: "approval", key: "1", session: "s", asked: change });
  expect(notice.message).toContain("Apply this change? Edit src/a.ts (src/a.ts +3 −1) · ");
  expect(labelsOf(notice)).toEqual(["Allow once", "Allow for…", "Deny…", "Diff", "Show"]);
});

test("questions and limits are shown, and answered in the view", () => {
  const question = noticeOf({
    type: "question",
    key: "1",
    session: "s",
    asked: { type: "question-asked", callId: "1", question: "Which\none?", choices: [] },
  });
  expect(question).toEqual({
    message: "Toolwright asks: Which⏎one?",
    severity: "information",
    answers: [{ type: "show", label: "Show" }],
  });
});
