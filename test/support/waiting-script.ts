/** Turns that wait for a person: the model's answers in them, and the person's replies. */

import type { Command } from "../../src/protocol/commands.ts";
import type { Mode } from "../../src/protocol/facts.ts";
import { pendingApprovals, pendingQuestions, type SessionState } from "../../src/protocol/session-state.ts";
import {
  scriptedModel,
  type ScriptedAnswer,
  type ScriptedModel,
} from "../../src/providers/scripted-model.ts";

type Waiting = {
  mode: Mode;
  answers: readonly ScriptedAnswer[];
  /** The reply to the first question that waits. */
  reply: (state: SessionState) => Command;
};

const write: ScriptedAnswer = [
  { say: "I write." },
  { call: "write_file", with: { path: "a.txt", content: "written\n" } },
];
const done: ScriptedAnswer = [{ say: "All is done." }];
const question = {
  call: "ask_user",
  with: { question: "Which?", choices: [{ label: "red" }, { label: "blue" }] },
};
const plan = { call: "propose_plan", with: { steps: [{ title: "Write a.txt" }, { title: "Check it" }] } };

const approvalId = (state: SessionState): string => pendingApprovals(state)[0]?.callId ?? "";
const questionId = (state: SessionState): string => pendingQuestions(state)[0]?.callId ?? "";
const answer = (state: SessionState) =>
  ({ type: "answer-question", callId: questionId(state), answer: "given", by: "another" }) as const;
const approval = (state: SessionState) =>
  ({ type: "answer-approval", callId: approvalId(state), scope: "once", by: "another" }) as const;

export const waitings: Readonly<Record<string, Waiting>> = {
  "an approval, given": {
    mode: "ask",
    answers: [write, done],
    reply: (state) => ({ ...approval(state), answer: "allow" }),
  },
  "an approval, refused": {
    mode: "ask",
    answers: [write, done],
    reply: (state) => ({ ...approval(state), answer: "deny", note: "not that" }),
  },
  "a question": {
    mode: "accept-edits",
    answers: [[{ say: "I ask." }, question], write, done],
    reply: (state) => ({ ...answer(state), chosen: [1] }),
  },
  "a plan, changed and approved": {
    mode: "plan",
    answers: [[{ say: "I plan." }, plan], write, done],
    reply: (state) => ({ ...answer(state), steps: [{ title: "Write a.txt" }], mode: "accept-edits" }),
  },
  "a plan, rejected": {
    mode: "plan",
    answers: [[{ say: "I plan." }, plan], done],
    reply: (state) => ({ ...answer(state), answer: "declined", text: "no" }),
  },
};

/** `heard` counts the complete answers in the log; the model continues there, in whichever process it runs. */
export const modelOf = ({ answers }: Waiting, heard: () => number): ScriptedModel =>
  scriptedModel(() => answers[Math.min(heard(), answers.length - 1)] ?? []);
