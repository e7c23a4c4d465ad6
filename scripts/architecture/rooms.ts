/** The rooms of `src/` and the imports allowed between them. `npm run docs` prints this table into ARCHITECTURE.md. */

export type Room = {
  /** The folder below `src/`. */
  name: string;
  mayImport: readonly string[];
  /** Rooms from which only types may be imported. */
  onlyTypes?: readonly string[];
  /** True if the code must also run in a browser, so it may import nothing from Node. */
  browserSafe?: true;
  says: string;
};

const ground = ["protocol", "base"];
const belowAddons = ["agent", "session", "tools", "safety", "providers", "wires", "dialects", ...ground];
const belowRuntime = ["archive", "configuration", "trust", "addons", ...belowAddons];
/** What a surface over sessions may reach. */
const surface = ["hosting", "runtime", "configuration", "view", "remote", ...ground];

export const rooms: readonly Room[] = [
  {
    name: "base",
    mayImport: [],
    says: "what belongs to no domain: JSON, text, paths, files, processes, HTTP, terminals, limits",
  },
  {
    name: "protocol",
    mayImport: ["base"],
    browserSafe: true,
    says: "the common vocabulary: messages, model events, facts, commands, the fold; no I/O",
  },
  { name: "wires", mayImport: ground, says: "provider formats, in both directions" },
  { name: "dialects", mayImport: ground, says: "calls written as text, for models without native tools" },
  { name: "tools", mayImport: ground, says: "what a model may use; tools plan changes, they never write" },
  { name: "safety", mayImport: ground, says: "whether a call may run, and why" },
  { name: "session", mayImport: ground, says: "the log of facts and its stores" },
  {
    name: "providers",
    mayImport: ["wires", "dialects", ...ground],
    says: "models: which there are, and asking them",
  },
  {
    name: "agent",
    mayImport: ["session", "tools", "safety", ...ground],
    onlyTypes: ["providers"],
    says: "the turn; knows neither formats nor dialects",
  },
  {
    name: "addons",
    mayImport: ["tools", ...ground],
    onlyTypes: ["agent"],
    says: "what users add: hooks, instructions, skills, tool servers, language servers, the web, checks, telemetry",
  },
  {
    name: "trust",
    mayImport: ["addons", "safety", "tools", ...ground],
    says: "what a workspace may bring along",
  },
  {
    name: "configuration",
    mayImport: ["addons", "safety", "tools", "providers", "wires", ...ground],
    says: "the files of the configuration, the options of the command line, and their help",
  },
  {
    name: "archive",
    mayImport: ["session", "safety", ...ground],
    says: "the sessions that are kept: listed, named, copied, deleted, carried elsewhere",
  },
  { name: "runtime", mayImport: belowRuntime, says: "one session, everything put together" },
  {
    name: "hosting",
    mayImport: ["runtime", "archive", "configuration", "agent", "session", "providers", ...ground],
    says: "the sessions of many workspaces, for servers",
  },
  {
    name: "testing",
    mayImport: ["acp", "gateway", "hosting", "runtime", ...belowRuntime],
    says: "the scripted model, its server, and whole sessions for tests and the demo",
  },
  { name: "view", mayImport: ground, browserSafe: true, says: "facts → blocks on a screen; pure" },
  {
    name: "remote",
    mayImport: ground,
    browserSafe: true,
    says: "a gateway's API, and the client for it",
  },
  {
    name: "page",
    mayImport: ["view", "remote", ...ground],
    browserSafe: true,
    says: "the page that a gateway serves",
  },
  {
    name: "lm-server",
    mayImport: ["wires", "providers", "tools", ...ground],
    says: "a language-model server in front of any provider; no sessions",
  },
  { name: "gateway", mayImport: surface, says: "the server for pages and programs" },
  {
    name: "mcp-server",
    mayImport: ["hosting", "runtime", "configuration", "tools", "view", ...ground],
    says: "sessions, and the tools themselves, for other agents (Model Context Protocol)",
  },
  { name: "acp", mayImport: surface, says: "the agent of an editor (Agent Client Protocol)" },
  { name: "tui", mayImport: surface, says: "the terminal: a conversation line by line, or as a screen" },
  {
    name: "cli",
    mayImport: [
      "testing",
      "gateway",
      "lm-server",
      "mcp-server",
      "acp",
      "tui",
      "archive",
      "trust",
      ...surface,
    ],
    says: "the command line",
  },
];

/** The room of a file (`src/…` with forward slashes); `undefined` for public entries and files outside `src`. */
export function roomOf(path: string): Room | undefined {
  return rooms.find(({ name }) => path.startsWith(`src/${name}/`));
}

/** The package's public entry files: they may import any room, and no room may import them. */
export const publicEntries: readonly string[] = ["src/index.ts", "src/client.ts", "src/testing.ts"];

/** Packages that one folder alone may import: whoever does not need it never loads them. */
export const packagePlaces: Readonly<Record<string, string>> = {
  pg: "src/session/postgres/",
  "@dbos-inc/dbos-sdk": "src/hosting/dbos/",
};

/** Where people and programs meet a session, and what they share. */
export const surfaces: readonly string[] = [
  "view",
  "remote",
  "page",
  "lm-server",
  "gateway",
  "mcp-server",
  "acp",
  "tui",
  "cli",
];

/** The only file that may import every surface. */
export const starter = "src/cli/main.ts";

/** The table for ARCHITECTURE.md, limited to the rooms that exist. Its heading names what all above the ground may import. */
export function roomsTable(existing: readonly Room[]): string {
  const shown = (name: string): boolean => existing.some((room) => room.name === name);
  const cell = (room: Room, index: number): string => {
    if (ground.includes(room.name)) return room.mayImport.length === 0 ? "nothing" : "only `base`";
    const own = room.mayImport.filter((name) => shown(name) && !ground.includes(name));
    const above = existing.slice(0, index).filter(({ name }) => !ground.includes(name));
    if (own.length > 1 && own.length === above.length && above.every(({ name }) => own.includes(name)))
      return "all above";
    const names = own.map((name) => `\`${name}\``);
    const types = (room.onlyTypes ?? []).filter(shown).map((name) => `\`${name}\` (types)`);
    return [...names, ...types].join(", ") || "–";
  };
  return [
    "| room | may import, besides `protocol` and `base` | says |",
    "|---|---|---|",
    ...existing.map((room, index) => `| \`${room.name}\` | ${cell(room, index)} | ${room.says} |`),
  ].join("\n");
}
