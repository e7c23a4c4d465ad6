/** The row of one call: its question while a person is asked, the list that it set, or what it does. */

import { type Signal, useComputed, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { visibleLine, visibleText } from "../../base/visible-text.ts";
import { withoutPerson } from "../../protocol/fact-words.ts";
import type { SessionState } from "../../protocol/session-state.ts";
import {
  askedKey,
  type CallBlock,
  questionKey,
  type QuestionBlock,
  type AskedBlock,
} from "../../view/blocks.ts";
import { changedPlanWords } from "../../view/message-lines.ts";
import { capital } from "../../view/review.ts";
import { askUnlessHeld } from "../app/held-ask.ts";
import { OffWhileHeld } from "../app/off-while-held.tsx";
import { type PanelProps, person } from "../contract.ts";
import { ApprovalCard } from "../panels/approval-card.tsx";
import { choiceKey } from "../panels/card-keys.ts";
import { useKeptFocus } from "../panels/kept-focus.ts";
import { PlanAnswers, PlanList } from "../panels/plan-card.tsx";
import { ProblemLine } from "../panels/problem-line.tsx";
import { QuestionFrame } from "../panels/question-frame.tsx";
import { isOpen, answeredFrom } from "../panels/question-words.ts";
import { useRest } from "../panels/rest.ts";
import { useSending } from "../panels/sending.ts";
import { TodoList } from "../panels/todo-list.tsx";
import { WordsField } from "../panels/words-field.tsx";
import type { BlockContext } from "./block-context.ts";
import { CallCard } from "./call-card.tsx";

type CallRowProps = { block: CallBlock; context: BlockContext };

export function CallRow({ block, context }: CallRowProps) {
  const { store } = context;
  const asked = store.block(askedKey(block.callId))?.value;
  const question = store.block(questionKey(block.callId))?.value;
  if (asked?.type === "asked")
    return <WithView context={context} card={(props) => <QuestionCard asked={asked} {...props} />} />;
  if (question?.type === "question")
    return <ApprovedCall block={block} context={context} question={question} />;
  if (!block.todos) return <CallCard block={block} took={store.took(block.key)} context={context} />;
  return (
    <section role="group" class="call call-list" aria-label="To-do list">
      <TodoList items={block.todos} />
    </section>
  );
}

function ApprovedCall({ block, context, question }: CallRowProps & { question: QuestionBlock }) {
  const { store } = context;
  const open = !question.answer && isOpen(question, store.view.value.state);
  const place = useKeptFocus(open);
  return (
    <section ref={place}>
      {open ? (
        <WithView context={context} card={(props) => <ApprovalCard question={question} {...props} />} />
      ) : (
        <CallCard block={block} took={store.took(block.key)} context={context} question={question} />
      )}
    </section>
  );
}

type WithViewProps = { context: BlockContext; card: (props: PanelProps) => ComponentChildren };

/** Only cards that ask a person depend on the session's view; other blocks are not re-rendered with it. */
export function WithView({ context: { store, app }, card }: WithViewProps) {
  const view = store.view.value;
  return (
    <OffWhileHeld view={view}>
      {card({ view, ask: askUnlessHeld(app.gateway, view), client: app.gateway.client })}
    </OffWhileHeld>
  );
}

/** A question from the model: one choice, several, or free text; or its plan. */
function QuestionCard({ asked, view, ask }: PanelProps & { asked: AskedBlock }) {
  const open = !asked.reply && !isGivenUp(asked, view.state);
  const Asking = asked.steps === undefined ? Answers : PlanAnswers;
  return (
    <QuestionFrame open={open} heading={headingOf(asked, open)} words={visibleText(asked.question.trim())}>
      {open ? <Asking asked={asked} ask={ask} /> : <Over asked={asked} />}
    </QuestionFrame>
  );
}

function headingOf({ steps }: AskedBlock, open: boolean): string {
  if (steps === undefined) return "The model asks";
  return open ? "Approve this plan?" : "The model's plan";
}

function Over({ asked }: { asked: AskedBlock }) {
  const steps = asked.reply?.steps ?? asked.steps;
  const chosen = new Set(asked.reply?.chosen);
  return (
    <>
      {steps ? <PlanList steps={steps} /> : null}
      {asked.choices.length === 0 ? null : (
        <ul class="question-choices">
          {asked.choices.map(({ label }, at) => (
            <li key={at} class={chosen.has(at) ? "question-chosen" : "muted"}>
              {chosen.has(at) ? "✓ " : ""}
              {visibleLine(label)}
            </li>
          ))}
        </ul>
      )}
      <p class="question-outcome">{replyWords(asked)}</p>
    </>
  );
}

function Answers({ asked, ask }: Pick<PanelProps, "ask"> & { asked: AskedBlock }) {
  const sending = useSending(ask);
  const chosen = useSignal<readonly number[]>([]);
  const words = useSignal("");
  const isEmpty = useComputed(() => chosen.value.length === 0 && words.value.trim() === "");
  const { choices, several, callId } = asked;
  const isOne = !several && choices.length > 0;
  const rests = useRest();
  const isStopped = sending.busy || (isOne && rests);
  const reply = (answer: "given" | "declined", picked = chosen.value): void => {
    const text = words.value.trim();
    const given = answer === "given" && picked.length > 0 ? { chosen: [...picked] } : {};
    const own = text === "" ? {} : { text };
    void sending.send({ type: "answer-question", callId, answer, by: person, ...given, ...own });
  };
  return (
    <form
      class="question-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isEmpty.value) reply("given");
      }}
    >
      {isOne ? (
        <OneOf choices={choices} isStopped={isStopped} pick={(at) => reply("given", [at])} />
      ) : (
        <Choices asked={asked} chosen={chosen} />
      )}
      <WordsField label={choices.length === 0 ? "Your answer" : "Or in your own words"} words={words} />
      <div class="approval-buttons">
        <button
          type="submit"
          class={isOne ? "button" : "button primary"}
          disabled={isStopped || isEmpty.value}
        >
          Answer
        </button>
        <button type="button" class="button" disabled={isStopped} onClick={() => reply("declined")}>
          Don't answer
        </button>
      </div>
      <ProblemLine problem={sending.problem} />
    </form>
  );
}

