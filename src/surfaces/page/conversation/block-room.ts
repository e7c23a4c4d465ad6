/** What the blocks of a conversation are drawn with. */

import type { App } from "../app/app-state.ts";
import type { SessionStore } from "../session/session-store.ts";

export type BlockRoom = {
  store: SessionStore;
  app: App;
  /** Shows what a request changed. */
  onReview: (turn: number) => void;
};
