/** Opens a session: a new one, or one that a crash or a closed program left behind, made whole first. */
import type { Parsed } from "../base/json.ts";
import { openTree } from "../base/safe-fs/open-tree.ts";
import { SessionLog } from "../session/log.ts";
import { LiveSession, type SessionSetup } from "./live-session.ts";
import { version } from "./version.ts";

/** Claims the session for this process (an earlier owner is refused from now on) and mends its log. */
export async function openSession(setup: SessionSetup, resume?: string): Promise<Parsed<LiveSession>> {
  const { store, workspace } = setup;
  const files = openTree(workspace);
  if (!files.ok) return files;
  const id = resume ?? newSessionId(new Date());
  if (resume === undefined) await store.create({ id, workspace, createdAt: Date.now() });
  else if (!(await store.get(resume))) return { ok: false, problem: noSuchSession(resume) };
  const epoch = await store.claim(id);
  const log = await SessionLog.open({ store, session: id, epoch });
  if (log.state.seq === 0) await log.append({ type: "session-start", session: id, workspace, version });
  const session = new LiveSession(log, setup, files.value);
  await session.mend();
  return { ok: true, value: session };
}

export const noSuchSession = (wanted: string): string =>
  `There is no session ${wanted}. \`toolwright sessions\` lists those that are kept here.`;

/** Sorts by time and can be typed by its last part: "20261121-231502-7f3a91". */
function newSessionId(now: Date): string {
  const [day = "", time = ""] = now.toISOString().split("T");
  const tail = Math.floor(Math.random() * 2 ** 24); // no secret, and `create` refuses an id that exists
  return `${day.replaceAll("-", "")}-${time.slice(0, 8).replaceAll(":", "")}-${tail.toString(16).padStart(6, "0")}`;
}
