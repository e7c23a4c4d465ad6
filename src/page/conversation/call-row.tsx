/** The row of one call: its question while a person is asked, the list that it set, or what it does. */

import type { ComponentChildren } from "preact";
import { askedKey, type CallBlock, questionKey, type QuestionBlock } from "../../view/blocks.ts";
import { askUnlessHeld } from "../app/held-ask.ts";
import { OffWhileHeld } from "../app/off-while-held.tsx";
import type { PanelProps } from "../contract.ts";
import { ApprovalCard } from "../panels/approval-card.tsx";
import { useKeptFocus } from "../panels/kept-focus.ts";
import { QuestionCard } from "../panels/question-card.tsx";
import { isOpen } from "../panels/question-words.ts";
import { TodoList } from "../panels/todo-list.tsx";
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
