/** What no command may see without the user's consent: places, as they appear in the sandbox, and variables. */

import { secretPlaces } from "../secret-places.ts";
import { isSecretSetting } from "../secret-variables.ts";

export type Secret = { path: string; shown: "hidden" | "redacted" };

export const secrets: readonly Secret[] = secretPlaces.flatMap(({ path, shown }) =>
  shown === "whole" ? [] : [{ path, shown }],
);

/**
 * Variables that give a program access to the user's keys, desktop or accounts: withheld unless the user allowed that
 * access.
 */
export function isReachingVariable(name: string, value: string): boolean {
  return (
    /^(?:SSH_AUTH_SOCK|SSH_AGENT_PID|GPG_AGENT_INFO|DBUS_\w+|DISPLAY|WAYLAND_\w+|XAUTHORITY|XDG_RUNTIME_DIR)$/.test(
      name,
    ) ||
    /^(?:DOCKER_HOST|KUBECONFIG|SESSION_MANAGER|GNOME_KEYRING_\w+|ICEAUTHORITY|AWS_\w*KEY\w*)$/.test(name) ||
    isSecretSetting(name, value)
  );
}
