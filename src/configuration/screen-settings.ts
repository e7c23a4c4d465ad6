/** What a person sets of their screen: its keys, and its lowest row, a template or what a command of theirs prints. */

import * as z from "zod/mini";
import { keysSchema, type KeySettings } from "./key-settings.ts";

/** What stands in braces in a template. */
export const statusFields = [
  ["mode", "the mode"],
  ["model", "the model's name, without its provider"],
  ["context", "how much of the model's window is filled, in percent"],
  ["cost", "what the session has cost"],
  ["branch", "the branch of git"],
  ["session", "the session's id"],
  ["workspace", "the workspace's path"],
] as const;

export type StatusField = (typeof statusFields)[number][0];

/** A brace pair in a template. */
export const statusPlace = /\{([^{}]*)\}/gu;

const what = `a template with ${statusFields.map(([field]) => `{${field}}`).join(", ")}, or { "command": "…" }`;

const isField = (name: string): boolean => statusFields.some(([field]) => field === name);

const template = z.string().check(
  z.minLength(1),
  z.refine((text) => Array.from(text.matchAll(statusPlace), ([, name = ""]) => name).every(isField), what),
);

const command = z.strictObject({
  type: z.optional(z.literal("command")),
  command: z.string().check(z.minLength(1)),
  padding: z.optional(z.int().check(z.minimum(0), z.maximum(20))),
});

const statusLineSchema = z.union([template, command], what);

export type StatusLineSetting = z.infer<typeof statusLineSchema>;

export const screenSections = { keys: keysSchema, statusLine: statusLineSchema } as const;

export type ScreenSettings = { keys?: KeySettings; statusLine?: StatusLineSetting };
