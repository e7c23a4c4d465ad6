/** Parses a patch in either format, detected by how it begins. */

import type { Expected } from "../../base/expected.ts";
import { readEnvelope } from "./envelope.ts";
import type { Section } from "./patch.ts";
import { readUnified } from "./unified-diff.ts";
import { unwrap } from "./unwrap.ts";

/** The problem says what is wrong with the patch, and that nothing was changed. */
export function readPatch(patch: string): Expected<Section[]> {
  const unwrapped = unwrap(patch);
  if (!unwrapped.ok) return unwrapped;
  const { shape, lines, from } = unwrapped.value;
  // Models put whole unified diffs inside the other format's markers.
  const isMixed = shape === "envelope" && !lines.some((line) => /^\*\*\* ?\w+ file:/i.test(line));
  return shape === "unified" || isMixed ? readUnified(lines, from) : readEnvelope(lines, from);
}
