/** The chat: its view, the commands that lead there, and what a message may take from the editor. */

import * as vscode from "vscode";
import type { ContentPart, TextPart } from "../../../../../src/protocol/messages.ts";
import type { MentionWord, ViewMessage } from "../../common/chat/messages.ts";
import type { CoreService } from "../core-service.ts";
import { folderOfWindow } from "../core-settings.ts";
import { ChatView, chatViewId } from "./chat-view.ts";
import { mentionsOf, problemsNow, selectedPart } from "./from-editor.ts";
import { keptView } from "./kept-view.ts";
import { saveSession } from "./save-session.ts";
import { showStanding } from "./standing.ts";

/** The chat as other features know it. */
type Chat = vscode.Disposable & {
  /** Whether a person sees it. */
  isVisible: () => boolean;
  onDidChangeVisibility: vscode.Event<void>;
  /** Shows a session, with the focus: only on request of a person. */
  show: (session: string) => Promise<void>;
};

export function registerChat({ context, address }: CoreService): Chat {
  const { extension } = context;
  const hear = (message: ViewMessage): void => {
    switch (message.type) {
      case "place-changed":
        void vscode.commands.executeCommand("toolwright.changes.showSession", message.session);
        return kept.show(message.session);
      case "storage-changed":
        return kept.change(message.changes);
      case "mentions-asked":
        return view.tell({ type: "mentions-read", id: message.id, parts: message.words.flatMap(partsOf) });
      case "files-dropped":
        return addTo(view, { text: mentionsOf(message.uris.map((uri) => vscode.Uri.parse(uri))) });
      case "session-saved":
        return void saveSession(context, message.session);
      default:
        return undefined; // the relay has heard it
    }
  };
  const kept = keptView(extension.workspaceState);
  const view = new ChatView({ extension, folder: folderOfWindow, restored: kept.restored, address, hear });
  const parts = vscode.Disposable.from(
    view,
    vscode.window.registerWebviewViewProvider(chatViewId, view, {
      webviewOptions: { retainContextWhenHidden: true },
    }),
    showStanding(context, (badge) => {
      view.badge = badge;
    }),
    ...commandsOf(view),
  );
  return {
    dispose: () => parts.dispose(),
    isVisible: () => view.isVisible(),
    onDidChangeVisibility: view.onDidChangeVisibility,
    show: (session) => showSession(view, session),
  };
}

const partsOf = (word: MentionWord): ContentPart[] => {
  const part = word === "@problems" ? problemsNow() : selectedPart();
  return part ? [part] : [];
};

const on = (name: string, run: (...given: unknown[]) => unknown): vscode.Disposable =>
  vscode.commands.registerCommand(`toolwright.${name}`, run);

function commandsOf(view: ChatView): vscode.Disposable[] {
  return [
    on("focusChat", () => focusComposer(view)),
    on("newConversation", () => {
      view.tell({ type: "place-shown", session: undefined });
      return focusComposer(view);
    }),
    on("showSession", (session) => (typeof session === "string" ? showSession(view, session) : view.focus())),
    on("addSelection", () => {
      const part = selectedPart();
      return part && addAndFocus(view, { files: [part] });
    }),
    on("addProblems", () => addAndFocus(view, { files: [problemsNow()] })),
    on("addFile", (clicked, chosen) => addAndFocus(view, { text: mentionsOf(urisIn(clicked, chosen)) })),
  ];
}

async function focusComposer(view: ChatView): Promise<void> {
  await view.focus();
  view.tell({ type: "composer-focused" });
}

function showSession(view: ChatView, session: string): Promise<void> {
  view.tell({ type: "place-shown", session });
  return view.focus();
}

type Added = { text?: string; files?: readonly TextPart[] };

function addAndFocus(view: ChatView, added: Added): Promise<void> {
  addTo(view, added);
  return focusComposer(view);
}

const addTo = (view: ChatView, { text = "", files = [] }: Added): void =>
  view.tell({ type: "draft-added", text, files });

/** The explorer tells the clicked file and all chosen ones; an editor's tab only its own; the palette nothing. */
function urisIn(clicked: unknown, chosen: unknown): vscode.Uri[] {
  const all = Array.isArray(chosen) && chosen.length > 0 ? chosen : [clicked];
  const uris = all.filter((one) => one instanceof vscode.Uri);
  const open = vscode.window.activeTextEditor?.document.uri;
  return uris.length > 0 || !open ? uris : [open];
}
