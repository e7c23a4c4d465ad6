/**
 * Where programs store what they fetch or build: in directories that belong to the workspace. The user's own caches are
 * only read.
 */

import { join } from "node:path";
import { sha256 } from "../../base/crypto.ts";
import { makeDirectorySync } from "../../base/safe-fs/own-files.ts";
import { isDirectory } from "../on-disk.ts";
import type { CheckedRequest } from "./request.ts";

/** One for each workspace: code fetched by one project must not run in another. Undefined if nothing is cached. */
export function cacheFor({ profile, stateDir, workspace }: CheckedRequest): string | undefined {
  if (profile !== "build" && profile !== "install") return undefined;
  const name = sha256(Buffer.from(workspace)).slice(0, 16);
  const cache = join(stateDir, "sandbox", "caches", name);
  makeDirectorySync(cache, 0o700);
  return cache;
}

type CacheRow = {
  /** The environment variable that names the directory. */
  variable: string;
  /** The directory's name among the workspace's caches. */
  directory: string;
  /**
   * The user's own directory below the home. Used read-only until an install has filled the workspace's cache, so that
   * builds find what was fetched before they first ran in the sandbox.
   */
  usersOwn?: string;
};

/** Programs that follow the XDG directories (pip, uv, yarn, go, deno, ccache …) need no row. */
const rows: readonly CacheRow[] = [
  { variable: "XDG_CACHE_HOME", directory: "xdg" },
  { variable: "npm_config_cache", directory: "npm" },
  { variable: "COREPACK_HOME", directory: "corepack", usersOwn: ".cache/node/corepack" },
  { variable: "BUN_INSTALL_CACHE_DIR", directory: "bun" },
  { variable: "CARGO_HOME", directory: "cargo", usersOwn: ".cargo" },
  { variable: "GOMODCACHE", directory: "go-modules", usersOwn: "go/pkg/mod" },
  { variable: "GOCACHE", directory: "go-build" },
  { variable: "GRADLE_USER_HOME", directory: "gradle" },
  { variable: "NUGET_PACKAGES", directory: "nuget", usersOwn: ".nuget/packages" },
  { variable: "DOTNET_CLI_HOME", directory: "dotnet" },
  { variable: "COMPOSER_CACHE_DIR", directory: "composer" },
  { variable: "PRE_COMMIT_HOME", directory: "pre-commit", usersOwn: ".cache/pre-commit" },
];

/** Large items that the user downloaded deliberately, read in place: variable and path below the home. */
const readInPlace: readonly (readonly [string, string])[] = [
  ["PLAYWRIGHT_BROWSERS_PATH", ".cache/ms-playwright"],
  ["PUPPETEER_CACHE_DIR", ".cache/puppeteer"],
  ["CYPRESS_CACHE_FOLDER", ".cache/Cypress"],
  ["SE_CACHE_PATH", ".cache/selenium"],
  ["POETRY_VIRTUALENVS_PATH", ".cache/pypoetry/virtualenvs"],
  ["HF_HUB_CACHE", ".cache/huggingface/hub"],
  ["TORCH_HOME", ".cache/torch"],
  ["GRADLE_RO_DEP_CACHE", ".gradle/caches"],
];

type CacheRequest = {
  /** Writable inside the sandbox. */
  base: string;
  /** True if downloads go there; false if an existing cache may remain the user's own. */
  fills: boolean;
  home: string;
  env: Readonly<Record<string, string>>;
};

/** Variables that direct programs to their caches. A location that the user has set counts as the user's own cache. */
export function cacheVariables({ base, fills, home, env }: CacheRequest): Record<string, string> {
  const variables: Record<string, string> = {};
  for (const { variable, directory, usersOwn } of rows) {
    const ours = join(base, directory);
    const theirs = usersOwn === undefined ? undefined : (env[variable] ?? join(home, usersOwn));
    const readTheirs = !fills && theirs !== undefined && !isDirectory(ours) && isDirectory(theirs);
    variables[variable] = readTheirs ? theirs : ours;
  }
  for (const [variable, place] of readInPlace) {
    if (env[variable] === undefined && isDirectory(join(home, place)))
      variables[variable] = join(home, place);
  }
  const maven = join(home, ".m2/repository");
  const tail = isDirectory(maven) ? ` -Dmaven.repo.local.tail=${maven}` : "";
  const options = `-Dmaven.repo.local=${join(base, "maven")}${tail}`;
  return { ...variables, MAVEN_OPTS: [env["MAVEN_OPTS"], options].filter(Boolean).join(" ") };
}
