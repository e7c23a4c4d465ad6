/** What a page in a webview and the extension tell each other: requests and sockets to a gateway, relayed. */

type HeaderLines = readonly (readonly [name: string, value: string])[];

/** A body goes in pieces, each of which its reader pulls. `body` is its name, unique in its relay. */
export type BodyMessage =
  | { type: "body-pull"; body: string }
  | { type: "body-piece"; body: string; bytes: Uint8Array }
  | { type: "body-end"; body: string }
  | { type: "body-broken"; body: string; problem: string }
  /** The reader wants no more. */
  | { type: "body-cancel"; body: string };

/** From the page. `path` begins with a slash; `id` is chosen by the page. */
export type PageRelayMessage =
  | BodyMessage
  | {
      type: "request-begin";
      id: number;
      method: string;
      path: string;
      headers: HeaderLines;
      /** The name of its body, if it has one. */
      body: string | undefined;
    }
  | { type: "request-abort"; id: number }
  | { type: "socket-open"; id: number; path: string }
  | { type: "socket-send"; id: number; text: string }
  | { type: "socket-close"; id: number };

/** To the page. */
export type EditorRelayMessage =
  | BodyMessage
  | {
      type: "reply-begin";
      id: number;
      status: number;
      headers: HeaderLines;
      body: string | undefined;
    }
  /** No reply: the gateway was not reached. */
  | { type: "reply-failed"; id: number; problem: string }
  | { type: "socket-opened"; id: number }
  | { type: "socket-heard"; id: number; text: string }
  | { type: "socket-closed"; id: number; code: number; reason: string };

export const requestBody = (id: number): string => `request ${id}`;
export const replyBody = (id: number): string => `reply ${id}`;
