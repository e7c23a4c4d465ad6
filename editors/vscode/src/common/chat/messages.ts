/** What the chat view and the extension tell each other, besides what they relay. */

import type { ContentPart, TextPart } from "../../../../../src/protocol/messages.ts";
import type { EditorRelayMessage, PageRelayMessage } from "../relay/messages.ts";
import type { StorageChanges } from "./view-storage.ts";

/** Words in a message that stand for something in the editor. */
export const mentionWords = ["@selection", "@problems"] as const;
export type MentionWord = (typeof mentionWords)[number];

/** From the view. */
export type ViewMessage =
  | PageRelayMessage
  /** Which session is shown; none at the start. */
  | { type: "place-changed"; session: string | undefined }
  /** Asks for what these words stand for now; `mentions-read` answers. */
  | { type: "mentions-asked"; id: number; words: readonly MentionWord[] }
  /** Files were dropped from the editor: their addresses. */
  | { type: "files-dropped"; uris: readonly string[] }
  | { type: "session-saved"; session: string }
  | { type: "storage-changed"; changes: StorageChanges };

/** To the view. */
export type EditorMessage =
  | EditorRelayMessage
  /** The first one: what the view kept, and the session to show. */
  | { type: "view-restored"; kept: Readonly<Record<string, string>>; session: string | undefined }
  | { type: "place-shown"; session: string | undefined }
  | { type: "composer-focused" }
  | { type: "draft-added"; text: string; files: readonly TextPart[] }
  | { type: "mentions-read"; id: number; parts: readonly ContentPart[] };
