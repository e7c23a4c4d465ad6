/** What the field for messages does: drafts, sending, pictures, and calling back what was sent. */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { CommandOutcome } from "../../../protocol/commands.ts";
import type { Delivery } from "../../../protocol/facts.ts";
import type { Part } from "../../../protocol/messages.ts";
import { type Draft, draftOf, keepDraft } from "./drafts.ts";
import { notRecalling, recalled } from "./recall.ts";
import { usePictures } from "./use-pictures.ts";

export type ComposerProps = {
  /** Under which its draft is kept. */
  draft: string;
  isRunning: boolean;
  /** What was said before, oldest first. */
  sent: readonly string[];
  placeholder: string;
  /** `id` stays the same when the same is sent again: it is taken once. */
  send: (message: { id: string; content: Part[]; when: Delivery }) => Promise<CommandOutcome>;
  stop?: () => Promise<CommandOutcome>;
};

export function useComposer({ draft: id, sent, send, stop }: ComposerProps) {
  const { draft, field, change } = useDraft(id);
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState("");
  const recall = useRef(notRecalling);
  const message = useRef({ of: draft, id: "" });
  const pictures = usePictures((added) => {
    const now = draftOf(id);
    change({ text: field.current?.value ?? now.text, images: [...now.images, ...added] });
  }, setProblem);

  const submit = async (when: Delivery): Promise<void> => {
    if (isSending || isNothing(draft)) return;
    setSending(true);
    setProblem("");
    if (message.current.of !== draft || message.current.id === "")
      message.current = { of: draft, id: messageId() };
    const outcome = await send({ id: message.current.id, content: contentOf(draft), when });
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
    const { key, shiftKey, ctrlKey, metaKey, altKey, isComposing } = event;
    if (isComposing || altKey || shiftKey) return;
    if (key === "Enter") {
      event.preventDefault();
      void submit(ctrlKey || metaKey ? "next" : "steer");
    } else if (isArrow(key) && !ctrlKey && !metaKey && isAtEdge(field.current, key)) {
      if (callBack(key === "ArrowUp")) event.preventDefault();
    }
  };
  return { draft, isSending, problem, field, pictures, change, submit, halt, pressed };
}

export const isNothing = ({ text, images }: Draft): boolean => text.trim() === "" && images.length === 0;

/** The text as it is typed, as high as it needs. */
function useDraft(id: string) {
  const [draft, setDraft] = useState<Draft>(() => draftOf(id));
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    const place = field.current;
    if (!place) return;
    place.style.height = "auto";
    place.style.height = `${place.scrollHeight}px`;
  }, [draft.text]);
  useEffect(() => {
    // A keyboard that comes up unasked covers half of a phone.
    if (matchMedia("(hover: hover)").matches) field.current?.focus({ preventScroll: true });
  }, [id]);
  const change = (next: Draft): void => {
    setDraft(next);
    keepDraft(id, next);
  };
  return { draft, field, change };
}

const contentOf = ({ text, images }: Draft): Part[] => [
  ...(text.trim() === "" ? [] : [{ type: "text" as const, text }]),
  ...images,
];

/** Unlike `randomUUID`, this is there on a page that came without encryption, too. */
const messageId = (): string =>
  Array.from(crypto.getRandomValues(new Uint32Array(4)), (word) => word.toString(36)).join("-");

const isArrow = (key: string): key is "ArrowUp" | "ArrowDown" => key === "ArrowUp" || key === "ArrowDown";

/** Within several lines the arrows move the caret. */
function isAtEdge(field: HTMLTextAreaElement | null, key: "ArrowUp" | "ArrowDown"): boolean {
  if (!field || field.selectionStart !== field.selectionEnd) return false;
  return key === "ArrowUp"
    ? !field.value.slice(0, field.selectionStart).includes("\n")
    : !field.value.slice(field.selectionEnd).includes("\n");
}
