/** For screen readers: finished answers and questions are said once, not each piece of them. */
import { useEffect, useRef, useState } from "preact/hooks";
import {
  awaitsPerson,
  currentTurn,
  pendingApprovals,
  pendingQuestions,
} from "../../../protocol/session-state.ts";
import { visibleText } from "../../view/visible.ts";
import type { SessionView } from "../contract.ts";
import type { SessionStore } from "../session/session-store.ts";

/** What a screen reader shall say of an answer at once. */
const most = 600;

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
    // What was over before somebody looked is not news.
    if (known.current !== undefined && known.current !== now && status === "idle")
      setAnswer(answerWords(view));
    known.current = now;
  }, [view]);
  return (
    <div class="visually-hidden">
      <div aria-live="polite">{answer}</div>
      <div role="status">{question}</div>
    </div>
  );
}

function answerWords({ state }: SessionView): string {
  const turn = currentTurn(state);
  const text = visibleText(turn?.lastText ?? "");
  const words =
    turn?.stopped === "done" ? "The answer is finished." : `The request ended: ${turn?.stopped ?? ""}.`;
  return `${words} ${text.slice(0, most)}`;
}

function questionWords({ state }: SessionView): string {
  if (!awaitsPerson(state)) return "";
  const [approval] = pendingApprovals(state);
  if (approval) return `Waits for your answer: may it ${visibleText(approval.title)}?`;
  const [question] = pendingQuestions(state);
  if (question) return `The model asks: ${visibleText(question.question)}`;
  return "A limit was reached: it waits for your answer.";
}
