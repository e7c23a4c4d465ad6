/** Opens a session's addons, connected to its log (for warnings) and its sandbox. */

import { estimateText } from "../../agent/context/estimate.ts";
import type { Model } from "../../providers/provider.ts";
import type { SessionLog } from "../../session/log.ts";
import { containLasting } from "../containing.ts";
import { noteStarted } from "../noted-processes.ts";
import type { SessionSetup } from "../session-setup.ts";
import { noAddons, type SessionAddons } from "./session-addons.ts";

/** `model` returns the session's current model. */
export function openAddonsOf(setup: SessionSetup, log: SessionLog, model: () => Model): SessionAddons {
  if (!setup.addons) return noAddons;
  const { session, parent, seq, warned } = log.state;
  const told = new Set<string>();
  let written: Promise<unknown> = Promise.resolve();
  const opened = setup.addons({
    session,
    isResumed: seq > 1,
    parent: parent?.session,
    started: (program) => noteStarted({ store: setup.store, session }, program),
    window: () => {
      const { contextTokens } = model();
      return contextTokens === undefined ? undefined : { tokens: contextTokens, sizeOf: estimateText };
    },
    contain: (profile, request) => containLasting(setup, profile, request),
    warn: (code, text) => {
      const once = `${code} ${text}`;
      if (told.has(once) || (warned.has(code) && seq > 1)) return;
      told.add(once);
      written = log.append({ type: "warning", code, text }).catch(() => undefined); // a broken log reports itself
    },
  });
  let isOpening = true;
  const ready = async (): Promise<void> => {
    await opened.ready();
    await written;
    if (!isOpening) return; // opened already
    isOpening = false;
    const notice = parent ? undefined : setup.untrusted?.();
    if (notice && !log.state.warned.has(notice.code)) await log.append({ type: "warning", ...notice });
  };
  return { ...opened, ready };
}
