/** `toolwright acp`: the agent for editors that speak the Agent Client Protocol, over standard input and output. */

import type { Writable } from "node:stream";
import type { AcpContext } from "../../acp/acp-context.ts";
import { randomHex } from "../../base/crypto.ts";
import type { Expected } from "../../base/expected.ts";
import type { Values } from "../../configuration/options/options.ts";
import type { Gateway } from "../../gateway/gateway.ts";
import type { SessionHost } from "../../hosting/session-host.ts";
import { type CliContext, exitCodes, failWith } from "../cli-context.ts";
import { guard } from "../ctrl-c.ts";
import { misnamedIn, openSessionHost, servingWords, type SettingsReader } from "./open-session-host.ts";
import { pageFolder } from "./page-folder.ts";

type AcpGiven = {
  flags: Values;
  settingsFor: SettingsReader;
  /** Replaces the process's standard output, which carries the protocol. */
  output?: Writable;
};

/** Exit code 0 when the editor disconnected or it was stopped. */
export async function runAcp(context: CliContext, given: AcpGiven): Promise<number> {
  const neverMeant = misnamedIn(context);
  if (neverMeant !== undefined) return failWith(context.terminal, neverMeant, exitCodes.usage);
  const opened = await openSessionHost(context, given.settingsFor);
  if (!opened.ok) return failWith(context.terminal, opened.problem);
  const { host, close } = opened.value;
  const gateway = lazyGateway(context, host);
  try {
    await serve(context, given, { host, gateway: gateway.access });
    return exitCodes.done;
  } finally {
    await gateway.close();
    await close();
  }
}

async function serve(
  context: CliContext,
  given: AcpGiven,
  { host, gateway }: Pick<AcpContext, "host" | "gateway">,
): Promise<void> {
  const { terminal, settings } = context;
  if (terminal.inputIsTerminal)
    terminal.report(
      "The agent waits for an editor on standard input; Ctrl-C ends it. See docs/editors.md.\n",
    );
  const { serveEditor } = await import("../../acp/serve-editor.ts");
  const stop = new AbortController();
  const release = guard(terminal, () => stop.abort());
  const served: AcpContext = { host, gateway, ...servingWords(context) };
  const streams = { input: terminal.input, output: given.output ?? process.stdout };
  await serveEditor(served, { ...streams, isDraft: given.flags.draft === true }, stop.signal);
  // What runs is finished without the editor, which finds it when it opens the session again.
  if (!stop.signal.aborted) await host.drain(settings.drainMs);
  release();
}

/** Opened when it is first asked for. */
function lazyGateway(context: CliContext, host: SessionHost) {
  let started: Promise<Expected<{ gateway: Gateway; token: string }>> | undefined;
  const start = async (): Promise<Expected<{ gateway: Gateway; token: string }>> => {
    const { startGateway } = await import("../../gateway/gateway.ts");
    const token = randomHex(32);
    const gateway = await startGateway({
      host,
      token,
      listen: { host: "127.0.0.1", port: 0 },
      answerWithinMs: context.settings.answerWithinMs,
      ...servingWords(context),
      ...pageFolder(),
    });
    return gateway.ok ? { ok: true, value: { gateway: gateway.value, token } } : gateway;
  };
  return {
    access: async (): ReturnType<AcpContext["gateway"]> => {
      const opened = await (started ??= start());
      if (!opened.ok) return opened;
      const { gateway, token } = opened.value;
      return { ok: true, value: { url: gateway.url, token } };
    },
    close: async (): Promise<void> => {
      const opened = await started;
      if (opened?.ok) await opened.value.gateway.close();
    },
  };
}
