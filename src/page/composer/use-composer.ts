/** The composer's logic: drafts, sending, attachments, and recalling sent messages. */

import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { fileBounds } from "../../base/bounds.ts";
import { type Expected, refuse } from "../../base/expected.ts";
import type { CommandOutcome } from "../../protocol/commands.ts";
import type { Delivery } from "../../protocol/facts.ts";
import type { ContentPart, ImagePart } from "../../protocol/messages.ts";
import { pageBounds } from "../bounds.ts";
import type { MessageDraft, MessageDrafts, DraftAttachments } from "./drafts.ts";
import { notRecalling, recallMessage } from "./recall.ts";
import { cutWords, isCut, textFileOf } from "./text-files.ts";
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

/** Pictures and text files that are pasted, picked, or dropped anywhere in the window. */
function usePictures(add: (added: DraftAttachments) => void, tell: (problem: string) => void) {
  const [isOver, setOver] = useState(false);
  const take = async (given: readonly File[], has: number): Promise<void> => {
    const { messageFiles } = pageBounds;
    const { images: messageImages } = fileBounds;
    const space = Math.max(0, messageImages.most - has);
    const pictures = given.filter(isPicture);
    const others = given.filter((file) => !isPicture(file));
    const images = await Promise.all(pictures.slice(0, space).map(pictureOf));
    const files = await Promise.all(others.slice(0, messageFiles.most).map(textFileOf));
    add({
      images: images.flatMap((picture) => (picture.ok ? [picture.value] : [])),
      files: files.flatMap((file) => (file.ok ? [file.value] : [])),
    });
    const problems = [...images, ...files].flatMap((read) => (read.ok ? [] : [read.problem]));
    if (pictures.length > space) problems.push(`A message takes ${messageImages.most} pictures at most.`);
    if (others.length > messageFiles.most) problems.push(`${messageFiles.most} files can be added at once.`);
    problems.push(...others.slice(0, messageFiles.most).filter(isCut).map(cutWords));
    tell(problems.join(" "));
  };
  useEffect(() => {
    const leaves = new AbortController();
    const listen = (type: "dragover" | "dragleave" | "drop", heard: (event: DragEvent) => void): void =>
      window.addEventListener(type, heard, { signal: leaves.signal });
    listen("dragover", (event) => {
      if (!bringsFiles(event)) return;
      event.preventDefault();
      setOver(true);
    });
    listen("dragleave", ({ relatedTarget }) => {
      if (relatedTarget === null) setOver(false);
    });
    listen("drop", (event) => {
      if (!bringsFiles(event)) return;
      event.preventDefault(); // otherwise the browser leaves the page for the file
      setOver(false);
      void take([...(event.dataTransfer?.files ?? [])], pictureCount());
    });
    return () => leaves.abort();
  });
  return {
    isOver,
    paste: (event: ClipboardEvent): void => {
      const files = pastedFiles(event.clipboardData);
      if (files.length === 0) return;
      event.preventDefault();
      void take(files, pictureCount());
    },
    pick: (event: Event): void => {
      const { target } = event;
      if (!(target instanceof HTMLInputElement)) return;
      const files = [...(target.files ?? [])];
      target.value = "";
      void take(files, pictureCount());
    },
  };
}

const bringsFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes("Files") === true;

/** A very long pasted text becomes a file: it would slow the field down and bury the user's own words. */
function pastedFiles(pasted: DataTransfer | null): File[] {
  const text = pasted?.getData("text/plain") ?? "";
  if (pasted && pasted.files.length > 0) return [...pasted.files];
  return text.length > pageBounds.pastedText.most ? [new File([text], "pasted.txt")] : [];
}

/** SVG is text, and models accept it in no other form. */
const isPicture = ({ type }: File): boolean => type.startsWith("image/") && type !== "image/svg+xml";

/** The number of pictures already attached. */
const pictureCount = (): number => document.querySelectorAll(".composer-pictures li").length;

const taken = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
/** Pixels of the longer side; models do not use a higher resolution. */
const longestSide = 1568;
const qualities = [0.9, 0.75, 0.6];

/** Prepares pictures for a message: shrinks those that are too large, and refuses those that remain so. */
async function pictureOf(file: File): Promise<Expected<ImagePart>> {
  if (!file.type.startsWith("image/")) return refusal(file, "is not a picture");
  const picture = await createImageBitmap(file).catch(() => undefined);
  if (!picture) return refusal(file, "cannot be read as a picture: it may be damaged");
  if (isSentAsIs(file, picture))
    return { ok: true, value: { type: "image", mediaType: file.type, data: await base64(file) } };
  const drawn = await smaller(picture).catch(() => undefined);
  if (!drawn) return refusal(file, "cannot be made smaller");
  if (drawn.size > pageBounds.imageBytes.most) return refusal(file, "is too large, even made smaller");
  return { ok: true, value: { type: "image", mediaType: drawn.type, data: await base64(drawn) } };
}

const isSentAsIs = ({ type, size }: File, { width, height }: ImageBitmap): boolean =>
  taken.has(type) && size <= pageBounds.imageBytes.most && Math.max(width, height) <= fileBounds.side.most;

const refusal = ({ name }: File, why: string): { ok: false; problem: string } =>
  refuse(`${name === "" ? "What was pasted" : name} ${why}.`);

async function smaller(picture: ImageBitmap): Promise<Blob> {
  const scale = Math.min(1, longestSide / Math.max(picture.width, picture.height));
  const canvas = new OffscreenCanvas(Math.ceil(picture.width * scale), Math.ceil(picture.height * scale));
  const context = canvas.getContext("2d");
  if (!context) throw new Error("This browser cannot draw.");
  // Transparent areas would become black.
  context.fillStyle = "white";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  let drawn = await canvas.convertToBlob({ type: "image/png" });
  for (const quality of qualities) {
    if (drawn.size <= pageBounds.imageBytes.most) return drawn;
    drawn = await canvas.convertToBlob({ type: "image/jpeg", quality });
  }
  return drawn;
}

async function base64(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  let text = "";
  const step = 32_768;
  for (let at = 0; at < bytes.length; at += step)
    text += String.fromCharCode(...bytes.subarray(at, at + step));
  return btoa(text);
}
