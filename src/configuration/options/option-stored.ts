/** The options on what is stored: where sessions are, and those of the commands on them, their changes, the configuration. */

import { waysOnConflict } from "./option-choices.ts";
import { withPlace } from "./option-commands.ts";
import type { Option } from "./option-values.ts";

export const storedOptions: readonly Option[] = [
  {
    name: "database",
    flag: "database",
    group: "sessions",
    variable: "TOOLWRIGHT_DATABASE",
    inConfig: true,
    type: { kind: "text", placeholder: "ADDRESS" },
    default: "a file in the state directory",
    concerns: withPlace,
    help: "Keep the sessions in this PostgreSQL database: `postgres://user@host/name`. Everything else stays in the state directory.",
  },
  {
    name: "all",
    flag: "all",
    only: "sessions",
    type: { kind: "switch" },
    help: "With `list`, `search`, and `delete --older-than`: every workspace, not only this one. With `export`: every session, in one file; with `import`: all of such a file, each in the workspace that it is of.",
  },
  {
    name: "limit",
    flag: "limit",
    only: "sessions",
    type: { kind: "number", from: 1, to: 1_000_000 },
    default: "30, or all for list --output json",
    help: "With `list` and `search`: how many to show, newest first.",
  },
  {
    name: "at",
    flag: "at",
    only: "sessions",
    alsoFor: ["fork"],
    type: { kind: "text", placeholder: "TURN" },
    help: "With `fork`: fork before this request number, or after a fact (`fact:57`). Default: everything up to the last finished request.",
  },
  {
    name: "format",
    flag: "format",
    only: "sessions",
    type: { kind: "choice", values: ["markdown", "html", "json", "bundle"] },
    default: "as FILE ends: .md, .html, .json, .toolwright; else markdown, or json with --output json",
    help: "With `export`: a text for people, a page with timeline, diffs and cost, the facts, or one file that `import` reads on another machine.",
  },
  {
    name: "html",
    flag: "html",
    only: "sessions",
    type: { kind: "switch" },
    help: "With `show`: one page with timeline, diffs and cost, on standard output or in FILE.",
  },
  {
    name: "olderThan",
    flag: "older-than",
    only: "sessions",
    type: { kind: "text", placeholder: "AGE" },
    help: "With `delete`: the sessions of this workspace that have not been used for this long, e.g. 12h, 30d, 8w.",
  },
  {
    name: "yes",
    flag: "yes",
    short: "y",
    only: "sessions",
    type: { kind: "switch" },
    help: "With `delete`: do not ask.",
  },
  {
    name: "hunk",
    flag: "hunk",
    only: "undo",
    type: { kind: "text", placeholder: "N[,N]" },
    help: "Undo only these hunks of one file, as numbered by `diff`.",
  },
  {
    name: "conflict",
    flag: "conflict",
    only: "undo",
    alsoFor: ["redo"],
    type: { kind: "choice", values: waysOnConflict },
    help: "What to do with files that have changed since: leave them alone (`skip`), bring back the earlier content anyway (`restore`), or undo only what the request did, line by line (`merge`). Without it, such a conflict changes nothing.",
  },
  {
    name: "project",
    flag: "project",
    only: "config",
    type: { kind: "switch" },
    help: "With `get`, `set`, `unset` and `path`: the workspace's own file, which comes with the code and may only make things stricter.",
  },
  {
    name: "local",
    flag: "local",
    only: "config",
    type: { kind: "switch" },
    help: "With `get`, `set`, `unset` and `path`: your own file for this workspace alone, which lies beside yours.",
  },
];
