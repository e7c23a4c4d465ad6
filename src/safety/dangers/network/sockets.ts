/** socat: two addresses, each `KIND:value,options`; data arriving at one leaves at the other. */

import { type Word, withText } from "../../command-line/word.ts";
import { danger, interprets } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { cutAt, isEngineSocket } from "../parts.ts";
import type { Use } from "../program.ts";
import { commandsEngine } from "./talking.ts";

type End = { kind: "command" | "here" | "file" | "listens" | "elsewhere"; value: Word };

/** Options follow a command behind a comma: `EXEC:'sh -i',pty,stderr`. */
const options = /(?:,(?:pty|stderr|setsid|sigint|sane|ctty|nofork|pipes|raw|login|\w+=\w+))+$/u;

function endOf(word: Word): End {
  const { before, after } = cutAt(word, ":") ?? { before: word, after: withText(word, "") };
  const keyword = before.text.replace(/,.*$/su, "").toLowerCase();
  const value = withText(after, after.text.replace(/,.*$/su, ""));
  if (/^(?:exec|system|shell)$/u.test(keyword))
    return { kind: "command", value: withText(after, after.text.replace(options, "")) };
  if (/^(?:-|stdio|stdin|stdout|fd|pty|pipe|fifo)$/u.test(keyword)) return { kind: "here", value };
  if (/^(?:open|file|gopen|create)$/u.test(keyword)) return { kind: "file", value };
  if (keyword.includes("/")) return { kind: "file", value: before };
  return { kind: /listen|-l$|recv/u.test(keyword) ? "listens" : "elsewhere", value };
}

export function* joins(addresses: readonly Word[], { input }: Use): Iterable<Effect> {
  const ends = addresses.map(endOf);
  const files = ends.filter(({ kind }) => kind === "file").map(({ value }) => value);
  for (const { kind, value } of ends) {
    if (kind === "command") {
      yield ends.some((end) => /^(?:listens|elsewhere)$/u.test(end.kind)) ? letsOthersRun : runsAddress;
      yield interprets("shell", value);
    }
    if (kind === "listens") yield danger("high", "it waits for others to connect");
    if (isEngineSocket(value)) yield commandsEngine;
    if (kind === "elsewhere") yield { type: "fetches", from: value };
    if (kind === "elsewhere") yield { type: "sends", to: value, files, input: input.isGiven };
    if (kind === "file") yield { type: "writes", path: value, how: "edits" };
  }
}

const letsOthersRun = danger("critical", "it lets whoever is at the other end run commands here");
const runsAddress = danger("high", "its address runs a command");
