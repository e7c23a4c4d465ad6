/** The view's connection to the extension: the relay, and what either asks of the other besides. */

import type { SocketMaker } from "../../../../src/client.ts";
import type { ContentPart, TextPart } from "../../../../src/protocol/messages.ts";
import type { EditorMessage, MentionWord, ViewMessage } from "../common/chat/messages.ts";
import { Batches } from "../common/relay/batches.ts";
import { pageEnd } from "../common/relay/page-end.ts";
import type { WebviewHost } from "./view-host.ts";

/** What the extension may ask of the page. */
type PageActs = {
  show: (session: string | undefined) => void;
  focus: () => void;
  add: (added: { text: string; files: readonly TextPart[] }) => void;
};

type RestoredView = Extract<EditorMessage, { type: "view-restored" }>;

export type ViewConnection = {
  fetch: typeof globalThis.fetch;
  WebSocket: SocketMaker;
  send: (message: ViewMessage) => void;
  mentions: (words: readonly MentionWord[]) => Promise<readonly ContentPart[]>;
  /** What the extension kept of the view before; resolves once. */
  restored: Promise<RestoredView>;
  /** Carries out what the extension asks for, and has asked for so far. */
  act: (acts: PageActs) => void;
};

export function viewConnection(host: WebviewHost): ViewConnection {
  const asked = new Map<number, (parts: readonly ContentPart[]) => void>();
  const restored = Promise.withResolvers<RestoredView>();
  const acts = Promise.withResolvers<PageActs>();
  const batches: Batches<ViewMessage, EditorMessage> = new Batches({
    post: (envelope) => host.postMessage(envelope),
    hear: (message) => hear(message),
  });
  const send = (message: ViewMessage): void => batches.send(message);
  const page = pageEnd(send);
  const hear = (message: EditorMessage): void => {
    switch (message.type) {
      case "view-restored":
        return restored.resolve(message);
      case "place-shown":
        return void acts.promise.then(({ show }) => show(message.session));
      case "composer-focused":
        return void acts.promise.then(({ focus }) => focus());
      case "draft-added":
        return void acts.promise.then(({ add }) => add(message));
      case "mentions-read":
        return asked.get(message.id)?.(message.parts);
      default:
        return page.hear(message);
    }
  };
  addEventListener("message", ({ data }) => batches.take(data));
  batches.begin();
  return {
    fetch: page.fetch,
    WebSocket: page.WebSocket,
    send,
    mentions: (words) =>
      new Promise((resolve) => {
        const id = asked.size;
        asked.set(id, resolve);
        send({ type: "mentions-asked", id, words });
      }),
    restored: restored.promise,
    act: acts.resolve,
  };
}
