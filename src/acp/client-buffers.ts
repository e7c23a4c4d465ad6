/** What the editor has open and not saved, as a session reads it. */

import type { AgentContext } from "@agentclientprotocol/sdk";
import type { EditorBuffers } from "../runtime/unsaved-files.ts";

/** An editor that takes longer is taken to have nothing to tell, in milliseconds. */
const readMs = 2_000;

export const clientBuffers = (client: AgentContext, sessionId: string): EditorBuffers => ({
  async text(path) {
    const late = { cancellationSignal: AbortSignal.timeout(readMs), stopWaitingOnCancel: true };
    // It refuses what it does not know, such as a file that is no text.
    const read = client.request("fs/read_text_file", { sessionId, path }, late).catch(() => undefined);
    return (await read)?.content;
  },
  async save(path, content) {
    await client.request("fs/write_text_file", { sessionId, path, content });
  },
});
