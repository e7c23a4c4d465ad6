/** What holds the page: a browser's tab, or a view of an editor. */

import type { DraftStorage } from "../composer/drafts.ts";
import type { SeenStorage } from "./read-marks.ts";

export type PageSurroundings = {
  /** An editor chooses the theme itself, and nobody signs in or out there. */
  type: "browser" | "editor";
  /** Kept for later pages too. */
  marks: SeenStorage;
  /** Kept as long as the tab or the view. */
  drafts: DraftStorage;
};

export const browserTab = (): PageSurroundings => ({
  type: "browser",
  marks: localStorage,
  drafts: sessionStorage,
});
