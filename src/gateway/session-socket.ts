/** One admitted client's socket: carries out its frames and sends what it follows. */

import type { WebSocket } from "ws";
import { errorMessage } from "../base/expected.ts";
import type { CommandOutcome } from "../protocol/commands.ts";
import { remoteBounds } from "../remote/bounds.ts";
import { type ClientFrame, closeCodes } from "../remote/frames.ts";
import { mostBrokenFrames } from "./bounds.ts";
import type { Bearer } from "./devices.ts";
import { FollowedSessions } from "./following.ts";
import { commandIdIn, readFrame } from "./frame.ts";
import { type GatewayContext, logFailure } from "./gateway-context.ts";
import { Outbox } from "./outbox.ts";
import { SessionListView } from "./session-list-view.ts";
import type { SharedSessionList } from "./session-list.ts";
import { carriedOut, withSender } from "./session-routes.ts";

const { commands } = remoteBounds;

/** `hear` receives each text frame. */
type SessionSocket = { hear: (text: string) => void; outbox: Outbox };

type ClientParts = { gateway: GatewayContext; list: SharedSessionList; bearer: Bearer };

export function sessionSocket(socket: WebSocket, parts: ClientParts): SessionSocket {
  const client = new SocketClient(socket, parts);
  socket.once("close", () => client.close());
  return client;
}

class SocketClient {
  readonly outbox: Outbox;
  readonly #socket: WebSocket;
  readonly #context: GatewayContext;
  readonly #bearer: Bearer;
  readonly #following: FollowedSessions;
  readonly #watching: SessionListView;
  #broken = 0;
  #underWay = 0;

  constructor(socket: WebSocket, { gateway, list, bearer }: ClientParts) {
    this.#socket = socket;
    this.#context = gateway;
    this.#bearer = bearer;
    this.outbox = new Outbox(socket, gateway.counts);
    this.#following = new FollowedSessions(gateway, this.outbox);
    this.#watching = new SessionListView(gateway, this.outbox, list);
    this.outbox.send({ type: "welcome", version: gateway.version });
  }

  readonly hear = (text: string): void => {
    const frame = readFrame(text);
    if (frame.ok) this.#do(frame.value);
    else this.#complain(frame.problem, commandIdIn(text));
  };

  close(): void {
    this.#following.leaveAll();
    this.#watching.unwatch();
  }

  #do(frame: ClientFrame): void {
    switch (frame.type) {
      case "hello":
        return; // already admitted
      case "follow":
        return this.#following.follow(frame);
      case "leave":
        return this.#following.leave(frame.id);
      case "command":
        return void this.#command(frame);
      case "watch":
        return this.#watching.watch(frame.limit);
      case "unwatch":
        return this.#watching.unwatch();
      case "ping":
        return this.outbox.send({ type: "pong" });
      default:
        return frame satisfies never;
    }
  }

  async #command({ id, session, command }: Extract<ClientFrame, { type: "command" }>): Promise<void> {
    if (this.#underWay >= commands.most)
      return this.#tell(id, {
        ok: false,
        problem: `${commands.most} commands of this connection are under way: wait for an outcome first.`,
      });
    this.#underWay += 1;
    try {
      this.#tell(id, await carriedOut(this.#context, session, withSender(command, this.#bearer)));
    } catch (error) {
      if (!(error instanceof Error && error.name === "NoSuchSession"))
        logFailure(this.#context, "a command failed", error);
      this.#tell(id, { ok: false, problem: errorMessage(error) });
    } finally {
      this.#underWay -= 1;
    }
  }

  #tell(id: string, outcome: CommandOutcome): void {
    this.outbox.send({ type: "outcome", id, outcome });
  }

  #complain(message: string, id: string | undefined): void {
    this.#broken += 1;
    if (this.#broken > mostBrokenFrames)
      this.#socket.close(closeCodes.tooMany, "Too many frames that cannot be understood.");
    else this.outbox.send({ type: "error", id, code: "bad-frame", message });
  }
}