type OneOfProps = Pick<AskedBlock, "choices"> & { isStopped: boolean; pick: (at: number) => void };

/** One click answers, as does the choice's number while the focus is in the card. */
function OneOf({ choices, isStopped, pick }: OneOfProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const card = place.current?.closest("section");
    const listen = (event: KeyboardEvent): void => {
      const at = choiceKey(event);
      if (at === undefined || at >= choices.length || isStopped) return;
      event.preventDefault();
      pick(at);
    };
    card?.addEventListener("keydown", listen);
    return () => card?.removeEventListener("keydown", listen);
  });
  return (
    <div class="question-choices" ref={place} role="group" aria-label="Choose one">
      {choices.map((choice, at) => (
        <button
          key={at}
          type="button"
          class="button question-pick"
          disabled={isStopped}
          onClick={() => pick(at)}
        >
          <kbd aria-hidden="true">{at < 9 ? at + 1 : ""}</kbd>
          <ChoiceWords {...choice} />
        </button>
      ))}
    </div>
  );
}

const ChoiceWords = ({ label, detail }: AskedBlock["choices"][number]) => (
  <span>
    {visibleLine(label)}
    {detail === undefined || detail === "" ? null : (
      <span class="muted question-detail">{visibleText(detail)}</span>
    )}
  </span>
);

/** Any number of choices. */
function Choices({ asked, chosen }: { asked: AskedBlock; chosen: Signal<readonly number[]> }) {
  const { choices } = asked;
  if (choices.length === 0) return null;
  const choose = (at: number, isOn: boolean): void => {
    const others = chosen.peek().filter((each) => each !== at);
    chosen.value = isOn ? [...others, at].sort((one, other) => one - other) : others;
  };
  return (
    <fieldset class="question-choices">
      <legend>Choose any of these</legend>
      {choices.map((choice, at) => (
        <label key={at} class="question-choice">
          <input
            type="checkbox"
            checked={chosen.value.includes(at)}
            onChange={(event) => choose(at, event.currentTarget.checked)}
          />
          <ChoiceWords {...choice} />
        </label>
      ))}
    </fieldset>
  );
}

/** The question was never answered, and its request no longer waits. */
const isGivenUp = ({ reply, callId }: AskedBlock, { open }: Pick<SessionState, "open">): boolean =>
  !reply && !open.has(callId);

function replyWords({ choices, steps, reply }: AskedBlock): string {
  if (!reply) return "Not answered: the request is over.";
  const none = withoutPerson(reply.by);
  const from = answeredFrom(reply.by);
  const words = reply.text === undefined || reply.text === "" ? [] : [visibleLine(reply.text)];
  if (none !== undefined) return `${capital(none)}${words.length === 0 ? "." : `: ${words.join("")}`}`;
  if (reply.answer === "declined") {
    const what = steps ? "Rejected" : "Not answered";
    return words.length === 0 ? `${what}, ${from}.` : `${what}, ${from}: ${words.join("")}`;
  }
  if (steps) {
    const changed = changedPlanWords(steps, reply.steps);
    return `Approved${changed}, ${from}${words.length === 0 ? "." : `: ${words.join("")}`}`;
  }
  const labels = (reply.chosen ?? []).map((at) => visibleLine(choices[at]?.label ?? String(at + 1)));
  return `Answered ${from}: ${[...labels, ...words].join(", ")}`;
}
