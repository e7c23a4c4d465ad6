/** The options of `toolwright sessions`. */

import type { Option } from "./option-values.ts";

export const sessionOptions: readonly Option[] = [
  {
    name: "all",
    flag: "all",
    only: "sessions",
    type: { kind: "switch" },
    help: "With `list`, `search`, and `delete --older-than`: every workspace, not only this one.",
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
    type: { kind: "text", placeholder: "TURN" },
    help: "With `fork`: fork before this request number, or after a fact (`fact:57`). Default: everything up to the last finished request.",
  },
  {
    name: "format",
    flag: "format",
    only: "sessions",
    type: { kind: "choice", values: ["markdown", "html", "json", "bundle"] },
    default: "markdown, or json with --output json",
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
];
