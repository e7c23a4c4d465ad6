/** Props shared by the blocks of a conversation. */

import type { App } from "../app/app-state.ts";
import type { SessionStore } from "../session/session-store.ts";

export type BlockContext = {
  store: SessionStore;
  app: App;
  /** Opens the changes of a request. */
  onReview: (turn: number) => void;
};
