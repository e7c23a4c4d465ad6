/** Edits the command under approval: exactly the text entered here runs, once. */

import { useSignal } from "@preact/signals";
import { useId, useRef } from "preact/hooks";
import { leaveBy } from "./leave-by.ts";
import { useOpenedForm } from "./opened-form.ts";
import { hiddenIn } from "./question-words.ts";
import type { SendingState } from "./sending.ts";

type EditedCommandProps = {
  command: string;
  /** The directory, unless it is the workspace's root. */
  where: string;
  sending: SendingState;
  answer: { type: "answer-approval"; callId: string; by: string };
  back: () => void;
};

export function EditedCommand({ command, where, sending, answer, back }: EditedCommandProps) {
  const text = useSignal(command);
  const field = useId();
  const input = useRef<HTMLTextAreaElement>(null);
  useOpenedForm(input);
  const hidden = hiddenIn(text.value);
  const isEmpty = text.value.trim() === "";
  const run = (event: Event): void => {
    event.preventDefault();
    if (isEmpty) return;
    const other = text.value === command ? {} : { command: text.value };
    void sending.send({ ...answer, answer: "allow", scope: "once", ...other });
  };
  return (
    <form
      class="approval-form"
      onSubmit={run}
      onKeyDown={(event) => {
        leaveBy(event, back);
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) run(event);
      }}
    >
      <label for={field}>Command to run{where === "" ? "" : ` ${where}`}</label>
      <textarea
        id={field}
        ref={input}
        class="field mono"
        rows={Math.min(12, text.value.split("\n").length + 1)}
        spellcheck={false}
        autocomplete="off"
        value={text.value}
        onInput={(event) => (text.value = event.currentTarget.value)}
      />
      {hidden === undefined ? null : (
        <>
          <p>It contains characters that this field cannot show. Here they are visible:</p>
          <pre class="approval-command mono">{hidden}</pre>
        </>
      )}
      <div class="approval-buttons">
        <button type="submit" class="button primary" disabled={sending.busy || isEmpty}>
          {text.value === command ? "Run once" : "Run edited command once"}
        </button>
        <button type="button" class="button quiet" onClick={back}>
          Back
        </button>
      </div>
    </form>
  );
}
