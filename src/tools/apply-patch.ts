/** The tool that applies a patch to several files: all of it or nothing. */

import * as z from "zod/mini";
import type { Expected } from "../base/expected.ts";
import { readEnvelope } from "./patch/envelope.ts";
import { pathsOf, type Section } from "./patch/patch.ts";
import { readUnified } from "./patch/unified-diff.ts";
import { unwrap } from "./patch/unwrap.ts";
import { defineTool, failedResult, ok } from "./tool.ts";

export const applyPatch = defineTool({
  name: "apply_patch",
  aliases: ["patch", "apply_diff"],
  argumentAliases: { patch: ["input", "diff", "patchText"] },
  summary:
    "Change, create, delete or move several files, all or none: a unified diff, or `*** Begin Patch` with `*** Update File: path` and hunks.",
  does: "change",
  whenTooLong: "several patches, each of a few files",
  input: () => ({ patch: z.string() }),
  title: (input) => titleOf(pathsIn(input)),
  paths: pathsIn,
  async run(input, context) {
    const sections = sectionsOf(input);
    if (!sections.ok) return failedResult(sections.problem);
    const { planPatch } = await import("./patch/plan.ts"); // large and seldom needed
    const planned = await planPatch(sections.value, context);
    if (!planned.ok) return failedResult(planned.problem);
    const { changes, done } = planned.value;
    const shown = done.slice(0, shownFiles);
    const left = done.length - shown.length;
    const words = left > 0 ? [...shown, `and ${left} more`] : shown;
    return { ...ok(`Applied the patch: ${words.join(", ")}.`), changes };
  },
});

const shownFiles = 40;

type PatchInput = { patch: string };

/** Caches the parsed patch, since its title, paths and changes are requested one after the other. */
const readings = new WeakMap<PatchInput, Expected<Section[]>>();

function sectionsOf(input: PatchInput): Expected<Section[]> {
  const sections = readings.get(input) ?? readPatch(input.patch);
  readings.set(input, sections);
  return sections;
}

/** An unparseable patch touches no paths. */
function pathsIn(input: PatchInput): string[] {
  const sections = sectionsOf(input);
  return sections.ok ? pathsOf(sections.value) : [];
}

function titleOf(paths: readonly string[]): string {
  const [first, second, ...more] = paths;
  if (first === undefined) return "Apply a patch";
  if (second === undefined) return `Patch ${first}`;
  return more.length === 0 ? `Patch ${first} and ${second}` : `Patch ${first} and ${more.length + 1} more`;
}

/** The problem says what is wrong with the patch, and that nothing was changed. */
function readPatch(patch: string): Expected<Section[]> {
  const unwrapped = unwrap(patch);
  if (!unwrapped.ok) return unwrapped;
  const { shape, lines, from } = unwrapped.value;
  // Models put whole unified diffs inside the other format's markers.
  const isMixed = shape === "envelope" && !lines.some((line) => /^\*\*\* ?\w+ file:/i.test(line));
  return shape === "unified" || isMixed ? readUnified(lines, from) : readEnvelope(lines, from);
}
