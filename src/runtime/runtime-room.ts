/** What a program gives the runtime that it starts, besides the settings. */

import type { Observer } from "../addons/observer.ts";
import type { OpenPart } from "../addons/part.ts";
import type { Dialect } from "../dialects/dialect.ts";
import type { Sandbox } from "../safety/sandbox/sandbox.ts";
import type { Store } from "../session/store.ts";
import type { Tool } from "../tools/tool.ts";
import type { LiveSession } from "./live-session.ts";
import type { Env, Model } from "./models/models.ts";
import type { Presence } from "./policy.ts";

/** What a program that starts a runtime gives it, besides the settings. */
export type RuntimeRoom = {
  env: Env;
  /** Whether a person can be asked, always or about this session now. */
  interactive: Presence;
  /** Instead of the one in the state directory; it stays open when the runtime is closed. */
  store?: Store;
  /** Instead of the model that the settings would choose. */
  model?: Model;
  /** Instead of looking for this machine's sandbox. */
  sandbox?: () => Promise<Sandbox>;
  /** Instead of our own (`tools`); a list with both has both. */
  tools?: readonly Tool[];
  /** What a program adds to each session beside what the settings say: hooks in code, tools that come and go. */
  addons?: readonly OpenPart[];
  /** Beside ours: the setting `dialect` may name one of them. */
  dialects?: readonly Dialect[];
  /** Called when a subagent's session is open. */
  childOpened?: (child: LiveSession) => void;
  /** Who hears what happens in each session. They stay open when the runtime is closed. */
  observers?: readonly Observer[];
};
