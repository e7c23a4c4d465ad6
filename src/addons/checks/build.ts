/**
 * The `build` tool, which finds and runs the project's own checks, so that neither models nor people need to know the
 * command.
 */

import * as z from "zod/mini";
import { textField } from "../../tools/arguments/shape.ts";
import { runCommand } from "../../tools/run-command.ts";
import { defineTool, failedResult, type PreparedCall, type Tool } from "../../tools/tool.ts";
import { planChecks } from "./find.ts";

/** `isTold`: whether the tool is listed for models; calls to it work either way. */
export const build = (workspace: string, { isTold }: { isTold: boolean }): Tool =>
  defineTool({
    name: "build",
    aliases: ["run_checks", "run_tests", "check_project"],
    argumentAliases: { check: ["what", "target", "task", "kind", "name"], path: ["directory", "dir", "cwd"] },
    summary: "Find and run the project's own checks: types, lint, build and tests.",
    does: "execute",
    ...(isTold ? {} : { modes: [] }),
    input: () => ({
      check: z.optional(textField("types, lint, build, test or a name; all by default")),
      path: z.optional(textField("Directory of the project")),
    }),
    title: ({ check = "all" }) => `Check the project (${check})`,
    becomes: ({ check = "all", path = "." }) => callOf(workspace, { check, path }),
    run: async () => failedResult("Nothing was run."),
  });

/** Plans once, so that the command that is judged and approved is the one that runs. */
function callOf(workspace: string, { check, path }: { check: string; path: string }): PreparedCall {
  const planned = planChecks(workspace, path, check);
  const none = (problem: string): PreparedCall => ({
    title: `Look for checks in ${path}`,
    paths: [path],
    does: "read",
    run: async () => failedResult(problem),
  });
  if (!planned.ok) return none(planned.problem);
  const { command, directory } = planned.value;
  const call = runCommand.prepare({ command, ...(directory === "." ? {} : { cwd: directory }) });
  return call.ok ? { ...call.value, as: runCommand.name, checks: true } : none(call.problem);
}
