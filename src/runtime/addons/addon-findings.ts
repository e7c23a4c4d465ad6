/** Findings for `toolwright doctor` about users' addons: what there is, what awaits approval, and what is wrong. */

import { execFile } from "node:child_process";
import type { AddonDirectories } from "../../addons/part.ts";
import { countOf } from "../../base/amounts.ts";
import type { EnvironmentVariables } from "../../base/environment-variables.ts";
import { errorMessage } from "../../base/expected.ts";
import { childEnvironment } from "../../base/process.ts";
import type { Config } from "../../configuration/config.ts";
import { countedKinds, untrustedNotice } from "../../trust/words.ts";
import { versionTimeMs } from "../bounds.ts";
import { fileCommandsIn } from "../messages/file-commands.ts";
import { addonDirectoriesIn } from "../reading.ts";
import type { ToolServerFinding } from "./tool-server-report.ts";

export async function addonFindings(
  settings: Config,
  env: EnvironmentVariables,
): Promise<ToolServerFinding[]> {
  const place = await addonDirectoriesIn(settings, env);
  const parts = [
    instructions(place),
    commands(settings, env),
    agents(place),
    hooks(settings, place.workspace, env),
    webSearch(settings, place, env),
    servers(settings, env),
    languages(settings, place, env),
  ];
  const found = await Promise.all([...parts, trustFinding(settings, env)].map(orProblem));
  const told = new Set<string>();
  return found.flat().filter(({ state, words }) => {
    const isTold = state === "warn" && told.has(words);
    told.add(words);
    return !isTold;
  });
}

async function orProblem(looking: Promise<ToolServerFinding[]>): Promise<ToolServerFinding[]> {
  try {
    return await looking;
  } catch (error) {
    const words = `could not be checked (${errorMessage(error)})`;
    return [{ check: "addons", state: "warn", words }];
  }
}

const problemsOf = (check: string, problems: readonly string[]): ToolServerFinding[] =>
  problems.map((words) => ({ check, state: "warn", words }));

async function instructions(place: AddonDirectories): Promise<ToolServerFinding[]> {
  const check = "instructions";
  const { readInstructions } = await import("../../addons/instructions/read-instructions.ts");
  const { files, problems } = await readInstructions(place);
  const words =
    files.length === 0
      ? "none: AGENTS.md in the workspace tells the model how things are done there"
      : files.map(({ path }) => path).join(", ");
  return [{ check, state: "ok", words }, ...problemsOf(check, problems)];
}

async function languages(
  { addons }: Config,
  { workspace, home }: AddonDirectories,
  env: EnvironmentVariables,
): Promise<ToolServerFinding[]> {
  const { languageFindings } = await import("../../addons/languages/findings.ts");
  const environment = childEnvironment(env);
  return languageFindings({ workspace, home, environment }, addons.user.languageServers);
}

async function commands(settings: Config, env: EnvironmentVariables): Promise<ToolServerFinding[]> {
  const check = "skills";
  const { commands: found, problems } = await (await fileCommandsIn(settings, env)).list();
  const skills = found.filter(({ kind }) => kind === "skill").length;
  const words = `${countOf(skills, "skill")}, ${countOf(found.length - skills, "command")}`;
  return [{ check, state: "ok", words }, ...problemsOf(check, problems)];
}

async function agents(place: AddonDirectories): Promise<ToolServerFinding[]> {
  const check = "agents";
  const { agentDefinitions } = await import("../../addons/skills/agents.ts");
  const { agents: found, problems } = await agentDefinitions(place);
  const words = found.length === 0 ? "none defined" : found.map(({ name }) => name).join(", ");
  return [{ check, state: "ok", words }, ...problemsOf(check, problems)];
}

/** What a bash line runs is unknown before it runs; for an argument list, the program is known. */
async function hooks(
  { addons }: Config,
  workspace: string,
  env: EnvironmentVariables,
): Promise<ToolServerFinding[]> {
  const check = "hooks";
  const own = addons.user.hooks ?? [];
  const brought = addons.workspace.hooks?.length ?? 0;
  const broken = await Promise.all(
    own.map(async (hook): Promise<ToolServerFinding[]> => {
      const problem = await hookProblem(hook, workspace, env);
      if (problem === undefined) return [];
      const words = `${hook.name === undefined ? "" : `${hook.name}: `}${problem}`;
      return [{ check, state: "fail", words, fix: "fix the hook, or what it needs" }];
    }),
  );
  const found = broken.flat();
  const well = own.length - found.length;
  const words = `${well} of yours, ${brought} of the workspace`;
  const isTold = found.length > 0 && well + brought === 0;
  return [...(isTold ? [] : [{ check, state: "ok" as const, words }]), ...found];
}

