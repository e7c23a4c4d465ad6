/** The tool servers of a runtime: their part in each session, and their prompts as slash commands. */

import { homedir } from "node:os";
import { toolServerBounds } from "../../addons/mcp/bounds.ts";
import type { ManagerSetup } from "../../addons/mcp/manager.ts";
import { mcpOf, type McpServersOfRuntime } from "../../addons/mcp/part.ts";
import type { Trust } from "../../addons/trust.ts";
import type { EnvironmentVariables } from "../../base/environment-variables.ts";
import { homeDirectory, realWorkspace } from "../../base/paths.ts";
import { childEnvironment } from "../../base/process.ts";
import type { AddonsConfigured } from "../../configuration/addon-settings.ts";
import type { Config } from "../../configuration/config.ts";
import { keyVariables } from "../../configuration/key-variables.ts";
import { conversationCommand } from "../../configuration/options/conversation-commands.ts";
import { version } from "../../configuration/options/version.ts";
import { joinTexts } from "../../protocol/messages.ts";
import { openTrust } from "../../trust/trust.ts";
import type { FileCommand, FileCommands } from "../messages/file-commands.ts";

export type ToolServersSetup = {
  configured: AddonsConfigured;
  /** Absolute, with symbolic links resolved. */
  workspace: string;
  home?: string;
  stateDir: string;
  /** The environment of the servers' programs: without keys. */
  environment: Readonly<Record<string, string>>;
  /** Variables that the person's configuration may reference: with keys. */
  variables?: EnvironmentVariables;
  trust: Trust;
};

export const toolServersOf = (setup: ToolServersSetup): McpServersOfRuntime => mcpOf(managerSetup(setup));

export function managerSetup({ configured, home = homedir(), ...setup }: ToolServersSetup): ManagerSetup {
  const { user, workspace: own } = configured;
  return {
    workspace: setup.workspace,
    user: user.mcpServers,
    own: { servers: own.mcpServers, path: own.path },
    home,
    stateDir: setup.stateDir,
    environment: setup.environment,
    variables: setup.variables ?? setup.environment,
    version,
    trust: setup.trust,
  };
}

/** For use without a runtime; no server is started until one of its prompts is called. */
export async function toolServersIn(
  settings: Config,
  env: EnvironmentVariables,
): Promise<McpServersOfRuntime> {
  return toolServersOf(await setupIn(settings, env));
}

export async function setupIn(settings: Config, env: EnvironmentVariables): Promise<ToolServersSetup> {
  const workspace = await realWorkspace(settings.workspace);
  return {
    configured: settings.addons,
    workspace,
    home: homeDirectory(env),
    stateDir: settings.stateDir,
    environment: childEnvironment(env, keyVariables(settings)),
    variables: env,
    trust: openTrust(settings.stateDir, workspace),
  };
}

/** Adds prompts as `/server:prompt`, after the file commands. */
export function withPrompts(commands: FileCommands, servers: McpServersOfRuntime): FileCommands {
  return {
    async list() {
      const { commands: ofFiles, problems } = await commands.list();
      const unknown = servers.unknown();
      return {
        commands: [...ofFiles, ...servers.prompts().map(commandOf)],
        problems: unknown.length === 0 ? problems : [...problems, notKnownYet(unknown)],
      };
    },
    async expand(name, typed, signal) {
      const ofFile = await commands.expand(name, typed, signal);
      if (ofFile || conversationCommand(name)) return ofFile;
      const overtime = AbortSignal.timeout(longest);
      const until = signal ? AbortSignal.any([signal, overtime]) : overtime;
      const called = await servers.called({ command: name, words: typed, signal: until });
      if (!called || "problem" in called) return called;
      const { prompt, rendered } = called;
      if (!rendered.ok) return { problem: rendered.problem };
      const text = joinTexts(rendered.value, "\n\n");
      return { command: commandOf(prompt), text };
    },
  };
}

const notKnownYet = (names: readonly string[]): string =>
  `Prompts of ${names.join(", ")} are not known yet: a tool server starts with a session's first request, or when you call one (/server:prompt).`;

/** Time limit for a call to a server. */
const longest = toolServerBounds.wholeCall.most;

function commandOf(prompt: ReturnType<McpServersOfRuntime["prompts"]>[number]): FileCommand {
  const hint = prompt.arguments.map(({ name, isRequired }) => (isRequired ? name : `[${name}]`)).join(" ");
  return {
    kind: "command",
    name: prompt.command,
    description: prompt.description,
    ...(hint === "" ? {} : { argumentHint: hint }),
    // A server's text must not reach files outside the workspace.
    from: "workspace",
    path: `the tool server ${prompt.server}`,
  };
}
