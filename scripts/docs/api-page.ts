/** Writes docs/api.md: all exports of the package, from its sources and their comments. */

import { type Entrance, type Exported, publicExports } from "./public-exports.ts";

export const entrances: readonly (Entrance & { says: string })[] = [
  {
    name: "toolwright",
    path: "src/index.ts",
    says: "Sessions, tools, models, dialects and hooks, for programs that Toolwright runs in: see [extending.md](extending.md).",
  },
  {
    name: "toolwright/testing",
    path: "src/testing.ts",
    says: "For tests of tools, models and programs: see [testing.md](testing.md).",
  },
  {
    name: "toolwright/client",
    path: "src/client.ts",
    says: "Talks to a gateway, also from browsers: see [client.md](client.md).",
  },
];

/** Groups exports by the room that declares them. */
const groups: readonly (readonly [room: string, title: string])[] = [
  ["runtime", "Settings and sessions"],
  ["remote", "The client"],
  ["testing", "Tests"],
  ["tools", "Tools"],
  ["addons", "What is added: hooks, tools that come and go, observers"],
  ["agent", "Points of a turn"],
  ["providers", "Models and providers"],
  ["dialects", "Dialects"],
  ["wires", "Wires"],
  ["session", "Stores"],
  ["protocol", "Facts, messages, state"],
  ["base", "Common types"],
];

/** A longer declaration is cut, with a pointer to its source. */
const mostLines = 80;

export function apiPage(root: string): string {
  const all = publicExports(root, entrances);
  const told = new Map<string, string>();
  const sections = entrances.flatMap(({ name, says }) => {
    const exported = all.get(name) ?? [];
    const again = exported.filter((one) => told.has(keyOf(one)));
    const here = exported.filter((one) => !told.has(keyOf(one)));
    for (const one of here) told.set(keyOf(one), name);
    return [`## \`${name}\``, says, ...alsoHere(again, told), ...grouped(here, name)];
  });
  return `${[
    "# The API",
    "Written by `npm run docs` from the package's public entries and their comments: do not edit it. What is not listed here is not public, and may change at any time. What is marked *experimental* may change in any version, with an entry in the changelog; everything else stays as it is until the next major version. [api-report.md](api-report.md) has the same declarations in full, for reviews.",
    ...sections,
  ].join("\n\n")}\n`;
}

const keyOf = ({ name, path }: Exported): string => `${path} ${name}`;

/** Lists exports that an earlier entry already describes. */
function alsoHere(again: readonly Exported[], told: ReadonlyMap<string, string>): string[] {
  if (again.length === 0) return [];
  const names = again.map((one) => `[${one.name}](#${one.name.toLowerCase()})`);
  const [from = ""] = again.map((one) => told.get(keyOf(one)) ?? "");
  return [`Also, as in \`${from}\`: ${names.join(", ")}.`];
}

/** Exports without a doc comment or a tag that says whether they stay, as "entry: name". */
export function undocumented(root: string): string[] {
  return [...publicExports(root, entrances)].flatMap(([entry, exported]) =>
    exported.flatMap(({ name, comment, path, stability }) =>
      comment === "" || stability === undefined ? [`${entry}: ${name} (${path})`] : [],
    ),
  );
}

function grouped(exported: readonly Exported[], entry: string): string[] {
  const roomOf = ({ path }: Exported): string =>
    groups.find(([room]) => path.startsWith(`src/${room}/`))?.[0] ?? "base";
  return groups.flatMap(([room, title]) => {
    const of = exported.filter((one) => roomOf(one) === room);
    return of.length === 0 ? [] : [`### ${title} (\`${entry}\`)`, ...of.map(section)];
  });
}

function section({ name, path, declaration, comment, stability }: Exported): string {
  const lines = declaration.split("\n");
  const shown =
    lines.length > mostLines
      ? [...lines.slice(0, mostLines), `// … ${lines.length - mostLines} more lines in ${path}`]
      : lines;
  const head = `#### ${name}`;
  const says = stability === "experimental" ? `*Experimental.* ${comment}` : comment;
  return [head, ...(says === "" ? [] : [says]), ["```typescript", ...shown, "```"].join("\n")].join("\n\n");
}
