/** A workspace that is there already, as test sessions take it: whoever made it looks into it and removes it. */

import type { TemporaryWorkspace } from "../../src/testing/workspace.ts";

export const workspaceAt = (root: string): TemporaryWorkspace => ({
  root,
  read: async () => "",
  files: async () => [],
  remove: async () => undefined,
});
