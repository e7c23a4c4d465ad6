/** Maps paths in a container to this machine: mounted directories are the user's own files. */

import type { Mount } from "../dangers/effect.ts";
import type { FileEffect } from "../judge/file-findings.ts";
import type { Finding } from "../judgement.ts";
import { normalPath } from "./shell.ts";
import { unknown, type Word, withText } from "./word.ts";

type Inside = {
  readonly mounts?: readonly Mount[];
  /** The current directory in the container. */
  readonly directory: string | undefined;
  /** The whole tree below the path is meant, including everything mounted in it. */
  readonly isDeep: boolean;
  readonly isRead: boolean;
};

/** A running container may hold what exists nowhere else, and nothing takes back a change there. */
export const insideFinding = ({ type, path }: FileEffect): Finding | undefined =>
  type === "reads" || path.text === "/dev/null"
    ? undefined
    : { severity: "medium", because: "it changes files in a container" };

/** The files of this machine that a path in the container denotes: none, one, or several mounts below it. */
export function pathsOutside({ text, ...path }: Word, { mounts = [], ...inside }: Inside): Word[] {
  const absolute = absoluteIn(text, inside.directory);
  if (absolute === undefined) return [];
  const usable = mounts.filter(({ isReadOnly }) => inside.isRead || !isReadOnly);
  const holding = usable
    .filter(({ at }) => isWithin(absolute, at))
    .reduce<Mount | undefined>(
      (best, one) => (best && best.at.length >= one.at.length ? best : one),
      undefined,
    );
  const below = inside.isDeep
    ? usable.filter(({ at }) => at !== holding?.at && isWithin(at, treeOf(absolute)))
    : [];
  return [
    ...(holding ? [pathOnHost({ text: absolute, ...path }, holding)] : []),
    ...below.map(({ source }) => source),
  ];
}

const absoluteIn = (text: string, directory: string | undefined): string | undefined => {
  if (text === "" || text.startsWith(unknown)) return undefined;
  if (text.startsWith("/")) return normalPath(text);
  return directory === undefined ? undefined : normalPath(`${directory}/${text}`);
};

const isWithin = (path: string, tree: string): boolean =>
  path === tree || path.startsWith(tree === "/" ? tree : `${tree}/`);

/** `/data/*` is all of `/data`. */
const treeOf = (path: string): string => path.replace(/\/\*+$/u, "") || "/";

function pathOnHost(path: Word, { source, at }: Mount): Word {
  const rest = at === "/" ? path.text : path.text.slice(at.length);
  const text =
    rest === "" || rest === "/"
      ? source.text
      : `${source.text.replace(/\/+$/u, "")}/${rest.replace(/^\/+/u, "")}`;
  return withText({ ...source, isPattern: path.isPattern || source.isPattern }, text);
}
