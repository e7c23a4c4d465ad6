/** Unsent drafts for each session, which survive navigation and reloading the page. */

import * as z from "zod/mini";
import { mib } from "../../base/bound.ts";
import { parseJson } from "../../base/json.ts";
import { part } from "../../protocol/fact-parts.ts";
import type { ImagePart, ContentPart, TextPart } from "../../protocol/messages.ts";

/** Attachments of unsent messages that a tab keeps across a reload, in characters. */
export const mostDraftAdded = 4 * mib;

export type DraftAttachments = { images: readonly ImagePart[]; files: readonly TextPart[] };
export type MessageDraft = DraftAttachments & { text: string };

/** The browser storage it needs; its content is dropped with the tab. */
export type DraftStorage = Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

export type MessageDrafts = {
  of: (session: string) => MessageDraft;
  keep: (session: string, draft: MessageDraft) => void;
  /** Adds to a draft from outside its field: an editor's selection, say. */
  add: (session: string, added: Partial<MessageDraft>) => void;
  /** Told of each session whose draft was added to. Returns a function that ends it. */
  onAdded: (listener: (session: string) => void) => () => void;
};

export function draftsIn(context: DraftStorage): MessageDrafts {
  /** The drafts in memory, including those that exceed the browser's storage. */
  const here = new Map<string, MessageDraft>();
  const listeners = new Set<(session: string) => void>();
  const of = (session: string): MessageDraft =>
    here.get(session) ?? { text: context.getItem(textKey(session)) ?? "", ...addedIn(context, session) };
  const keep = (session: string, draft: MessageDraft): void => {
    const before = here.get(session);
    if (isNothing(draft)) here.delete(session);
    else here.set(session, draft);
    const isAddedAsBefore = before?.images === draft.images && before.files === draft.files;
    if (!isAddedAsBefore) keepAdded(context, session, draft);
    keepText(context, session, draft.text);
  };
  return {
    of,
    keep,
    add(session, added) {
      keep(session, withAdded(of(session), added));
      for (const tell of listeners) tell(session);
    },
    onAdded(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** Added text follows what is written, with a space between the two. */
function withAdded({ text, images, files }: MessageDraft, added: Partial<MessageDraft>): MessageDraft {
  const gap = text === "" || /\s$/u.test(text) || !added.text ? "" : " ";
  return {
    text: `${text}${gap}${added.text ?? ""}`,
    images: [...images, ...(added.images ?? [])],
    files: [...files, ...(added.files ?? [])],
  };
}

const isNothing = ({ text, images, files }: MessageDraft): boolean =>
  text.length + images.length + files.length === 0;

const textKey = (session: string): string => `toolwright-draft:${session}`;
const addedStart = "toolwright-draft-added:";
const addedKey = (session: string): string => addedStart + session;

const parts = z.array(part);
const isImage = (one: ContentPart): one is ImagePart => one.type === "image";
const isText = (one: ContentPart): one is TextPart => one.type === "text";

function addedIn(context: DraftStorage, session: string): DraftAttachments {
  const kept = parseJson(context.getItem(addedKey(session)) ?? "[]");
  const read = parts.safeParse(kept.ok ? kept.value : []);
  const all: ContentPart[] = read.success ? read.data : [];
  return { images: all.filter(isImage), files: all.filter(isText) };
}

function keepAdded(context: DraftStorage, session: string, { images, files }: DraftAttachments): void {
  context.removeItem(addedKey(session));
  if (images.length + files.length === 0) return;
  const content = JSON.stringify([...images, ...files]);
  const others = addedKeys(context).reduce((sum, key) => sum + (context.getItem(key)?.length ?? 0), 0);
  if (others + content.length <= mostDraftAdded) isKept(context, addedKey(session), content);
}

/** Text matters more than attachments, which are dropped if there is no room for both. */
function keepText(context: DraftStorage, session: string, text: string): void {
  if (text === "") return context.removeItem(textKey(session));
  if (isKept(context, textKey(session), text)) return;
  for (const key of addedKeys(context)) context.removeItem(key);
  isKept(context, textKey(session), text);
}

const addedKeys = (context: DraftStorage): string[] =>
  Array.from({ length: context.length }, (_, at) => context.key(at) ?? "").filter((key) =>
    key.startsWith(addedStart),
  );

/** Without room in the browser's storage, a draft lasts only as long as the page. */
function isKept(context: DraftStorage, key: string, content: string): boolean {
  try {
    context.setItem(key, content);
    return true;
  } catch {
    return false;
  }
}
