/** What a check of a project is, and what kind of check a name tells of. */

/** In the order in which they are run: what fails soonest comes first. */
export const kinds = ["types", "lint", "build", "test"] as const;
export type Kind = (typeof kinds)[number];

export type Check = {
  kind: Kind;
  /** As its project calls it, or the command itself. */
  name: string;
  command: string;
  /** Its language, or the file that defines it: of each kind, only the first check of a group is run. */
  group: string;
};

const sorts: readonly (readonly [Kind, RegExp])[] = [
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
/** What changes files, stays, or leaves this machine is no check, whatever it checks besides. */
const noCheck =
  /(?:^|[:_.-])(?:fix|watch|dev|serve|start|update|ui|debug|clean|open|publish|release|deploy|push)(?:[:_.-]|$)/iu;

/** The kind of a script or target by its name; undefined where it is no check. */
export const kindOf = (name: string): Kind | undefined =>
  noCheck.test(name) ? undefined : sorts.find(([, pattern]) => pattern.test(name))?.[0];

/** How others name the kinds. */
export function kindMeant(word: string): Kind | undefined {
  const plain = word.trim().toLowerCase();
  return kinds.find((kind) => kind === plain) ?? kindOf(plain.replace(/^run\s+/u, ""));
}

/** The usual names of each kind, the best first: of several checks of a kind the first of these is the one. */
const usual: Readonly<Record<Kind, readonly string[]>> = {
  types: ["typecheck", "type-check", "types", "check-types", "check:types", "tsc"],
  lint: ["lint", "lint:check", "eslint", "ruff", "vet"],
  build: ["build", "compile", "all"],
  test: ["test", "tests", "test:unit", "unit", "spec", "check"],
};

/** The best known names first, the others in their order. */
export function byUse(checks: readonly Check[]): Check[] {
  const rank = ({ kind, name }: Check): number => {
    const at = usual[kind].indexOf(name.toLowerCase());
    return at === -1 ? usual[kind].length : at;
  };
  return checks.toSorted((one, other) => rank(one) - rank(other));
}

/** A name that means only itself in a shell, and is no option. */
export const isPlainName = (name: string): boolean => /^[\w@][\w:.@/+-]{0,99}$/u.test(name);
