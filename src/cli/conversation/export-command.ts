/** /export: the session as one file: a page, or what the file's name asks for. */

import { homedir } from "node:os";
import { exportSession as exportNamed, formatNamed } from "../sessions/files.ts";
import { fromShell } from "./from-shell.ts";
import type { Talk } from "./talk.ts";

export const exportSession = (talk: Talk, file: string): Promise<void> =>
  fromShell(talk, (context) =>
    exportNamed({
      context,
      store: talk.runtime.store,
      words: [talk.session.id, ...(file === "" ? [] : [file.replace(/^~(?=\/)/u, () => homedir())])],
      flags: { format: formatNamed(file) ?? "html" },
    }),
  );
