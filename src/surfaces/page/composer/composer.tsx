/** Where a person writes: text and pictures, sent now, or after what runs. */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { CommandOutcome } from "../../../protocol/commands.ts";
import type { Delivery } from "../../../protocol/facts.ts";
import type { Part } from "../../../protocol/messages.ts";
import { Icon } from "../icon.tsx";
import { type Draft, draftOf, keepDraft } from "./drafts.ts";
import { ComposerButtons } from "./composer-buttons.tsx";
import { Pictures } from "./pictures.tsx";
import { notRecalling, recalled } from "./recall.ts";
import { usePictures } from "./use-pictures.ts";
import "./composer.css";

export type ComposerProps = {
  /** Under which its draft is kept. */
  draft: string;
  isRunning: boolean;
  /** What was said before, oldest first. */
  sent: readonly string[];
  placeholder: string;
  send(content: Part[], when: Delivery): Promise<CommandOutcome>;
  stop?: () => Promise<CommandOutcome>;
};

export function Composer({ draft: id, isRunning, sent, placeholder, send, stop }: ComposerProps) {
  const [draft, setDraft] = useState<Draft>(() => draftOf(id));
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState("");
  const recall = useRef(notRecalling);
  const field = useRef<HTMLTextAreaElement>(null);
  const change = (next: Draft): void => {
    setDraft(next);
    keepDraft(id, next);
  };
  const pictures = usePictures((added) => {
    const now = draftOf(id);
    change({ text: field.current?.value ?? now.text, images: [...now.images, ...added] });
  }, setProblem);
  useGrowingField(field, draft.text);
  useEffect(() => {
    // A keyboard that comes up unasked covers half of a phone.
    if (matchMedia("(hover: hover)").matches) field.current?.focus({ preventScroll: true });
  }, [id]);

  const submit = async (when: Delivery): Promise<void> => {
    if (isSending || (draft.text.trim() === "" && draft.images.length === 0)) return;
    setSending(true);
    setProblem("");
    const outcome = await send(contentOf(draft), when);
    setSending(false);
    if (!outcome.ok) return setProblem(outcome.problem);
    recall.current = notRecalling;
    change({ text: "", images: [] });
    field.current?.focus();
  };
  const halt = async (): Promise<void> => {
    const outcome = await stop?.();
    setProblem(outcome && !outcome.ok ? outcome.problem : "");
  };
  const callBack = (back: boolean): boolean => {
    const found = recalled(recall.current, { text: draft.text, sent, back });
    if (!found) return false;
    recall.current = found.recall;
    change({ ...draft, text: found.text });
    return true;
  };
  const pressed = (event: KeyboardEvent): void => {
    const { key, shiftKey, ctrlKey, metaKey, isComposing } = event;
    if (isComposing) return;
    const isPlain = !shiftKey && !ctrlKey && !metaKey && !event.altKey;
    if (key === "Enter" && !shiftKey && !event.altKey) {
      event.preventDefault();
      void submit(ctrlKey || metaKey ? "next" : "steer");
    } else if (isPlain && (key === "ArrowUp" || key === "ArrowDown") && isAtEdge(field.current, key)) {
      if (callBack(key === "ArrowUp")) event.preventDefault();
    }
  };

  return (
    <form
      class={`composer ${pictures.isOver ? "composer-over" : ""}`}
      onSubmit={(event) => {
        event.preventDefault();
        void submit("steer");
      }}
      {...pictures.dropping}
    >
      {problem !== "" && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <Pictures images={draft.images} change={(images) => change({ ...draft, images })} />
      <div class="composer-field">
        <textarea
          ref={field}
          rows={1}
          class="composer-text"
          aria-label="Message"
          placeholder={placeholder}
          value={draft.text}
          readOnly={isSending}
          onInput={({ currentTarget: { value } }) => change({ ...draft, text: value })}
          onKeyDown={pressed}
          onPaste={pictures.paste}
          enterkeyhint="send"
        />
        <div class="composer-bar">
          <label class="icon-button composer-pick">
            <Icon name="image" />
            <span class="visually-hidden">Add a picture</span>
            <input class="visually-hidden" type="file" accept="image/*" multiple onChange={pictures.pick} />
          </label>
          <span class="composer-hint muted">{isRunning ? runningHint : ""}</span>
          <ComposerButtons
            isRunning={isRunning}
            isEmpty={draft.text.trim() === "" && draft.images.length === 0}
            isSending={isSending}
            queue={() => void submit("next")}
            stop={stop ? () => void halt() : undefined}
          />
        </div>
      </div>
    </form>
  );
}

const runningHint = "Enter: tell it now · Ctrl+Enter: after it · Esc: stop";

const contentOf = ({ text, images }: Draft): Part[] => [
  ...(text.trim() === "" ? [] : [{ type: "text" as const, text }]),
  ...images,
];

/** As high as its text, up to what its style allows. */
function useGrowingField(field: { current: HTMLTextAreaElement | null }, text: string): void {
  useLayoutEffect(() => {
    const place = field.current;
    if (!place) return;
    place.style.height = "auto";
    place.style.height = `${place.scrollHeight}px`;
  }, [text]);
}

/** Within several lines the arrows move the caret. */
function isAtEdge(field: HTMLTextAreaElement | null, key: string): boolean {
  if (!field || field.selectionStart !== field.selectionEnd) return false;
  return key === "ArrowUp"
    ? !field.value.slice(0, field.selectionStart).includes("\n")
    : !field.value.slice(field.selectionEnd).includes("\n");
}
