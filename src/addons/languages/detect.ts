/** Detects which language servers a workspace needs, from the names in its first levels, before anything is started. */

import { join } from "node:path";
import type { KnownLanguageServer } from "./launches.ts";
import { namesIn } from "./places.ts";

/** Directories of the first two levels to inspect. */
const mostDirectories = 40;
const passedOver: readonly string[] = ["node_modules", "dist", "build", "target", "vendor", "venv"];

/** The servers for which a file or marker exists. `where`: the first directory with one, relative to the workspace. */
export function detect(
  servers: readonly KnownLanguageServer[],
  workspace: string,
): { server: KnownLanguageServer; where: string }[] {
  const left = new Set(servers);
  const found: { server: KnownLanguageServer; where: string }[] = [];
  const directories = ["."];
  for (let at = 0; at < Math.min(directories.length, mostDirectories) && left.size > 0; at++) {
    const directory = directories[at] ?? ".";
    const entries = namesIn(join(workspace, directory));
    const files = entries.filter(({ isDirectory }) => !isDirectory).map(({ name }) => name);
    const held: DirectoryNames = { names: new Set(files), extensions: new Set(files.map(extensionOf)) };
    for (const server of left) {
      if (!isFor(server, held)) continue;
      left.delete(server);
      found.push({ server, where: directory });
    }
    if (directory.split("/").length > 2) continue;
    const below = entries.filter(
      ({ name, isDirectory }) => isDirectory && !name.startsWith(".") && !passedOver.includes(name),
    );
    directories.push(...below.map(({ name }) => (directory === "." ? name : `${directory}/${name}`)));
  }
  return found;
}

/** A directory's names, indexed once for all servers, because there may be thousands. */
type DirectoryNames = { names: ReadonlySet<string>; extensions: ReadonlySet<string> };

function extensionOf(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot > 0 ? name.slice(dot).toLowerCase() : "";
}

const isFor = ({ files, marks }: KnownLanguageServer, { names, extensions }: DirectoryNames): boolean =>
  marks.some((mark) => names.has(mark)) || Object.keys(files).some((extension) => extensions.has(extension));
