/** Shared by tests of turns and calls: a tool that waits, and short builders for a request, a call and a rule. */

import * as z from "zod/mini";
import {
  type ModelScript,
  scriptedModel,
  type ScriptedAnswer,
  type ScriptedModel,
  type ScriptedOptions,
} from "../providers/scripted-model.ts";
import type { Rule } from "../safety/rules.ts";
import { defineTool, ok } from "../tools/tool.ts";

export const go = { type: "send" as const, content: [{ type: "text" as const, text: "go" }] };

export const write = (path: string, content = "x") => ({ call: "write_file", with: { path, content } });

/** An answer consisting of one write call. */
export const writes = (path: string): ScriptedAnswer => [write(path)];

export const rules = (...list: Rule[]) => [{ name: "user", rules: list }];

/** Resolves when everything that is ready has run. */
export const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A tool that waits at a gate and reports when it was started. */
export function gatedTool(name: string, does: "read" | "execute") {
  const started: string[] = [];
  const gates = new Map<string, () => void>();
  const begun = new Map<string, () => void>();
  const tool = defineTool({
    name,
    does,
    summary: "Waits.",
    input: { id: z.string() },
    title: ({ id }) => `${name} ${id}`,
    ...(does === "execute" ? { command: () => "touch x" } : {}),
    run: async ({ id }, context) => {
      started.push(id);
      begun.get(id)?.();
      await new Promise<void>((resolve, reject) => {
        gates.set(id, resolve);
        context.signal.addEventListener("abort", () => reject(context.signal.reason));
      });
      return ok(`${id} done`);
    },
  });
  return {
    tool,
    started,
    open: (id: string) => gates.get(id)?.(),
    begins: (id: string) =>
      started.includes(id) ? Promise.resolve() : new Promise<void>((resolve) => begun.set(id, resolve)),
  };
}

/** A scripted model that emits each text in pieces of four characters. */
export const inPieces = (script: ModelScript, options: ScriptedOptions = {}): ScriptedModel =>
  scriptedModel(script, { pieces: 4, ...options });
