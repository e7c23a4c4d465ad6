/** The type of a project check, and how a check's kind follows from its name. */

/** In the order of execution: the fastest to fail first. */
export const kinds = ["types", "lint", "build", "test"] as const;
export type CheckKind = (typeof kinds)[number];

export type Check = {
  kind: CheckKind;
  /** The project's name for it, or the command itself. */
  name: string;
  command: string;
  /** The check's language, or the file that defines it: only the first check of each kind in a group runs. */
  group: string;
};

const sorts: readonly (readonly [CheckKind, RegExp])[] = [
  [
    "types",
    /^(?:types?|typecheck|typechecks|type[-_:]check|check[-_:]types?|ts[-_:]?check|tsc|mypy|pyright)(?:[:_.-]|$)/iu,
  ],
  [
    "lint",
    /^(?:lint|eslint|ruff|clippy|vet|style|(?:format|fmt)[-_:]?check|check[-_:](?:lint|format|fmt|style))(?:[:_.-]|$)/iu,
  ],
  ["test", /^(?:tests?|unit|unittests?|specs?|checks?|verify|e2e|integration|coverage)(?:[:_.-]|$)/iu],
  ["build", /^(?:build|compile|all)(?:[:_.-]|$)/iu],
];
/** Names of tasks that change files, keep running, or publish: never treated as checks. */
const noCheck =
  /(?:^|[:_.-])(?:fix|watch|dev|serve|start|update|ui|debug|clean|open|publish|release|deploy|push)(?:[:_.-]|$)/iu;

/** Derives the kind from the name of a script or target; undefined if the name marks no check. */
export const kindOf = (name: string): CheckKind | undefined =>
  noCheck.test(name) ? undefined : sorts.find(([, pattern]) => pattern.test(name))?.[0];

/** Maps other names of the kinds to ours. */
export function kindMeant(word: string): CheckKind | undefined {
  const plain = word.trim().toLowerCase();
  return kinds.find((kind) => kind === plain) ?? kindOf(plain.replace(/^run\s+/u, ""));
}

/** The usual names of each kind, best first: the first match is preferred among several checks of a kind. */
const usual: Readonly<Record<CheckKind, readonly string[]>> = {
  types: ["typecheck", "type-check", "types", "check-types", "check:types", "tsc"],
  lint: ["lint", "lint:check", "eslint", "ruff", "vet"],
  build: ["build", "compile", "all"],
  test: ["test", "tests", "test:unit", "unit", "spec", "check"],
};

/** Orders the usual names first, the others as they come. */
export function byUse(checks: readonly Check[]): Check[] {
  const rank = ({ kind, name }: Check): number => {
    const at = usual[kind].indexOf(name.toLowerCase());
    return at === -1 ? usual[kind].length : at;
  };
  return checks.toSorted((one, other) => rank(one) - rank(other));
}

/** A name that needs no quoting in a shell and cannot be taken for an option. */
export const isPlainName = (name: string): boolean => /^[\w@][\w:.@/+-]{0,99}$/u.test(name);