type OwnHook = NonNullable<Config["addons"]["user"]["hooks"]>[number];

async function hookProblem(
  { command, url }: OwnHook,
  place: string,
  env: EnvironmentVariables,
): Promise<string | undefined> {
  if (url !== undefined) {
    const { connectProblem } = await import("../inspecting/reachable-address.ts");
    const problem = await connectProblem(url);
    return problem === undefined ? undefined : `nothing answers at ${new URL(url).host} (${problem})`;
  }
  if (typeof command === "string") return lineProblem(command, place, env);
  const { isProgram } = await import("./tool-server-report.ts");
  const [program = ""] = command ?? [];
  return (await isProgram(program, place, env)) ? undefined : `there is no program ${program}`;
}

/** Bash's syntax errors for a line, and whether its first word is a known command. Nothing is run. */
async function lineProblem(
  line: string,
  place: string,
  env: EnvironmentVariables,
): Promise<string | undefined> {
  const unread = await saidByBash(["-n", "-c", line], place, env);
  if (unread !== undefined) return `bash cannot read it (${unread.split("\n")[0]?.slice(0, 200) ?? ""})`;
  const [, first] = /^\s*([\w./+-]+)(?=\s|$)/u.exec(line) ?? [];
  if (first === undefined) return undefined;
  const unknown = await saidByBash(["-c", 'type -- "$1"', "bash", first], place, env);
  return unknown === undefined ? undefined : `there is no program ${first}`;
}

/** Undefined if bash exits successfully or cannot be run. */
function saidByBash(
  argv: readonly string[],
  cwd: string,
  env: EnvironmentVariables,
): Promise<string | undefined> {
  const options = {
    timeout: versionTimeMs,
    encoding: "utf8",
    env: { ...env },
    cwd,
  } as const;
  return new Promise((resolve) => {
    execFile("bash", argv, options, (error, _, said) =>
      resolve(typeof error?.code === "number" ? said : undefined),
    );
  });
}

async function webSearch(
  { addons }: Config,
  { home }: AddonDirectories,
  env: EnvironmentVariables,
): Promise<ToolServerFinding[]> {
  const check = "web search";
  const { command, url } = addons.user.webSearch ?? {};
  if (url !== undefined) return [await searchServer(url)];
  const [program] = command ?? [];
  if (program === undefined) return [{ check, state: "ok", words: "none is configured" }];
  const { isProgram } = await import("./tool-server-report.ts");
  if (await isProgram(program, home, env)) return [{ check, state: "ok", words: program }];
  const words = `there is no program ${program}`;
  return [{ check, state: "fail", words, fix: "install it, or fix `webSearch` in the configuration" }];
}

async function searchServer(url: string): Promise<ToolServerFinding> {
  const check = "web search";
  const { connectProblem } = await import("../inspecting/reachable-address.ts");
  const { originOf } = await import("../inspecting/set-up.ts");
  const problem = await connectProblem(url);
  const address = originOf(url); // the part after the host may contain a key
  if (problem === undefined) return { check, state: "ok", words: address };
  const fix = "start it, or fix `webSearch` in the configuration";
  return { check, state: "warn", words: `nothing answers at ${address} (${problem})`, fix };
}

async function servers(settings: Config, env: EnvironmentVariables): Promise<ToolServerFinding[]> {
  return (await import("./tool-server-report.ts")).serverFindings(settings, env);
}

/** Finds the workspace's untrusted contents without starting any of them. */
async function trustFinding(settings: Config, env: EnvironmentVariables): Promise<ToolServerFinding[]> {
  const check = "trust";
  const { broughtAlong } = await import("./brought-along.ts");
  const { things, trust, problems } = await broughtAlong(settings, env);
  const waiting = things.filter((thing) => !trust.allows(thing));
  const notice = untrustedNotice(waiting)?.text;
  const agreed = things.length - waiting.length;
  const finding: ToolServerFinding =
    notice === undefined
      ? {
          check,
          state: "ok",
          words: agreed === 0 ? "nothing waits for a yes" : `agreed to: ${countedKinds(things)}`,
        }
      : { check, state: "warn", words: notice };
  return [finding, ...problemsOf(check, problems)];
}
