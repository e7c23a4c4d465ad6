/** What a program passes to the runtime it starts, in addition to the settings. */

import type { Observer } from "../addons/observer.ts";
import type { AddonOpener } from "../addons/part.ts";
import type { EnvironmentVariables } from "../base/environment-variables.ts";
import type { Dialect } from "../dialects/dialect.ts";
import type { Sandbox } from "../safety/sandbox/sandbox.ts";
import type { SessionLog } from "../session/log.ts";
import type { Store } from "../session/store.ts";
import type { Tool } from "../tools/tool.ts";
import type { LiveSession } from "./live-session.ts";
import type { Model } from "./models/models.ts";
import type { Presence } from "./policy.ts";
import type { EditorBuffers } from "./unsaved-files.ts";

/** What a program passes to the runtime it starts, in addition to the settings. */
export type RuntimeContext = {
  env: EnvironmentVariables;
  /** Whether a person can be asked: always, or for a given session at this moment. */
  interactive: Presence;
  /** Replaces the store in the state directory; closing the runtime does not close it. */
  store?: Store;
  /** Replaces the model that the settings would choose. */
  model?: Model;
  /** Replaces the detection of this machine's sandbox. */
  sandbox?: () => Promise<Sandbox>;
  /** Replaces the built-in tools; spread `tools` into the list to have both. */
  tools?: readonly Tool[];
  /** Added to each session on top of the settings: hooks in code, tools that come and go. */
  addons?: readonly AddonOpener[];
  /** The tool servers that programs lend to sessions. */
  lent?: AddonOpener;
  /** The texts that an editor has open, for a session and its subagents. */
  editorBuffers?: (session: string) => EditorBuffers | undefined;
  /** Directories in which sessions of other workspaces than this one work, and of which its commands are to see nothing. */
  others?: (workspace: string) => Promise<readonly string[]>;
  /** Stores what a checkout holds that is not stored yet, with facts of the log. */
  keepWork?: (log: SessionLog) => Promise<void>;
  /** In addition to the built-in dialects; the setting `dialect` may name one of these. */
  dialects?: readonly Dialect[];
  /** Told what the opening of the model waits for, in a sentence. */
  told?: (words: string) => void;
  /** Called when a subagent's session has been opened. */
  childOpened?: (child: LiveSession) => void;
  /** Receive what happens in each session. Closing the runtime does not close them. */
  observers?: readonly Observer[];
};
