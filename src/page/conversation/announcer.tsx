/** Announces finished answers and questions to screen readers, once instead of piece by piece. */

import { useEffect, useRef, useState } from "preact/hooks";
import {
  awaitsPerson,
  currentTurn,
  pendingApprovals,
  pendingQuestions,
} from "../../protocol/session-state.ts";
import type { SessionView } from "../contract.ts";
import type { SessionStore } from "../session/session-store.ts";
import { answerWords, approvalWords, spokenText } from "./announcements.ts";

export function Announcer({ store }: { store: SessionStore }) {
  const view = store.view.value;
  const [answer, setAnswer] = useState("");
  const [question, setQuestion] = useState("");
  const known = useRef<string | undefined>(undefined);
  useEffect(() => {
    if (!view.isComplete) return;
    setQuestion(questionWords(view));
    const { status, turn } = view.state;
    const now = `${status} ${turn}`;
    // An answer finished before the page was opened is not news.
    if (known.current !== undefined && known.current !== now && status === "idle") setAnswer(endWords(view));
    known.current = now;
  }, [view]);
  return (
    <div class="visually-hidden">
      <div aria-live="polite">{answer}</div>
      <div role="status">{question}</div>
    </div>
  );
}

function endWords({ state }: SessionView): string {
  const turn = currentTurn(state);
  return answerWords(turn?.stopped, turn?.lastText ?? "");
}

function questionWords({ state }: SessionView): string {
  if (!awaitsPerson(state)) return "";
  const [approval] = pendingApprovals(state);
  if (approval) return approvalWords(approval.title);
  const [question] = pendingQuestions(state);
  if (question) return `The model asks: ${spokenText(question.question)}`;
  return "A limit was reached: waiting for your answer.";
}
