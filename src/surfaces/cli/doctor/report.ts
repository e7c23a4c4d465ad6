/**
 * `toolwright doctor --report`: what a bug report needs to know of this machine and these settings, and nothing secret.
 */

import { stat } from "node:fs/promises";
import { homedir, release } from "node:os";
import { join } from "node:path";
import { sizeInWords } from "../../../base/amounts.ts";
import { type Redact, redactedJson } from "../../../base/redact.ts";
import { type SetUp, setUpOf } from "../../../runtime/inspecting/set-up.ts";
import { version } from "../../../runtime/options/version.ts";
import { styleFor } from "../../view/plain.ts";
import { visibleLine } from "../../view/visible.ts";
import type { CliRoom } from "../room.ts";
import type { Finding } from "./finding.ts";
import { findingLines } from "./lines.ts";

/** For programs. `report` counts up when its shape changes. */
export type Report = SetUp & {
  report: 1;
  versions: { toolwright: string; node: string; system: string };
  database: { bytes: number };
  findings: Finding[];
};

type Given = { findings: readonly Finding[]; redact: Redact };

/** JSON where that is the output, else text for people, to be pasted as it is. */
export async function reportText(room: CliRoom, given: Given): Promise<string> {
  const report = await reportOf(room, given);
  return room.settings.output === "text"
    ? `${reportLines(report).join("\n")}\n`
    : `${JSON.stringify(report)}\n`;
}

async function reportOf({ settings, terminal }: CliRoom, { findings, redact }: Given): Promise<Report> {
  const { stateDir } = settings;
  const bytes = await stat(join(stateDir, "sessions.db")).then(
    ({ size }) => size,
    () => 0,
  );
  const system = `${process.platform} ${release()} ${process.arch}`;
  const report: Report = {
    report: 1,
    versions: { toolwright: version, node: process.versions.node, system },
    ...setUpOf(settings, terminal.env),
    database: { bytes },
    findings: findings.map(withoutRows),
  };
  const clean = cleaner(redact, terminal.env["HOME"] || homedir());
  const read: Report = JSON.parse(redactedJson(report, clean));
  return read;
}

/** Secrets first: a home directory in one would hide it. */
function cleaner(redact: Redact, home: string): Redact {
  const bare = home.replace(/\/+$/u, "");
  if (bare === "") return redact;
  const escaped = bare.replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`);
  const below = new RegExp(`${escaped}(?![\\w.-])`, "gu");
  return (text) => redact(text).replaceAll(below, "~");
}

function reportLines({
  versions,
  settings,
  providers,
  servers,
  hooks,
  database,
  findings,
}: Report): string[] {
  return [
    `### Toolwright ${versions.toolwright}`,
    "",
    `- Node ${versions.node}, ${versions.system}`,
    list(
      "settings",
      Object.entries(settings).map(([name, value]) => `${name} ${String(value)}`),
    ),
    list(
      "providers",
      providers.map(({ name, wire, address, key }) => `${name} (${wire}, ${address}, key: ${key})`),
    ),
    list(
      "tool servers",
      servers.map(({ name, by, reached }) => `${name} (of the ${by}, by ${reached})`),
    ),
    list(
      "hooks",
      hooks.map(({ on, by, runs }) => `${on.join(", ")} (of the ${by}, ${runs})`),
    ),
    `- database: ${sizeInWords(database.bytes)}`,
    "",
    "```",
    ...findingLines(findings, styleFor({}, false)),
    "```",
  ];
}

const list = (title: string, items: readonly string[]): string =>
  `- ${title}: ${items.length === 0 ? "none" : items.map(visibleLine).join("; ")}`;

/** The bounds are the same everywhere. */
const withoutRows = ({ check, state, words, fix }: Finding): Finding => ({
  check,
  state,
  words,
  ...(fix === undefined ? {} : { fix }),
});
