/** A workspace with a trusted hook and a trusted tool server, and contained commands that attack what these run. */

import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { openHooks } from "../../src/addons/hooks/part.ts";
import type { HookSettings } from "../../src/addons/hooks/settings.ts";
import { ServerManager } from "../../src/addons/mcp/manager.ts";
import type { AddonPart } from "../../src/addons/part.ts";
import { childEnvironment } from "../../src/base/process.ts";
import { managerSetup } from "../../src/runtime/addons/tool-servers.ts";
import { openTrust, type WorkspaceTrust } from "../../src/trust/trust.ts";
import { put } from "./command.ts";
import { type ContainedLine, startContained } from "./contained-line.ts";

type TrustedPlace = {
  workspace: string;
  stateDir: string;
  trust: WorkspaceTrust;
  warnings: string[];
  /** Agrees to everything that waits, like a person after looking at it. */
  approve(): Promise<void>;
  /** Starts the hook once. */
  hook(): Promise<void>;
  /** Starts the tool server once, and resolves when that has failed: it speaks no protocol. */
  server(): Promise<void>;
  /** What has been started so far, oldest first: each script writes a word outside the workspace. */
  started(): string[];
};

/** `script(word)` writes this word to the place outside of the workspace. */
export async function trustedPlace(
  files: (script: (word: string) => string) => Record<string, string>,
  {
    hook = "sh hooks/x.sh",
    server = ["sh", "hooks/x.sh"],
  }: { hook?: string; server?: readonly string[] } = {},
): Promise<TrustedPlace> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "toolwright-trusted-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true, maxRetries: 3 }));
  const [workspace, stateDir, home, note] = ["home/work", "state", "home", "note"].map((name) =>
    join(root, name),
  );
  if (!workspace || !stateDir || !home || !note) throw new Error("no place");
  for (const path of [workspace, stateDir]) await mkdir(path, { recursive: true });
  await put(
    workspace,
    files((word) => `printf '${word}\\n' >> ${note}\n`),
  );
  const trust = openTrust(stateDir, workspace);
  const warnings: string[] = [];
  const environment = childEnvironment(process.env);
  const [command = "", ...args] = server;
  const servers = { s: { command, args } };
  const path = join(workspace, ".toolwright/config.jsonc");
  const setup = {
    configured: { user: {}, workspace: { mcpServers: servers, path } },
    workspace,
    home,
    stateDir,
    environment,
    trust,
    configDir: home,
  };
  const hooks: HookSettings[] = [{ on: "prompt", name: "h", command: hook }];
  const opened = openPart(hooks, { ...setup, path, warn: (text) => void warnings.push(text) });
  await opened.ready?.();
  const manager = new ServerManager(managerSetup(setup));
  await manager.use({ started: () => () => {} });
  return {
    workspace,
    stateDir,
    trust,
    warnings,
    approve: async () => {
      manager.start(); // it is not trusted yet, so this only puts it on the list
      const agreed = await trust.agree(trust.waiting());
      if (!agreed.ok) throw new Error(agreed.problem);
    },
    hook: async () => {
      await opened.prompt?.([{ type: "text", text: "go" }], new AbortController().signal);
    },
    server: () => startOnce(new ServerManager(managerSetup(setup)), warnings),
    started: () => textOf(note).split("\n").filter(Boolean),
  };
}

async function startOnce(manager: ServerManager, warnings: string[]): Promise<void> {
  const user = { started: () => () => {} };
  await manager.use(user);
  manager.start();
  await manager.settled();
  for (const { text } of manager.notices()) if (!warnings.includes(text)) warnings.push(text);
  await manager.leave(user);
}

type PartSetup = Parameters<typeof managerSetup>[0] & {
  path: string;
  configDir: string;
  home: string;
  warn: (text: string) => void;
};

function openPart(hooks: readonly HookSettings[], setup: PartSetup): AddonPart {
  const { path, warn, ...place } = setup;
  const part = openHooks({ workspace: hooks, path })({
    ...place,
    session: "s",
    withheld: () => undefined,
    isCheckedElsewhere: () => false,
    isResumed: false,
    contain: () => Promise.resolve({ ok: false, problem: "nothing is contained here" }),
    warn: (_, text) => warn(text),
  });
  if (!part) throw new Error("no hooks");
  return part;
}

/** The same, stopped at the end of the test. */
export async function contained(...about: Parameters<typeof startContained>): Promise<ContainedLine> {
  const started = await startContained(...about);
  onTestFinished(started.stop);
  return started;
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
