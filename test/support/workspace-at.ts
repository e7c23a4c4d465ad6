/** An existing directory as a test session's workspace; the creator inspects and removes it. */

import type { TemporaryWorkspace } from "../../src/testing/workspace.ts";

export const workspaceAt = (root: string): TemporaryWorkspace => ({
  root,
  read: async () => "",
  files: async () => [],
  remove: async () => undefined,
});
