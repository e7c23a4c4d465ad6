/** The composer's logic: drafts, sending, attachments, and recalling sent messages. */

import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { CommandOutcome } from "../../protocol/commands.ts";
import type { Delivery } from "../../protocol/facts.ts";
import type { ContentPart } from "../../protocol/messages.ts";
import type { MessageDraft, MessageDrafts } from "./drafts.ts";
import { notRecalling, recallMessage } from "./recall.ts";
import { usePictures } from "./use-pictures.ts";
import { type ReadCommands, useSlash } from "./use-slash.ts";

export type ComposerProps = {
  drafts: MessageDrafts;
  /** The key of the stored draft. */
  draft: string;
  isRunning: boolean;
  /** Earlier messages, oldest first. */
  sent: readonly string[];
  placeholder: string;
  commands: ReadCommands;
  /** `id` stays the same when the message is resent, so the gateway accepts it only once. */
  send: (message: { id: string; content: ContentPart[]; when: Delivery }) => Promise<CommandOutcome>;
  stop?: () => Promise<CommandOutcome>;
};

export function useComposer({ drafts, draft: id, sent, placeholder, commands, send, stop }: ComposerProps) {
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState("");
  // A message's problem is shown until the text is changed.
  const { draft, field, change } = useDraft(drafts, id, () => setProblem(""));
  useFittingHeight(field, draft.text, placeholder);
  const recall = useRef(notRecalling);
  const message = useRef({ of: draft, id: "" });
  const pictures = usePictures((added) => {
    const now = drafts.of(id);
    change({
      text: field.current?.value ?? now.text,
      images: [...now.images, ...added.images],
      files: [...now.files, ...added.files],
    });
  }, setProblem);
  const slash = useSlash({
    text: draft.text,
    read: commands,
    take: (text) => change({ ...draft, text }),
  });

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
    change({ text: "", images: [], files: [] });
    field.current?.focus();
  };
  const halt = async (): Promise<void> => {
    const outcome = await stop?.();
    setProblem(outcome && !outcome.ok ? outcome.problem : "");
  };
  const callBack = (to: "older" | "newer"): boolean => {
    const found = recallMessage(recall.current, { text: draft.text, sent, to });
    if (!found) return false;
    recall.current = found.recall;
    change({ ...draft, text: found.text });
    return true;
  };
  const pressed = (event: KeyboardEvent): void => {
    if (slash.pressed(event)) return;
    const { key, shiftKey, ctrlKey, metaKey, altKey, isComposing } = event;
    if (isComposing || altKey || shiftKey) return;
    if (key === "Enter") {
      event.preventDefault();
      void submit(ctrlKey || metaKey ? "next" : "steer");
    } else if (isArrow(key) && !ctrlKey && !metaKey && isAtEdge(field.current, key)) {
      if (callBack(key === "ArrowUp" ? "older" : "newer")) event.preventDefault();
    }
  };
  return { draft, isSending, problem, field, pictures, slash, change, submit, halt, pressed };
}

export const isNothing = ({ text, images, files }: MessageDraft): boolean =>
  text.trim() === "" && images.length + files.length === 0;

/** The stored draft: text and attachments. */
function useDraft(drafts: MessageDrafts, id: string, changed: () => void) {
  const [draft, setDraft] = useState<MessageDraft>(() => drafts.of(id));
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    // On a phone, an on-screen keyboard that opens unasked would cover half of the screen.
    if (matchMedia("(hover: hover)").matches) field.current?.focus({ preventScroll: true });
  }, [id]);
  // Not `useEffect`: until that ran, after the next frame, what is added would not be shown.
  useLayoutEffect(
    () =>
      drafts.onAdded((to) => {
        if (to === id) setDraft(drafts.of(id));
      }),
    [id],
  );
  const change = (next: MessageDraft): void => {
    setDraft(next);
    drafts.keep(id, next);
    changed();
  };
  return { draft, field, change };
}

const contentOf = ({ text, images, files }: MessageDraft): ContentPart[] => [
  ...(text.trim() === "" ? [] : [{ type: "text" as const, text }]),
  ...files,
  ...images,
];

/** Unlike `randomUUID`, this also works on a page loaded without encryption. */
const messageId = (): string =>
  Array.from(crypto.getRandomValues(new Uint32Array(4)), (word) => word.toString(36)).join("-");

const isArrow = (key: string): key is "ArrowUp" | "ArrowDown" => key === "ArrowUp" || key === "ArrowDown";

/** Inside a multi-line text, the arrow keys move the caret. */
function isAtEdge(field: HTMLTextAreaElement | null, key: "ArrowUp" | "ArrowDown"): boolean {
  if (!field || field.selectionStart !== field.selectionEnd) return false;
  return key === "ArrowUp"
    ? !field.value.slice(0, field.selectionStart).includes("\n")
    : !field.value.slice(field.selectionEnd).includes("\n");
}

function useFittingHeight(
  field: RefObject<HTMLTextAreaElement | null>,
  text: string,
  placeholder: string,
): void {
  useLayoutEffect(() => fit(field.current), [text, placeholder]);
  useEffect(() => {
    const place = field.current;
    if (!place) return undefined;
    let width = place.clientWidth;
    const observer = new ResizeObserver(() => {
      if (place.clientWidth === width) return;
      width = place.clientWidth;
      fit(place);
    });
    observer.observe(place);
    return () => observer.disconnect();
  }, []);
}

function fit(place: HTMLTextAreaElement | null): void {
  if (!place) return;
  place.style.height = "auto";
  place.style.height = `${place.scrollHeight}px`;
}
