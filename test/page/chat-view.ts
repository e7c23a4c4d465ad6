/** The chat view of an editor, in a bare browser: its own document, script and relay, and the extension's end of it here. */

import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { WebSocket } from "ws";
import { bundleView } from "../../editors/vscode/scripts/bundles.ts";
import type { EditorMessage, ViewMessage } from "../../editors/vscode/src/common/chat/messages.ts";
import { viewHtml } from "../../editors/vscode/src/common/chat/view-html.ts";
import { Batches, type Envelope } from "../../editors/vscode/src/common/relay/batches.ts";
import { EditorEnd } from "../../editors/vscode/src/common/relay/editor-end.ts";
import { type PageTest, patience } from "./browser.ts";

const source = "http://chat-view.test";
const types: Readonly<Record<string, string>> = {
  js: "text/javascript",
  css: "text/css",
  svg: "image/svg+xml",
};

type ChatViewPage = { page: Page; send: (message: EditorMessage) => void };

type ChatViewOptions = {
  /** What was shown and kept when the window was closed. */
  session?: string;
  kept?: Record<string, string>;
  /** The extension's answer to what is not relayed. */
  answer?: (message: ViewMessage) => EditorMessage | undefined;
};

export async function openChatView(
  { browser, gateway, complaints }: PageTest,
  options: ChatViewOptions = {},
): Promise<ChatViewPage> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
  page.setDefaultTimeout(patience);
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  await serveFiles(page, gateway.test.workspace);
  const send = await connectView(page, { gateway, ...options });
  await page.goto(`${source}/`);
  await page.locator(options.session === undefined ? ".start" : ".conversation").waitFor();
  return { page, send };
}

async function builtFiles(): Promise<Map<string, Buffer>> {
  const folder = await mkdtemp(join(tmpdir(), "toolwright-view-"));
  await bundleView(folder);
  const names = await readdir(folder);
  const files = await Promise.all(
    names.map(async (name) => [name, await readFile(join(folder, name))] as const),
  );
  await rm(folder, { recursive: true });
  return new Map(files);
}

async function serveFiles(page: Page, workspace: string): Promise<void> {
  const files = await builtFiles();
  const html = viewHtml({
    source,
    script: `${source}/main.js`,
    style: `${source}/main.css`,
    nonce: "once",
    workspace,
  });
  await page.route(`${source}/**`, (route) => {
    const name = new URL(route.request().url()).pathname.slice(1);
    if (name === "") return route.fulfill({ contentType: "text/html", body: html });
    const contentType = types[name.slice(name.lastIndexOf(".") + 1)] ?? "";
    return route.fulfill({ contentType, body: files.get(name) ?? "" });
  });
}

type ViewParts = ChatViewOptions & Pick<PageTest, "gateway">;

/** What VS Code does between a webview and its extension. */
async function connectView(page: Page, { gateway, session, kept = {}, answer }: ViewParts) {
  const batches: Batches<EditorMessage, ViewMessage> = new Batches({
    post: (envelope) =>
      void page.evaluate((given) => postMessage(given, "*"), envelope).catch(() => undefined),
    hear: (message) => hear(message),
    begun: () => batches.send({ type: "view-restored", kept, session }),
  });
  const end = new EditorEnd({
    send: (message) => batches.send(message),
    gateway: async () => ({ url: gateway.url, token: gateway.token }),
    fetch: globalThis.fetch,
    openSocket: async (url, protocols) => new WebSocket(url, protocols),
    isBehind: () => false,
  });
  const hear = (message: ViewMessage): void => {
    const answered = answer?.(message);
    if (answered) batches.send(answered);
    switch (message.type) {
      case "place-changed":
      case "mentions-asked":
      case "files-dropped":
      case "session-saved":
      case "storage-changed":
        return undefined;
      default:
        return end.hear(message);
    }
  };
  await page.exposeFunction("toExtension", (envelope: Envelope<ViewMessage>) => batches.take(envelope));
  await page.addInitScript(
    `window.acquireVsCodeApi = () => ({ postMessage: (given) => void toExtension(given) });`,
  );
  return (message: EditorMessage): void => batches.send(message);
}
