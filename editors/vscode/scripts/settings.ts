/** A setting of VS Code for each option of Toolwright that a configuration file may hold too. */

import type { JsonObject } from "../../../src/base/json.ts";
import { type Option, options } from "../../../src/configuration/options/options.ts";

/** Those that the core understands when it is started. */
const offered = options.filter(
  ({ inConfig, concerns }) => inConfig && (concerns === undefined || concerns.includes("serve")),
);

/** The name of the setting, without ours → the flag. */
export const optionFlags = (): Record<string, string> =>
  Object.fromEntries(offered.map(({ name, flag }) => [name, flag]));

export const settingProperties = (): JsonObject =>
  Object.fromEntries(offered.map((option) => [`toolwright.${option.name}`, settingOf(option)]));

/** Their values are places as one machine sees them; an address may hold a password. */
const placed = new Set(["stateDir", "database", "log", "telemetry"]);

/** Not for a workspace to set: some of them decide what runs. */
function settingOf({ name, type, help, default: usual }: Option): JsonObject {
  const text = usual === undefined ? help : `${help} Default: ${usual}.`;
  const scope = placed.has(name) ? "machine" : "application";
  return { ...typeOf(type), scope, markdownDescription: text };
}

/** Each may be left to the configuration file, so none has a default here. */
function typeOf(type: Option["type"]): JsonObject {
  switch (type.kind) {
    case "switch":
      return { type: ["boolean", "null"], default: null };
    case "text":
    case "duration":
      return { type: "string", default: "" };
    case "choice":
      return { type: ["string", "null"], enum: [...type.values, null], default: null };
    case "number":
      return { type: ["number", "null"], minimum: type.from, maximum: type.to, default: null };
    default:
      return type satisfies never;
  }
}
