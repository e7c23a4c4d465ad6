/** Raw bytes on a connection, for tests: requests that no regular client would send. */

import { connect, type Socket } from "node:net";
import type { RawData, WebSocket } from "ws";

/** All bytes received until the server closes, or has sent a whole head and body. */
export function rawExchange(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let heard = "";
    const socket: Socket = connect(port, "127.0.0.1", () => void socket.write(text));
    socket.setEncoding("utf8");
    socket.on("data", (piece: string) => {
      heard += piece;
      if (isWhole(heard)) {
        socket.destroy();
        resolve(heard);
      }
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(heard));
  });
}

function isWhole(heard: string): boolean {
  const [head = "", ...rest] = heard.split("\r\n\r\n");
  const length = /content-length: (\d+)/iu.exec(head)?.[1];
  return (
    rest.length > 0 && length !== undefined && Buffer.byteLength(rest.join("\r\n\r\n")) >= Number(length)
  );
}

export const statusOf = (reply: string): number => Number(/^HTTP\/1\.1 (\d+)/u.exec(reply)?.[1] ?? 0);

/** Request lines followed by an empty line. */
export const requestText = (...lines: string[]): string => `${lines.join("\r\n")}\r\n\r\n`;

/** The outcome of an upgrade: its HTTP status, or the close code of the opened socket. */
export function upgradeStatus(socket: WebSocket): Promise<number> {
  return new Promise((resolve) => {
    socket.on("unexpected-response", (request, response) => {
      resolve(response.statusCode ?? 0);
      request.destroy();
    });
    socket.on("open", () => resolve(101));
    socket.on("error", () => undefined);
  });
}

export const closeOf = (socket: WebSocket): Promise<{ code: number; reason: string }> =>
  new Promise((resolve) => {
    socket.on("close", (code, reason) => resolve({ code, reason: reason.toString() }));
    socket.on("error", () => undefined);
  });

/** A socket's frames in order, as they arrive. */
export async function* framesOf(socket: WebSocket): AsyncGenerator<Record<string, unknown>, void> {
  const waiting: Record<string, unknown>[] = [];
  let wake: (() => void) | undefined;
  let isOver = false;
  socket.on("message", (data) => {
    waiting.push(JSON.parse(textOf(data)));
    wake?.();
  });
  socket.on("close", () => {
    isOver = true;
    wake?.();
  });
  for (;;) {
    const next = waiting.shift();
    if (next) yield next;
    else if (isOver) return;
    else
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
  }
}

/** A frame as text; ws delivers fragments joined. */
export const textOf = (data: RawData): string => (Buffer.isBuffer(data) ? data.toString("utf8") : "");
