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

type CallRowProps = { block: CallBlock; room: BlockContext };

export function CallRow({ block, room }: CallRowProps) {
  const { store } = room;
  const asked = store.block(askedKey(block.callId))?.value;
  const question = store.block(questionKey(block.callId))?.value;
  if (asked?.type === "asked")
    return <WithView room={room} card={(props) => <QuestionCard asked={asked} {...props} />} />;
  if (question?.type === "question") return <ApprovedCall block={block} room={room} question={question} />;
  if (!block.todos) return <CallCard block={block} took={store.took(block.key)} room={room} />;
  return (
    <section role="group" class="call call-list" aria-label="To-do list">
      <TodoList items={block.todos} />
    </section>
  );
}

function ApprovedCall({ block, room, question }: CallRowProps & { question: QuestionBlock }) {
  const { store } = room;
  const open = !question.answer && isOpen(question, store.view.value.state);
  const place = useKeptFocus(open);
  return (
    <section ref={place}>
      {open ? (
        <WithView room={room} card={(props) => <ApprovalCard question={question} {...props} />} />
      ) : (
        <CallCard block={block} took={store.took(block.key)} room={room} question={question} />
      )}
    </section>
  );
}

type WithViewProps = { room: BlockContext; card: (props: PanelProps) => ComponentChildren };

/** Only cards that ask a person depend on the session's view; other blocks are not re-rendered with it. */
export function WithView({ room: { store, app }, card }: WithViewProps) {
  const view = store.view.value;
  return (
    <OffWhileHeld view={view}>
      {card({ view, ask: askUnlessHeld(app.gateway, view), client: app.gateway.client })}
    </OffWhileHeld>
  );
}
