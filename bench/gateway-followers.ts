/**
 * The followers of `followers.ts` in a separate process: as many sockets as told open one session at the same moment.
 * Prints "ready", waits for a line, and prints what they got.
 */

import { once } from "node:events";
import { WebSocket } from "ws";
import { isObject, parseJson } from "../src/base/json.ts";

export type FollowTask = { url: string; token: string; session: string; sockets: number; facts: number };

const task: FollowTask = JSON.parse(process.argv[2] ?? "{}");
const open = async (): Promise<WebSocket> => {
  const protocols = ["toolwright", `token.${task.token}`];
  const socket = new WebSocket(`${task.url.replace("http", "ws")}/socket`, protocols);
  await once(socket, "open");
  return socket;
};
const sockets = await Promise.all(Array.from({ length: task.sockets }, open));
process.stdout.write("ready\n");
await once(process.stdin, "data");
const heard = await Promise.all(sockets.map(factsOf));
const wrong = heard.filter((facts) => facts.some((seq, at) => seq !== at + 1)).length;
process.stdout.write(`${JSON.stringify({ wrong })}\n`, () => process.exit(0));

function factsOf(socket: WebSocket): Promise<number[]> {
  const facts: number[] = [];
  return new Promise((resolve) => {
    socket.on("message", (data: Buffer) => {
      const frame = parseJson(data.toString());
      const events = frame.ok && isObject(frame.value) ? frame.value["events"] : undefined;
      for (const event of Array.isArray(events) ? events : [])
        if (isObject(event) && typeof event["seq"] === "number") facts.push(event["seq"]);
      if (facts.length >= task.facts) resolve(facts);
    });
    const follow = { type: "follow", id: "1", session: task.session, after: 0 };
    socket.send(JSON.stringify(follow));
  });
}
