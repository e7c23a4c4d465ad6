/**
 * `toolwright doctor --report`: the facts about this machine and these settings that a bug report needs, without
 * secrets.
 */

import { release } from "node:os";
import { sizeInWords } from "../../base/amounts.ts";
import { homeDirectory } from "../../base/paths.ts";
import { type Redact, redactedJson } from "../../base/redact.ts";
import { visibleLine } from "../../base/visible-text.ts";
import { version } from "../../configuration/options/version.ts";
import { type SessionDatabase, sessionDatabase } from "../../runtime/inspecting/session-database.ts";
import { type SetUp, setUpOf } from "../../runtime/inspecting/set-up.ts";
import { styleFor } from "../../view/plain.ts";
import { type CliContext } from "../cli-context.ts";
import type { DoctorFinding } from "./finding.ts";
import { findingLines } from "./lines.ts";

/** The JSON form. `report` is incremented when its shape changes. */
export type DoctorReport = SetUp & {
  report: 1;
  versions: { toolwright: string; node: string; system: string };
  database: SessionDatabase;
  findings: DoctorFinding[];
};

type ReportInput = { findings: readonly DoctorFinding[]; redact: Redact };

/** JSON with `--output json`, else text to paste into a bug report. */
export async function reportText(context: CliContext, given: ReportInput): Promise<string> {
  const report = await reportOf(context, given);
  return context.settings.output === "text"
    ? `${reportLines(report).join("\n")}\n`
    : `${JSON.stringify(report)}\n`;
}

async function reportOf(
  { settings, terminal }: CliContext,
  { findings, redact }: ReportInput,
): Promise<DoctorReport> {
  const database = await sessionDatabase(settings).catch((): SessionDatabase => ({ bytes: 0 })); // a finding says why
  const system = `${process.platform} ${release()} ${process.arch}`;
  const report: DoctorReport = {
    report: 1,
    versions: { toolwright: version, node: process.versions.node, system },
    ...setUpOf(settings, terminal.env),
    database,
    findings: findings.map(withoutRows),
  };
  const clean = cleaner(redact, homeDirectory(terminal.env));
  const read: DoctorReport = JSON.parse(redactedJson(report, clean));
  return read;
}

/** Redacts secrets before the home directory: replacing a home path inside a secret would make it unrecognizable. */
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
}: DoctorReport): string[] {
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
    `- database: ${sizeInWords(database.bytes)}${database.server ? `, PostgreSQL ${database.server.version}` : ""}`,
    "",
    "```",
    ...findingLines(findings, styleFor({}, false)),
    "```",
  ];
}

const list = (title: string, items: readonly string[]): string =>
  `- ${title}: ${items.length === 0 ? "none" : items.map(visibleLine).join("; ")}`;

/** Drops the table of bounds, which is the same everywhere. */
const withoutRows = ({ check, state, words, fix }: DoctorFinding): DoctorFinding => ({
  check,
  state,
  words,
  fix,
});
