/**
 * Records each program started for a session in the store while it runs, so that those a crash leaves behind can be
 * found; those that no sandbox ties to us are guarded, too.
 */

import type { KeepOut } from "../base/keep-out.ts";
import { identityOf, ownIdentity, type StartedProcess } from "../base/process-identity.ts";
import type { Store } from "../session/store.ts";
import type { Contain } from "../tools/tool.ts";

type ProcessNotes = { store: Store; session: string; keepOut?: KeepOut | undefined };

/** Characters of the command line stored to identify the program. */
const longestName = 200;

/** Records a program that an addon started; call the returned function when it has ended. */
export function noteStarted(
  { store, session }: ProcessNotes,
  { pid, marker, what }: { pid: number; marker: string; what: string },
): () => void {
  const name = what.slice(0, longestName).toWellFormed();
  const started: StartedProcess = {
    process: identityOf(pid),
    by: ownIdentity(),
    marker,
    reach: "all",
    what: name,
  };
  const noted = store.noteProcess(session, started).catch(() => undefined);
  return () => void noted.then(() => store.forgetProcess(session, started)).catch(() => undefined);
}

/**
 * A program that cannot be recorded runs all the same: a failing store surfaces through the session log's own writes.
 */
export function noteProcesses(contain: Contain, { store, session, keepOut }: ProcessNotes): Contain {
  return async (request) => {
    const contained = await contain(request);
    if (!contained.ok) return contained;
    const { value } = contained;
    let started: StartedProcess | undefined;
    const onStart = (pid: number, marker: string): void => {
      value.onStart?.(pid, marker);
      const reach = request.lasting ? "all" : "group";
      const line = request.command.at(-1) ?? "";
      const what = (keepOut?.text(line) ?? line).slice(0, longestName).toWellFormed();
      started = { process: identityOf(pid), by: ownIdentity(), marker, reach, what };
      store.noteProcess(session, started).catch(() => undefined);
    };
    const finished: typeof value.finished = async () => {
      try {
        return await value.finished();
      } finally {
        if (started) await store.forgetProcess(session, started).catch(() => undefined);
      }
    };
    return { ok: true, value: { ...value, onStart, finished, guarded: value.guarded ?? true } };
  };
}
