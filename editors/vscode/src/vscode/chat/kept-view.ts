/** What the view had, for a window that is opened again: kept in the state of the workspace. */

import type * as vscode from "vscode";
import type { EditorMessage } from "../../common/chat/messages.ts";
import { type StorageChanges, withChanges } from "../../common/chat/view-storage.ts";

const shownKey = "chat.session";
const storageKey = "chat.storage";

type KeptView = {
  restored: () => EditorMessage;
  show: (session: string | undefined) => void;
  change: (changes: StorageChanges) => void;
};

export function keptView(state: vscode.Memento): KeptView {
  const stored = (): Record<string, string> => state.get<Record<string, string>>(storageKey, {});
  return {
    restored: () => ({ type: "view-restored", kept: stored(), session: state.get<string>(shownKey) }),
    show: (session) => void state.update(shownKey, session),
    change: (changes) => void state.update(storageKey, withChanges(stored(), changes)),
  };
}
