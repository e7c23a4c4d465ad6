/** /trust in a conversation: shows and approves what the workspace brings along, as this session found it. */

import { visibleLine } from "../../base/visible-text.ts";
import type { Talk } from "../conversation/talk.ts";
import { replyToTrust } from "./replies.ts";

/** Approves exactly the content that was shown: one that changes meanwhile waits again. */
export async function trust({ runtime, session, terminal, style }: Talk, rest: string): Promise<void> {
  const { workspace, trust: kept } = runtime;
  await session.ready(); // the settings may have changed since
  const desk = { workspace, trust: kept, things: kept.known(), by: "/trust" };
  const reply = await replyToTrust(wordsOf(rest), desk);
  terminal.note(...(reply.ok ? reply.lines : [style.yellow(`! ${visibleLine(reply.problem)}`)]));
}

/** A name with spaces is written in quotes. */
const wordsOf = (rest: string): string[] =>
  [...rest.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/gu)].map(([, a, b, c]) => a ?? b ?? c ?? "");
