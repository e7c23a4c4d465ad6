/** Checks the ownership and permissions of the user's configuration: anyone who can write it decides what runs here. */

import { lstat, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { placesOf } from "../../configuration/config-places.ts";
import type { Config } from "../../configuration/config.ts";
import type { DoctorFinding } from "./finding.ts";

const check = "configuration";

/** Checks the configuration directory and its files. */
export async function ownFileFindings({
  configDir,
  workspace,
  providers,
}: Pick<Config, "configDir" | "workspace" | "providers">): Promise<DoctorFinding[]> {
  if (process.platform === "win32") return [];
  const holds = Object.values(providers).some(({ key }) => key !== undefined) ? "keys" : "settings";
  const own = { configDir, workspace };
  const files = [...placesOf("user", own), ...placesOf("local", own)];
  const found = await Promise.all([
    ...[configDir, ...placesOf("local", own).map(dirname)].map((path) => rightsOf(path, "settings")),
    ...files.map((path) => rightsOf(path, holds)),
    ...files.map(leadsNowhere),
  ]);
  return found.flat();
}

/** A dangling link counts as a missing file, which is hardly intended. */
async function leadsNowhere(path: string): Promise<DoctorFinding[]> {
  const link = await lstat(path).catch(() => undefined);
  const target = await stat(path).catch(() => undefined);
  if (!link?.isSymbolicLink() || target !== undefined) return [];
  const words = `${path} is a link that leads nowhere: nothing of it holds`;
  return [{ check, state: "warn", words, fix: "make its target, or remove the link" }];
}

async function rightsOf(path: string, holds: "keys" | "settings"): Promise<DoctorFinding[]> {
  const found = await stat(path).catch(() => undefined);
  if (!found) return [];
  const { uid, gid, mode } = found;
  const isOwn = uid === process.getuid?.() || uid === 0;
  // On many systems each user has a private group, so group write access is harmless there.
  const ownGroup = gid === process.getgid?.();
  if (!isOwn)
    return [
      finding(
        `${path} belongs to another user (${uid}), who decides by it what runs here`,
        `make it yours (\`sudo chown "$USER" ${path}\`), or remove it`,
      ),
    ];
  if ((mode & 0o002) !== 0 || (!ownGroup && (mode & 0o020) !== 0))
    return [
      finding(`others may write ${path}, and decide by it what runs here`, `run \`chmod go-w ${path}\``),
    ];
  if (holds === "keys" && (mode & 0o044) !== 0)
    return [finding(`others may read ${path}, which holds a key`, `run \`chmod 600 ${path}\``)];
  return [];
}

const finding = (words: string, fix: string): DoctorFinding => ({ check, state: "warn", words, fix });
