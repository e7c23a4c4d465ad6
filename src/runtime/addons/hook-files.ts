/** Re-reads configuration files that define hooks when they change during a session. */

import { join } from "node:path";
import type { HooksConfigured } from "../../addons/hooks/settings-read.ts";
import type { AddonsConfigured } from "../../configuration/addon-settings.ts";
import { configNames } from "../../configuration/config-places.ts";

type Directories = NonNullable<AddonsConfigured["directories"]>;

export const hookFiles = ({ user, workspace }: Directories): NonNullable<HooksConfigured["from"]> => ({
  files: [user, workspace].flatMap(namesIn),
  async read() {
    const { readFirst } = await import("../../configuration/config-levels.ts");
    const own = await readFirst(namesIn(user));
    if (!own.ok) return own;
    const brought = await readFirst(namesIn(workspace));
    if (!brought.ok) return brought;
    const { path, addons } = brought.value ?? {};
    return { ok: true, value: { user: own.value?.addons.hooks, workspace: addons?.hooks, path } };
  },
});

const namesIn = (directory: string): string[] => configNames.map((name) => join(directory, name));
