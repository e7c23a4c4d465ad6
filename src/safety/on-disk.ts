/** What stands on the disk right now, or nothing: whatever cannot be looked at is not there, and nothing throws. */

import {
  accessSync,
  constants,
  type Dirent,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  type Stats,
} from "node:fs";

/** Where a path leads to in the end. */
export const realPath = (path: string): string | undefined => orNothing(() => realpathSync.native(path));

/** What is written in a link. */
export const linkTarget = (path: string): string | undefined => orNothing(() => readlinkSync(path));

/** The names in a directory; none where there is none. */
export const namesIn = (directory: string): string[] => orNothing(() => readdirSync(directory)) ?? [];

/** The same with what each is. */
export const entriesIn = (directory: string): Dirent[] =>
  orNothing(() => readdirSync(directory, { withFileTypes: true })) ?? [];

/** The text of a file; empty where there is none. For files that are known to be small. */
export const fileText = (path: string): string => orNothing(() => readFileSync(path, "utf8")) ?? "";

/** A directory itself, not a link to one. */
export const isDirectory = (path: string): boolean => statusOf(path)?.isDirectory() ?? false;

/** Of what is there itself, if it is a link. */
export const statusOf = (path: string): Stats | undefined =>
  orNothing(() => lstatSync(path, { throwIfNoEntry: false }));

/** Whether we may run it. */
export const isExecutable = (path: string): boolean =>
  orNothing(() => {
    accessSync(path, constants.X_OK);
    return true;
  }) ?? false;

function orNothing<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
