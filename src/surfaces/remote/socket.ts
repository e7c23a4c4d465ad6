/** One WebSocket to a gateway, from its opening to its end. */
import { bounds } from "../../base/bounds.ts";
import { isObject } from "../../base/json.ts";
import { type ClientFrame, type ServerFrame, socketPath, socketProtocol } from "./frames.ts";

/** What browsers, Node and the package ws have in common. */
export type SocketLike = {
  send(data: string): void;
  close(code?: number, reason?: string): void;
  addEventListener(type: "open" | "error", listener: () => void): void;
  addEventListener(type: "message", listener: (event: { data: unknown }) => void): void;
  addEventListener(type: "close", listener: (event: { code: number; reason: string }) => void): void;
};
export type SocketMaker = new (url: string, protocols: string[]) => SocketLike;

export type Socket = {
  send: (frame: ClientFrame) => void;
  /** Its end is told as soon as this is called: a dead connection does not say goodbye. */
  close: () => void;
  /** Asks for a sign of life now. */
  check: () => void;
};

export type SocketEnd = { code: number; because: string; wasOpen: boolean };

export type SocketListener = {
  /** `characters`: the length of the frame as it came. */
  heard: (frame: ServerFrame, characters: number) => void;
  ended: (end: SocketEnd) => void;
};

export type SocketPlace = { url: string; token: string; WebSocket: SocketMaker };

/** Never throws; what goes wrong is an end. */
export function openSocket(place: SocketPlace, listener: SocketListener): Socket {
  let isOver = false;
  let wasOpen = false;
  let heardAt = Date.now();
  const end = (code: number, because: string) => {
    if (isOver) return;
    isOver = true;
    clearTimeout(opening);
    clearInterval(beat);
    socket?.close();
    listener.ended({ code, because, wasOpen });
  };
  const hear = (data: unknown) => {
    if (isOver) return;
    heardAt = Date.now();
    const frame = readFrame(data);
    if (!frame) return end(0, "The gateway sent something that this client does not understand.");
    if (frame.type === "welcome") {
      wasOpen = true;
      clearTimeout(opening);
    }
    if (frame.type !== "pong") listener.heard(frame, String(data).length);
  };
  const send = (frame: ClientFrame) => {
    if (!isOver) socket?.send(JSON.stringify(frame));
  };
  const silence = bounds.remote.silence.most;
  const opening = setTimeout(
    () => end(0, "The gateway did not answer in time."),
    bounds.remote.connectTime.most,
  );
  const beat = setInterval(() => {
    if (Date.now() - heardAt > silence) end(0, "Nothing was heard of the gateway for too long.");
    else if (wasOpen && Date.now() - heardAt > silence / 3) send({ type: "ping" });
  }, silence / 3);
  const socket = made(place, end);
  socket?.addEventListener("message", ({ data }) => hear(data));
  socket?.addEventListener("close", ({ code, reason }) => end(code, reason));
  socket?.addEventListener("error", () => undefined); // its close follows
  return {
    send,
    close: () => end(1000, ""),
    check: () => {
      heardAt -= silence / 2;
      if (wasOpen) send({ type: "ping" });
    },
  };
}

/** A maker throws where the address or the token cannot be used at all. */
function made(
  { url, token, WebSocket }: SocketPlace,
  end: (code: number, because: string) => void,
): SocketLike | undefined {
  try {
    return new WebSocket(`${url.replace(/^http/u, "ws")}${socketPath}`, [socketProtocol, `token.${token}`]);
  } catch (error) {
    queueMicrotask(() => end(0, error instanceof Error ? error.message : String(error)));
    return undefined;
  }
}

function readFrame(data: unknown): ServerFrame | undefined {
  try {
    const frame: ServerFrame = JSON.parse(String(data));
    return isObject(frame) ? frame : undefined;
  } catch {
    return undefined;
  }
}
