/** For tests: both ends of a relay, with messages that go through a structured clone as between a page and VS Code. */

import { WebSocket } from "ws";
import { type Client, connect } from "../../../../../../src/client.ts";
import { Batches, type Envelope } from "../batches.ts";
import { EditorEnd, type GatewayAddress } from "../editor-end.ts";
import type { EditorRelayMessage, PageRelayMessage } from "../messages.ts";
import { pageEnd, relayedUrl } from "../page-end.ts";

type TestRelay = {
  client: Client;
  fetch: typeof globalThis.fetch;
  /** Resolves when the extension next sends the page a message of this type, taken or not. */
  sends: (type: EditorRelayMessage["type"]) => Promise<void>;
  /** While held, the page takes nothing. */
  hold: () => void;
  release: () => void;
  close: () => void;
};

type TestRelayOptions = {
  gateway: () => Promise<GatewayAddress>;
  mostWaiting?: number;
  /** How the extension asks the gateway. */
  fetch?: typeof globalThis.fetch;
};

export function testRelay({ gateway, mostWaiting = Infinity, fetch }: TestRelayOptions): TestRelay {
  const waiting = new Map<string, PromiseWithResolvers<void>>();
  let held: Envelope<EditorRelayMessage>[] | undefined;
  const deliver = (envelope: Envelope<EditorRelayMessage>): void => {
    if (held) held.push(envelope);
    else later(() => pageSide.take(structuredClone(envelope)));
  };
  const editorSide: Batches<EditorRelayMessage, PageRelayMessage> = new Batches({
    post: deliver,
    hear: (message) => end.hear(message),
    sizeOf: (message) => ("text" in message ? message.text.length : 1),
  });
  const pageSide: Batches<PageRelayMessage, EditorRelayMessage> = new Batches({
    post: (envelope) => later(() => editorSide.take(structuredClone(envelope))),
    hear: (message) => page.hear(message),
  });
  const end = new EditorEnd({
    send(message) {
      editorSide.send(message);
      waiting.get(message.type)?.resolve();
    },
    gateway,
    fetch: fetch ?? globalThis.fetch,
    openSocket: async (url, protocols) => new WebSocket(url, protocols),
    isBehind: () => editorSide.waitingSize > mostWaiting,
  });
  const page = pageEnd((message) => pageSide.send(message));
  return {
    client: connect({ url: relayedUrl, token: "none", fetch: page.fetch, WebSocket: page.WebSocket }),
    fetch: page.fetch,
    sends(type) {
      const sent = Promise.withResolvers<void>();
      waiting.set(type, sent);
      return sent.promise;
    },
    hold: () => void (held ??= []),
    release() {
      const all = held ?? [];
      held = undefined;
      for (const envelope of all) deliver(envelope);
    },
    close: () => end.close(),
  };
}

const later = (task: () => void): void => void setImmediate(task);
