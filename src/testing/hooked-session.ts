/** A session with hooks, for tests: real commands and addresses, and a person who trusts what the test lists. */

import { tmpdir } from "node:os";
import { join } from "node:path";
import { openHooks } from "../addons/hooks/part.ts";
import type { HooksConfigured } from "../addons/hooks/settings-read.ts";
import type { HookSettings } from "../addons/hooks/settings.ts";
import type { AddonContext } from "../addons/part.ts";
import type { Trust } from "../addons/trust.ts";
import { childEnvironment } from "../base/process.ts";
import type { Entry, FactOf } from "../protocol/facts.ts";
import type { Message } from "../protocol/messages.ts";
import type { Model } from "../providers/provider.ts";
import { openParts } from "../runtime/addons/session-addons.ts";
import type { OpenAddons } from "../runtime/session-setup.ts";
import { filesRunBy } from "../safety/ran/ran.ts";
import { testSession, type TestSession, type TestSessionOptions } from "./session.ts";
import { temporaryWorkspace } from "./workspace.ts";

export type HookedOptions = TestSessionOptions & {
  /** Hooks from the workspace's own configuration. */
  brought?: readonly HookSettings[];
  trust?: Trust;
  environment?: Record<string, string>;
  /** The files that define the hooks, for reloading them. */
  from?: HooksConfigured["from"];
};

export const trustsAll: Trust = { allows: () => true, filesRun: async () => filesRunBy, waiting: () => [] };
const trustsNothing: Trust = { allows: () => false, filesRun: async () => filesRunBy, waiting: () => [] };

/** Creates the workspace before the session, so that hooks stored in it are found. */
export async function hookedSession(
  model: Model,
  hooks: readonly HookSettings[],
  { brought = [], trust = trustsNothing, environment = {}, from, ...options }: HookedOptions = {},
): Promise<TestSession> {
  const workspace = options.workspace ?? (await temporaryWorkspace(options.files ?? {}));
  const place: Omit<AddonContext, "session" | "isResumed" | "isCheckedElsewhere" | "contain" | "warn"> = {
    workspace: workspace.root,
    home: tmpdir(),
    stateDir: join(workspace.root, "..", "no-state"),
    configDir: join(workspace.root, "..", "no-configuration"),
    environment: { ...childEnvironment(process.env), ...environment },
    withheld: () => undefined,
    trust,
  };
  const path = join(workspace.root, ".toolwright", "config.jsonc");
  const part = openHooks({ user: hooks, workspace: brought, path, from });
  const addons: OpenAddons = (session) => openParts([part], { ...place, ...session });
  const opened = await testSession(model, { ...options, workspace, addons });
  if (options.workspace) return opened;
  const close = async (): Promise<void> => {
    await opened.close();
    await workspace.remove();
  };
  return { ...opened, close };
}

export const hooksRun = (facts: readonly Entry[]): FactOf<"hook-ran">[] =>
  facts.flatMap((fact) => (fact.type === "hook-ran" ? [fact] : []));

/** The texts in the messages given to a model, one per message. */
export const wordsIn = (messages: readonly Message[]): string[] =>
  messages.map(({ content }) =>
    content
      .flatMap((part) => ("text" in part && typeof part.text === "string" ? [part.text] : []))
      .join("\n"),
  );
