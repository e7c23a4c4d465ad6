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
};

export function draftsIn(room: DraftStorage): MessageDrafts {
  /** The drafts in memory, including those that exceed the browser's storage. */
  const here = new Map<string, MessageDraft>();
  return {
    of: (session) =>
      here.get(session) ?? { text: room.getItem(textKey(session)) ?? "", ...addedIn(room, session) },
    keep(session, draft) {
      const before = here.get(session);
      if (isNothing(draft)) here.delete(session);
      else here.set(session, draft);
      const isAddedAsBefore = before?.images === draft.images && before.files === draft.files;
      if (!isAddedAsBefore) keepAdded(room, session, draft);
      keepText(room, session, draft.text);
    },
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

function addedIn(room: DraftStorage, session: string): DraftAttachments {
  const kept = parseJson(room.getItem(addedKey(session)) ?? "[]");
  const read = parts.safeParse(kept.ok ? kept.value : []);
  const all: ContentPart[] = read.success ? read.data : [];
  return { images: all.filter(isImage), files: all.filter(isText) };
}

function keepAdded(room: DraftStorage, session: string, { images, files }: DraftAttachments): void {
  room.removeItem(addedKey(session));
  if (images.length + files.length === 0) return;
  const content = JSON.stringify([...images, ...files]);
  const others = addedKeys(room).reduce((sum, key) => sum + (room.getItem(key)?.length ?? 0), 0);
  if (others + content.length <= mostDraftAdded) isKept(room, addedKey(session), content);
}

/** Text matters more than attachments, which are dropped if there is no room for both. */
function keepText(room: DraftStorage, session: string, text: string): void {
  if (text === "") return room.removeItem(textKey(session));
  if (isKept(room, textKey(session), text)) return;
  for (const key of addedKeys(room)) room.removeItem(key);
  isKept(room, textKey(session), text);
}

const addedKeys = (room: DraftStorage): string[] =>
  Array.from({ length: room.length }, (_, at) => room.key(at) ?? "").filter((key) =>
    key.startsWith(addedStart),
  );

/** Without room in the browser's storage, a draft lasts only as long as the page. */
function isKept(room: DraftStorage, key: string, content: string): boolean {
  try {
    room.setItem(key, content);
    return true;
  } catch {
    return false;
  }
}
