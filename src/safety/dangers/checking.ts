/** Which uses of a program check the workspace's files: they build, type-check, lint or test them. */

/** Matched against a use as a line, its name first. */
export type Checking = RegExp;

/** It does what tasks say that the project, or the program, has named: `npm run test:unit`, `cargo build`, `make check`. */
export const byTask: Checking =
  /^(?!.*\s(?:install|i|add|remove|rm|uninstall|update|upgrade|link|publish|init|create|new|dev|serve|start|deploy|push|explain|config|get|view|info|show|search|list|ls|why)(?:\s|$)).*\s:?(?:[\w.@/:-]*[:_-])?(?:t|tst|tests?|specs?|e2e|unit|build|compile|--?check|checks?|lint|types?|type-?check|tsc|verify|validate|vet|clippy|nextest|analyze|assemble|all)(?:[:_-][\w:-]+)?(?:\s|$)/u;

/** As `byTask`; without a task it builds everything. */
export const byTaskOrAll: Checking = new RegExp(`${byTask.source}|^\\S+(?:\\s+-\\S+)*$`, "u");

/** As `byTaskOrAll`, of a program that with these options only tells what it would do: `make -n`. */
export const byTarget: Checking = new RegExp(`^(?!.*\\s-[kBs]*[nqt](?:\\s|$))(?:${byTaskOrAll.source})`, "u");

/**
 * A file named for tests: `cart.test.ts`, `run_tests.py`. Whether a name has an ending is asked once, in front; asked
 * behind each "test" it took quadratic time.
 */
export const testFile =
  /(?:^|[\s/])(?=[\w.-]*\.\w{1,20}(?:\s|$))(?:[\w.-]+?[._-])?tests?(?:\.(?!\.)|[_-][\w-]+\.)/u;

/** It answers a question instead of checking, or takes "nothing found" for success. */
const idle =
  /\s(?:--help|-h|--version|-V|--dry-run|--just-print|--init|--watch(?:All)?|(?:[\w.:-]+:)?watch(?::[\w.:-]+)?|--question|--touch|--collect-only|--co|--?list(?:-?[tT]ests)?|--show-?[cC]onfig|--print-config|--if-present|--pass-?[wW]ith-?[nN]o-?[tT]ests|--no-run|--exit-zero|--quit)(?:[\s=]|$)/u;

export const checksWith = (checks: Checking | undefined, line: string): boolean =>
  checks?.test(line) === true && !idle.test(line);
