/** Progress notifications for a waiting client: the current step, and regular signs that the work continues. */

import type { ServerContext } from "@modelcontextprotocol/server";
import { visibleLine } from "../base/visible-text.ts";
import type { Entry, Signal } from "../protocol/facts.ts";

/** Silence towards an MCP client while its task is in progress, in milliseconds. */
const silenceMs = 10_000;

type Progress = { heard: (event: Entry | Signal) => void; end: () => void };

const silent: Progress = { heard: () => undefined, end: () => undefined };
const leastMs = 100;
const mostWords = 200;

/** Sends nothing to a client that supplied no progress token. */
export function progressFor({ mcpReq }: ServerContext): Progress {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return silent;
  let progress = 0;
  let words = "Working";
  let toldAt = 0;
  let owed: NodeJS.Timeout | undefined;
  const tell = (): void => {
    clearTimeout(owed);
    owed = undefined;
    toldAt = performance.now();
    progress += 1;
    const params = { progressToken, progress, message: words };
    mcpReq.notify({ method: "notifications/progress", params }).catch(() => undefined); // the client has disconnected
  };
  const alive = setInterval(tell, silenceMs).unref();
  return {
    heard(event) {
      const said = wordsOf(event);
      if (said === undefined) return;
      words = said;
      const wait = leastMs - (performance.now() - toldAt);
      if (wait <= 0) tell();
      else owed ??= setTimeout(tell, wait).unref();
    },
    end() {
      clearInterval(alive);
      clearTimeout(owed);
    },
  };
}

function wordsOf(event: Entry | Signal): string | undefined {
  switch (event.type) {
    case "turn-start":
      return `Asks ${visibleLine(event.model)}`;
    case "call-start":
      return visibleLine(event.title).slice(0, mostWords);
    case "approval-asked":
      return `Waits for an answer: ${visibleLine(event.title).slice(0, mostWords)}`;
    case "retrying":
      return visibleLine(event.because).slice(0, mostWords);
    case "output-delta":
      return visibleLine(event.text.trimEnd().split("\n").at(-1) ?? "").slice(0, mostWords) || undefined;
    case "compacting":
      return event.state === "begun" ? "Sums up the conversation" : undefined;
    case "compaction":
      return "Shortened the conversation";
    default:
      return undefined;
  }
}
