/** Damaged patches of no particular format. */

import { test } from "vitest";
import { abc, envelope, hunk, update, patchCheck } from "../../testing/damaged-patches.ts";
import type { PatchCase } from "./testing/patch.ts";

const otherCases: readonly PatchCase[] = [
  { about: "an empty patch", patch: "", refused: "The patch is empty" },
  { about: "blank lines", patch: " \n\n", refused: "The patch is empty" },
  { about: "prose", patch: "Change b to B in f, please.", refused: "This is no patch" },
  { about: "an old diff", patch: "2c2\n< b\n---\n> B\n", refused: "This is no patch" },
  { about: "escaped line breaks", patch: "*** Replace\\n*** Update\\n", refused: "real line breaks" },
  { about: "a lone surrogate", patch: envelope("*** Add File: g", "+\uD800"), refused: "lone surrogate" },
  {
    about: "a path outside the workspace",
    patch: envelope("*** Add File: ../g", "+x"),
    refused: "outside the workspace",
  },
  {
    about: "an absolute path outside the workspace",
    patch: envelope("*** Delete File: /etc/passwd"),
    refused: "outside the workspace",
  },
  {
    about: "a move out of the workspace",
    patch: envelope("*** Update File: f", "*** Move to: ../g"),
    refused: "outside the workspace",
  },
  {
    about: "a rename from outside the workspace",
    patch: ["diff --git a/../x b/g", "rename from ../x", "rename to g"],
    refused: "outside the workspace",
  },
  { about: "a path with NUL", patch: envelope("*** Add File: g\0h", "+x"), refused: "NUL" },
  {
    about: "a folder",
    files: { "d/f": abc },
    patch: envelope("*** Update File: d", ...hunk),
    refused: "d is a directory",
  },
  {
    about: "deletion of a folder",
    files: { "d/f": abc },
    patch: envelope("*** Delete File: d"),
    refused: "d is a directory",
  },
  {
    about: "a binary file",
    files: { f: "a\nb\nc\n\0" },
    patch: update,
    refused: "cannot be edited as text",
  },
  {
    about: "a move of a binary file",
    files: { f: "\0\x01" },
    patch: envelope("*** Update File: f", "*** Move to: g"),
    becomes: { f: null, g: "\0\x01" },
  },
  { about: "a home path", patch: envelope("*** Add File: ~/g", "+x"), refused: "not expanded" },
];

const check = patchCheck("patches damaged in ways of no format");
test.each(otherCases)("in any format: $about", check);
