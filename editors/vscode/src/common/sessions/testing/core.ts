/** A gateway, a client of it and the sessions followed over it, as the extension has them; for tests. */

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { connect } from "../../../../../../src/client.ts";
import type { Mode } from "../../../../../../src/protocol/facts.ts";
import { type ModelScript, scriptedModel } from "../../../../../../src/providers/scripted-model.ts";
import { testGateway } from "../../../../../../src/testing/gateway.ts";
import { SessionStates } from "../session-states.ts";

type CoreOptions = { files?: Record<string, string>; mode?: Mode };

export async function testCore(script: ModelScript, { files = {}, mode = "accept-edits" }: CoreOptions = {}) {
  const gateway = await testGateway(scriptedModel(script), { files, mode, sandbox });
  const client = connect({ url: gateway.url, token: gateway.token });
  const live = client.live();
  const failures: unknown[] = [];
  const failed = (error: unknown): void => void failures.push(error);
  const states = new SessionStates(live, failed);
  onTestFinished(async () => {
    states.close();
    live.close();
    await gateway.close();
    await gateway.test.remove();
  });
  const { workspace } = gateway.test;
  return {
    client,
    live,
    states,
    failures,
    failed,
    workspace,
    read: (path: string) => readFile(join(workspace, path), "utf8"),
    write: (path: string, text: string) => writeFile(join(workspace, path), text),
    newSession: () => gateway.newSession(),
    send: (session: string, text: string) =>
      client.command(session, { type: "send", content: [{ type: "text", text }] }),
  };
}

/** Commands that change anything ask first. */
const sandbox = async () => ({ kind: "none", because: "of a test" }) as const;

export type TestCore = Awaited<ReturnType<typeof testCore>>;
