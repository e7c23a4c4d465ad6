/** The agent over a pair of streams, for the editor that started it. */

import { Readable, Writable } from "node:stream";
import { ndJsonStream } from "@agentclientprotocol/sdk";
import { otherProgramBounds } from "../base/bounds.ts";
import type { AcpContext } from "./acp-context.ts";
import { connectEditor } from "./agent.ts";

/** `isDraft`: the editor speaks the draft of version 2. */
type EditorStreams = { input: NodeJS.ReadableStream; output: Writable; isDraft: boolean };

/** Resolves when the editor has disconnected, or `stop` is aborted. */
export async function serveEditor(
  context: AcpContext,
  { input, output, isDraft }: EditorStreams,
  stop: AbortSignal,
): Promise<void> {
  const stream = ndJsonStream(Writable.toWeb(output), Readable.toWeb(Readable.from(input)), {
    maxMessageBytes: otherProgramBounds.message.most,
  });
  const connection = isDraft
    ? (await import("./draft-agent.ts")).connectDraftEditor(context, stream)
    : connectEditor(context, stream);
  stop.addEventListener("abort", () => connection.close(), { once: true });
  if (stop.aborted) connection.close();
  await connection.closed;
}
