/** Uses of build tools and package managers that only print information: they run no workspace code. */

import type { Word } from "../../command-line/word.ts";

/** Which complete word sequences are such queries, and for which programs. */
const questions: readonly { readonly names: RegExp; readonly asked: RegExp }[] = [
  { names: /^/u, asked: /^(?:--(?:version|help)|-version)$/u },
  {
    names:
      /^(?:npm|yarn|pnpm|node|mvn|gradle|tsc|make|gmake|rustc|cargo|clang|gcc|pip3?|composer|bundle|rails|jest|vitest)$/u,
    asked: /^-[vV]$/u,
  },
  {
    names: /^(?:go|cargo|npm|dotnet|zig|bazel|poetry|hugo|flutter|dart)$/u,
    asked: /^(?:version|help(?: [\w-]+)*|--info|--list-sdks)$/u,
  },
  { names: /^go$/u, asked: /^(?:env(?: [A-Z0-9]+)*|doc(?: -\w+)*(?: [\w./]+){1,2}|version -m [\w./-]+)$/u },
  {
    names: /^npm$/u,
    asked:
      /^(?:(?:ls|list|ll|la|explain|why)(?: -g| --(?:depth[= ]\d|all|json|prod|global|omit=dev)| @?[\w./-]+)*|root(?: -g)?|prefix(?: -g)?|pkg get(?: [\w.]+)*|config get \w+)$/u,
  },
  {
    names: /^pip3?$/u,
    asked:
      /^(?:list|freeze|check|(?:list|freeze)(?: --(?:user|local|not-required|format[= ]\w+))+|show(?: -f)?(?: [\w.-]+)+)$/u,
  },
  { names: /^gem$/u, asked: /^(?:list|which|environment)(?: [\w-]+)*$/u },
];

export function onlyAsks(name: string, words: readonly Word[]): boolean {
  if (words.length > 12) return false;
  const asked = words.map(({ text }) => text).join(" ");
  return questions.some((question) => question.names.test(name) && question.asked.test(asked));
}
