/** Sessions with language servers for tests: real installed servers, or fakes that behave as the test chooses. */

import { homedir } from "node:os";
import { basename, join } from "node:path";
import type { Waits } from "../addons/languages/languages.ts";
import { openLanguageServers } from "../addons/languages/part.ts";
import type { ServerRow } from "../addons/languages/rows.ts";
import type { LanguageServerSettings } from "../addons/languages/settings.ts";
import type { AddonContext, AddonOpener } from "../addons/part.ts";
import type { TrustItem } from "../addons/trust.ts";
import { childEnvironment } from "../base/process.ts";
import { openParts } from "../runtime/addons/session-addons.ts";
import type { OpenAddons } from "../runtime/session-setup.ts";
import { filesRunBy } from "../safety/ran/ran.ts";

export type LanguageOptions = {
  configured?: LanguageServerSettings;
  rows?: readonly ServerRow[];
  workspace: string;
  /** Directories to search for programs. */
  path: string;
  /** Whether a person has approved something that the workspace brings along; nothing is by default. */
  trusts?: (thing: TrustItem) => boolean;
  /** How long results wait for servers; the usual waits by default. */
  waits?: Waits;
  /** What objects to telling a model about a file; nothing by default. */
  withheld?: AddonContext["withheld"];
  /** Other addons of the session, which are called before. */
  before?: readonly AddonOpener[];
  /** Replaces the session's sandbox. */
  contain?: AddonContext["contain"];
};

/** `seen` collects the warnings and everything whose trust was checked. */
export function languageAddons(
  options: LanguageOptions,
  seen: { warned: string[]; asked: TrustItem[] } = { warned: [], asked: [] },
): OpenAddons {
  const { workspace, path, trusts = () => false, withheld = () => undefined, before = [], contain } = options;
  const part = openLanguageServers(options.configured, { rows: options.rows, waits: options.waits });
  return (session) =>
    openParts([...before, part], {
      ...session,
      workspace,
      home: homedir(),
      stateDir: `${workspace}-state`,
      configDir: `${workspace}-config`,
      withheld,
      environment: { ...childEnvironment(process.env), PATH: path },
      trust: {
        filesRun: async () => filesRunBy,
        allows(thing) {
          seen.asked.push(thing);
          return trusts(thing);
        },
        waiting: () => seen.asked.filter((thing) => !trusts(thing)),
      },
      ...(contain ? { contain } : {}),
      warn: (_code, text) => void seen.warned.push(text),
    });
}

/** Runs programs without a sandbox. */
export const uncontainedForTests: AddonContext["contain"] = (_profile, { command, env }) =>
  Promise.resolve({
    ok: true,
    value: { command, env, finished: () => Promise.resolve({ warnings: [], changes: [] }) },
  });

/** The table row of a made-up language whose server behaves this way: see `language-server.ts`. */
export function testRow(way: string, log?: string): ServerRow {
  return {
    name: "test",
    files: { ".bad": "bad" },
    marks: ["bad.json"],
    root: "topmost",
    programs: [
      {
        name: basename(process.execPath),
        parameters: [
          join(import.meta.dirname, "language-server.ts"),
          way,
          ...(log === undefined ? [] : [log]),
        ],
      },
    ],
    install: "write one",
  };
}
