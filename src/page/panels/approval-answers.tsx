/** The answers of an approval card: yes for once or longer, no with a reason, or an edited command. */

import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useId, useLayoutEffect, useRef } from "preact/hooks";
import type { DroppedPart, Scope } from "../../protocol/facts.ts";
import type { QuestionBlock } from "../../view/blocks.ts";
import { person, type PanelProps } from "../contract.ts";
import { cardKey } from "./card-keys.ts";
import { EditedCommand } from "./edited-command.tsx";
import { leaveBy } from "./leave-by.ts";
import { useOpenedForm } from "./opened-form.ts";
import { ProblemLine } from "./problem-line.tsx";
import {
  type ApprovalSubject,
  askedFor,
  denyLabel,
  editableCommand,
  onceLabel,
  scopeLabel,
  widerLabel,
  widerScopes,
} from "./question-words.ts";
import { type SendingState, useSending } from "./sending.ts";

/** `drops`: what is not kept of the changes of a command that has run. */
type ApprovalAnswersProps = Pick<PanelProps, "ask"> & {
  question: QuestionBlock;
  rests: boolean;
  drops?: DroppedPart[];
  isNothingKept?: boolean;
};

export function ApprovalAnswers({ question, ask, rests, ...kept }: ApprovalAnswersProps) {
  const { drops = [], isNothingKept = false } = kept;
  const sending = useSending(ask);
  const way = useSignal<AnswerForm>("answers");
  const editable = editableCommand(question);
  const place = useRef<HTMLDivElement>(null);
  const answer = { type: "answer-approval", callId: question.callId, by: person } as const;
  const chosen = drops.length === 0 ? {} : { drops };
  const allow = (scope: Scope): void => void sending.send({ ...answer, answer: "allow", scope, ...chosen });
  const isStopped = rests || sending.busy;
  const what = askedFor(question);
  const isCritical = question.risk === "critical";
  const allowing = useRef<HTMLButtonElement>(null);
  const denying = <WayButton way={way} to="deny" off={isStopped} label={denyLabel(what)} />;
  const back = (): void => void (way.value = "answers");
  useFocusAfter(place, way.value === "answers");

  useKeys(place, (key) => {
    if (isStopped || way.peek() !== "answers") return;
    // Enter, on the button that has the focus then, is the second act.
    if (key === "y" && isNothingKept) return;
    if (key === "y" && isCritical) allowing.current?.focus();
    else if (key === "y") allow("once");
    else if (key === "n") way.value = "deny";
    else if (editable) way.value = "edit";
  });

  return (
    <div class="approval-answers" ref={place}>
      {way.value === "answers" ? (
        <>
          <div class="approval-buttons" role="group" aria-label="Answers">
            {isCritical ? denying : null}
            <button
              type="button"
              ref={allowing}
              class={isCritical ? "button critical" : "button primary"}
              disabled={isStopped || isNothingKept}
              onClick={() => allow("once")}
            >
              {onceLabel(what, drops.length > 0)}
            </button>
            {editable ? <WayButton way={way} to="edit" off={isStopped} label="Edit command…" /> : null}
            {isCritical ? null : denying}
          </div>
          <WiderAnswers question={question} off={isStopped || isNothingKept} allow={allow} />
        </>
      ) : null}
      {way.value === "deny" ? <Deny what={what} sending={sending} answer={answer} back={back} /> : null}
      {way.value === "edit" && editable ? (
        <EditedCommand {...editable} sending={sending} answer={answer} back={back} />
      ) : null}
      {way.value === "answers" ? (
        <KeyHints what={what} canEdit={editable !== undefined} isCritical={isCritical} />
      ) : null}
      <ProblemLine problem={sending.problem} />
    </div>
  );
}

type AnswerForm = "answers" | "deny" | "edit";
type AnswerFormButtonProps = { way: Signal<AnswerForm>; to: "deny" | "edit"; off: boolean; label: string };

function WayButton({ way, to, off, label }: AnswerFormButtonProps) {
  return (
    <button
      type="button"
      class={to === "deny" ? "button danger" : "button"}
      disabled={off}
      onClick={() => {
        way.value = to;
      }}
    >
      {label}
    </button>
  );
}

type WiderProps = { question: QuestionBlock; off: boolean; allow: (scope: Scope) => void };

function WiderAnswers({ question, off, allow }: WiderProps) {
  const scopes = widerScopes(question);
  const label = widerLabel(askedFor(question));
  if (scopes.length === 0) return null;
  return (
    <div class="approval-wider">
      <span aria-hidden="true">{label}</span>
      {scopes.map((scope) => (
        <button
          key={scope}
          type="button"
          class="button small"
          aria-label={`${label} ${scopeLabel(scope)}`}
          disabled={off}
          onClick={() => allow(scope)}
        >
          {scopeLabel(scope)}
        </button>
      ))}
    </div>
  );
}

type KeyHintsProps = { what: ApprovalSubject; canEdit: boolean; isCritical: boolean };

function KeyHints({ what, canEdit, isCritical }: KeyHintsProps) {
  const isHeld = what === "held";
  return (
    <p class="muted approval-keys">
      With the focus in this card: <kbd>Y</kbd>
      {isCritical ? (
        <>
          {" "}
          and then <kbd>Enter</kbd>
        </>
      ) : null}{" "}
      {isHeld ? "keep" : "once"}, <kbd>N</kbd> {isHeld ? "drop all" : "deny"}
      {canEdit ? (
        <>
          , <kbd>E</kbd> edit
        </>
      ) : null}
    </p>
  );
}

/** Returns the focus to the answers after a form is closed; an open form hides them. */
function useFocusAfter(place: { current: HTMLElement | null }, isBack: boolean): void {
  const wasBack = useRef(true);
  useLayoutEffect(() => {
    if (isBack && !wasBack.current) place.current?.querySelector("button")?.focus();
    wasBack.current = isBack;
  }, [isBack]);
}

/** Keys work only while the focus is in the card and not in a text field, so that typing never triggers them. */
function useKeys(place: { current: HTMLElement | null }, pressed: (key: "y" | "n" | "e") => void): void {
  useEffect(() => {
    const card = place.current?.closest("section");
    const listen = (event: KeyboardEvent): void => {
      const key = cardKey(event);
      if (key === undefined) return;
      event.preventDefault();
      pressed(key);
    };
    card?.addEventListener("keydown", listen);
    return () => card?.removeEventListener("keydown", listen);
  });
}

type DenyProps = {
  what: ApprovalSubject;
  sending: SendingState;
  answer: { type: "answer-approval"; callId: string; by: string };
  back: () => void;
};

function Deny({ what, sending, answer, back }: DenyProps) {
  const note = useSignal("");
  const field = useId();
  const input = useRef<HTMLInputElement>(null);
  useOpenedForm(input);
  const deny = (event: Event): void => {
    event.preventDefault();
    const words = note.value.trim();
    const told = words === "" ? {} : { note: words };
    void sending.send({ ...answer, answer: "deny", scope: "once", ...told });
  };
  return (
    <form class="approval-form" onSubmit={deny} onKeyDown={(event) => leaveBy(event, back)}>
      <label for={field}>Reason for the model (optional)</label>
      <input
        id={field}
        ref={input}
        class="field"
        value={note.value}
        autocomplete="off"
        onInput={(event) => (note.value = event.currentTarget.value)}
      />
      <div class="approval-buttons">
        <button type="submit" class="button danger" disabled={sending.busy}>
          {what === "held" ? "Drop all" : "Deny"}
        </button>
        <button type="button" class="button quiet" onClick={back}>
          Back
        </button>
      </div>
    </form>
  );
}
