/** What a tool or a command did to the workspace, for whoever decides on it, makes it and records it. */

import type { Change } from "../base/safe-fs/image.ts";
import type { SandboxRefusal } from "./facts.ts";

/** Changes of the workspace, those that undo covers and others. @public */
export type WorkspaceEffects = {
  /** File changes that are planned: they are shown, decided on, recorded and made afterwards, in this order. */
  changes?: Change[];
  /** The changes were already made while it ran. */
  made?: true;
  /** Other changes, which cannot be undone, in words: "node_modules: 30,123 files". */
  uncovered?: string[];
  /** Where it moved the references of repositories, each as a text. */
  references?: Change[];
  /** The directories and files that the other changes are about, workspace-relative. */
  places?: string[];
  /** Those of them that are new repositories. */
  repositories?: string[];
  /** Those of them where something was that undo could not bring back once it has been changed or removed. */
  lost?: string[];
  /** Makes those other changes, before `changes` are made; absent if they were made already. Returns what went wrong. */
  keep?: () => Promise<string[]>;
  /** What the kernel refused the command in its sandbox; absent if nothing looked. */
  refused?: readonly SandboxRefusal[];
  /** Call once the changes were made, staged or dropped: their contents stay readable until then. */
  settled?: () => Promise<void>;
};
