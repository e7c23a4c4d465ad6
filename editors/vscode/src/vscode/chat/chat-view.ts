/** The chat view: the page in a webview, its requests relayed to the core. */

import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import { mib } from "../../../../../src/base/bound.ts";
import type { EditorMessage, ViewMessage } from "../../common/chat/messages.ts";
import { viewHtml } from "../../common/chat/view-html.ts";
import { Batches, type Envelope } from "../../common/relay/batches.ts";
import { EditorEnd, type GatewayAddress } from "../../common/relay/editor-end.ts";

export const chatViewId = "toolwright.chat";

/** Characters that may wait for a view that is busy or hidden. */
const mostWaiting = 16 * mib;
/** And that are posted to it at once. */
const mostTogether = mib / 2;

type ChatViewContext = {
  extension: vscode.ExtensionContext;
  folder: () => string | undefined;
  /** What a view that begins is told first. */
  restored: () => EditorMessage;
  address: () => Promise<GatewayAddress>;
  /** What the page says besides what it relays. */
  hear: (message: ViewMessage) => void;
};

export class ChatView implements vscode.WebviewViewProvider, vscode.Disposable {
  readonly #context: ChatViewContext;
  #view: vscode.WebviewView | undefined;
  #end: EditorEnd | undefined;
  #batches: Batches<EditorMessage, ViewMessage> | undefined;
  /** For a page that has not begun yet. */
  #pending: EditorMessage[] = [];
  #badge: vscode.ViewBadge | undefined;
  readonly #visibility = new vscode.EventEmitter<void>();
  readonly onDidChangeVisibility = this.#visibility.event;

  constructor(context: ChatViewContext) {
    this.#context = context;
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.#view = view;
    const { webview } = view;
    const root = this.#root;
    webview.options = { enableScripts: true, localResourceRoots: [root] };
    const batches: Batches<EditorMessage, ViewMessage> = new Batches({
      post: (envelope) => void webview.postMessage(envelope),
      hear: (message) => this.#hear(message),
      begun: () => this.#begun(batches),
      mostTogether,
      sizeOf: (message) => ("text" in message ? message.text.length : 1),
    });
    webview.onDidReceiveMessage((envelope: Envelope<ViewMessage>) => batches.take(envelope));
    view.onDidChangeVisibility(() => this.#turned());
    view.onDidDispose(() => this.#left(view));
    webview.html = viewHtml({
      source: webview.cspSource,
      script: String(webview.asWebviewUri(vscode.Uri.joinPath(root, "main.js"))),
      style: String(webview.asWebviewUri(vscode.Uri.joinPath(root, "main.css"))),
      nonce: randomBytes(16).toString("hex"),
      workspace: this.#context.folder() ?? "",
    });
    this.#turned();
  }

  /** Whether a person sees it. */
  isVisible(): boolean {
    return this.#view?.visible === true;
  }

  /** Told to the page now, or when it has begun. */
  tell(message: EditorMessage): void {
    if (this.#batches) this.#batches.send(message);
    else this.#pending.push(message);
  }

  /** Shows the view and puts the focus into it; only on request of the user. */
  async focus(): Promise<void> {
    await vscode.commands.executeCommand(`${chatViewId}.focus`);
  }

  /** Shown on the view's icon while the view is hidden. */
  set badge(badge: vscode.ViewBadge | undefined) {
    this.#badge = badge;
    this.#showBadge();
  }

  dispose(): void {
    this.#end?.close();
    this.#visibility.dispose();
  }

  get #root(): vscode.Uri {
    return vscode.Uri.joinPath(this.#context.extension.extensionUri, "webview");
  }

  #turned(): void {
    this.#showBadge();
    this.#visibility.fire();
  }

  #showBadge(): void {
    if (this.#view) this.#view.badge = this.#view.visible ? undefined : this.#badge;
  }

  /** The page has been loaded, perhaps again. */
  #begun(batches: Batches<EditorMessage, ViewMessage>): void {
    this.#end?.close();
    this.#end = new EditorEnd({
      send: (message) => batches.send(message),
      gateway: this.#context.address,
      fetch: globalThis.fetch,
      openSocket: async (url, protocols) => {
        const { WebSocket } = await import("../../node/open-core.ts");
        return new WebSocket(url, protocols);
      },
      isBehind: () => batches.waitingSize > mostWaiting,
    });
    this.#batches = batches;
    batches.send(this.#context.restored());
    for (const message of this.#pending.splice(0)) batches.send(message);
  }

  #hear(message: ViewMessage): void {
    switch (message.type) {
      case "place-changed":
      case "mentions-asked":
      case "files-dropped":
      case "session-saved":
      case "storage-changed":
        return this.#context.hear(message);
      default:
        return this.#end?.hear(message);
    }
  }

  #left(view: vscode.WebviewView): void {
    if (this.#view !== view) return;
    this.#end?.close();
    this.#view = undefined;
    this.#end = undefined;
    this.#batches = undefined;
    this.#turned();
  }
}
