/** Files that define what a build runs: if a line has just fetched or decoded one, the build runs its content. */

import { runsFlow } from "../judge/flow-findings.ts";
import type { Finding } from "../judgement.ts";
import { gravest } from "../judgement.ts";
import type { Shell } from "./shell.ts";

const description =
  /(?:^|\/)(?:(?:GNU)?[Mm]akefile|[^/]*\.mk|package\.json|\.npmrc|\.yarnrc(?:\.yml)?|[^/]*\.config\.[cm]?[jt]s|build\.rs|[^/]*\.gradle(?:\.kts)?|gradlew|mvnw|pom\.xml|build\.xml|[^/]*\.cabal|CMakeLists\.txt|[^/]*\.cmake|configure|setup\.py|pyproject\.toml|conftest\.py|noxfile\.py|tox\.ini|tasks\.py|[Rr]akefile|Gemfile|[^/]*\.gemspec|[Jj]ustfile|Taskfile\.ya?ml|Cargo\.toml|Dockerfile|(?:docker-)?compose\.ya?ml|meson\.build|BUILD(?:\.bazel)?|WORKSPACE|SConstruct|wscript|Package\.swift|mix\.exs|[Gg]runtfile\.js|gulpfile\.js)$/u;

export function fetchedDescription({ files, directory }: Shell): Finding | undefined {
  const found = [...files].flatMap(([path, { flows }]) => {
    const isHere = directory === undefined || path.startsWith(`${directory}/`);
    const finding = isHere && description.test(path) ? runsFlow(flows) : undefined;
    return finding ? [finding] : [];
  });
  return gravest(found);
}
