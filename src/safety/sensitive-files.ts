/** Files that are shown before they are changed, whatever the mode allows: settings that execute, secrets, CI (A37). */

import { environmentNames, templateWords } from "./environment-files.ts";
import { agentFolderPatterns, executingPlaces } from "./executing-places.ts";
import { literalsOf } from "./glob-literals.ts";
import { globMatcher } from "./path-pattern.ts";

/** `ask`: changed only if a person approves this file, or a later row lets it go. */
type SensitiveFile = { pattern: string; edit: "ask" | "let-go"; holds?: "secret" };

/** Returns the row that decides about a path, if that row asks. */
export type SensitiveFiles = (path: string) => SensitiveFile | undefined;

/** Evaluated in order, and the last match wins. Patterns match dot files and ignore case. */
const defaults: readonly SensitiveFile[] = [
  ...executingPlaces.flatMap(({ names }) => [`**/${oneOf(names)}`, `**/${oneOf(names)}/**`]).map(ask),
  ...[`**/${oneOf(agentFolderPatterns)}`, `**/${oneOf(agentFolderPatterns)}/**`].map(ask),
  ...[
    `**/${oneOf(environmentNames)}`,
    `**/${oneOf(environmentNames)}/**`,
    "**/*.{pem,key,p12,pfx,jks,keystore,kdbx}",
  ].map(secret),
  ...["**/id_{rsa,dsa,ecdsa,ed25519}", "**/{.ssh,.aws,.gnupg,.kube,.azure}/**"].map(secret),
  ...["**/{.npmrc,.pypirc,.netrc,.pgpass,.git-credentials,.dockercfg,.yarnrc.yml}"].map(secret),
  ...["**/{secrets,credentials}.{json,yaml,yml,toml,ini}", "**/*.{tfvars,tfstate}"].map(secret),
  ...["**/{.env,*.env,.env.*}{.,-,_}", "**/.env{-,_}*{.,-,_}"].map(letGoTemplate),
  { pattern: `**/${oneOf(templateWords)}.env`, edit: "let-go" },
  ...["**/.github/{workflows,actions}/**", "**/{.circleci,.buildkite,.woodpecker,.forgejo,.gitea}/**"].map(
    ask,
  ),
  ...["**/{.gitlab-ci,.travis,.drone,appveyor,azure-pipelines,bitbucket-pipelines}.{yml,yaml}"].map(ask),
  ...["**/Jenkinsfile", "**/CODEOWNERS"].map(ask),
  ...["**/{package.json,build.rs,web.config,server.xml}"].map(ask),
  ...["**/*.{csproj,fsproj,vbproj,vcxproj,proj,targets,props}"].map(ask),
  ...["**/*.lock", "**/*-lock.{json,yaml}", "**/{go.sum,npm-shrinkwrap.json}"].map(ask),
];

function oneOf(names: readonly string[]): string {
  return names.length === 1 ? names.join() : `{${names.join(",")}}`;
}

function ask(pattern: string): SensitiveFile {
  return { pattern, edit: "ask" };
}

function letGoTemplate(start: string): SensitiveFile {
  return { pattern: `${start}${oneOf(templateWords)}`, edit: "let-go" };
}

function secret(pattern: string): SensitiveFile {
  return { pattern, edit: "ask", holds: "secret" };
}

/** The setting `autoApproveEdits`: glob → `true` if edits need no separate approval, `false` if they do. */
export type AutoApproveEdits = Readonly<Record<string, boolean>>;

/** The defaults followed by the user's map; in a workspace's own map only entries that ask count. */
export function sensitiveFiles(
  user: AutoApproveEdits = {},
  workspace: AutoApproveEdits = {},
): SensitiveFiles {
  const rows = [...defaults, ...rowsOf(user), ...rowsOf(workspace).filter(({ edit }) => edit === "ask")];
  let matchers: Matchers | undefined;
  return (path) => {
    matchers ??= matchersOf(rows);
    const lower = path.toLowerCase();
    if (!matchers.mayMatch(lower)) return undefined;
    const last = matchers.list.findLast(({ matches }) => matches(path, lower))?.row;
    return last?.edit === "ask" ? last : undefined;
  };
}

let secretMatchers: Matchers | undefined;

/** By the name alone of a file, link or directory; a later row may let it go. */
export function isSecretFileName(name: string): boolean {
  secretMatchers ??= matchersOf(defaults.filter(({ holds }) => holds === "secret"));
  const lower = name.toLowerCase();
  return secretMatchers.mayMatch(lower) && secretMatchers.list.some(({ matches }) => matches(name, lower));
}

type Matchers = {
  list: readonly { row: SensitiveFile; matches: (path: string, lower: string) => boolean }[];
  /** Whether any may match: a search asks about every file of the workspace. */
  mayMatch: (lower: string) => boolean;
};

function matchersOf(rows: readonly SensitiveFile[]): Matchers {
  const literals = rows.map(({ pattern }) => literalsOf(pattern));
  const isAlwaysTried = literals.includes(undefined);
  const all = [...new Set(literals.flatMap((some) => some ?? []))].map((text) =>
    text.replaceAll(/[^\w]/gu, String.raw`\$&`),
  );
  const any = new RegExp(all.join("|"));
  return {
    list: rows.map((row, at) => ({ row, matches: matcherOf(row, literals[at]) })),
    mayMatch: (lower) => isAlwaysTried || any.test(lower),
  };
}

/** Most paths match no row, so its matcher is only made when one may. */
function matcherOf(
  { pattern, edit }: SensitiveFile,
  literals: readonly string[] | undefined,
): (path: string, lower: string) => boolean {
  let matches: ((path: string) => boolean) | undefined;
  return (path, lower) => {
    if (literals && !literals.some((literal) => lower.includes(literal))) return false;
    matches ??= globMatcher(pattern, { ignoresCase: true, unusable: edit === "ask" });
    return matches(path);
  };
}

const rowsOf = (map: AutoApproveEdits): SensitiveFile[] =>
  Object.entries(map).map(([pattern, approves]) => ({ pattern, edit: approves ? "let-go" : "ask" }));

/** Exported for the documentation. */
export const sensitiveDefaults: readonly SensitiveFile[] = defaults;
