/** Counts what vitest's JSON reports say. */

/** The part of a report that is read. */
export type Report = {
  numPassedTests: number;
  numFailedTests: number;
  testResults: {
    name: string;
    status: string;
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
  }[];
};

/** `second`: the tests that passed at their second try, each as its file and its title. */
type Summary = { passed: number; failed: number; second: string[] };

/** A file that could not even be loaded has no failed test of its own, and counts as one. */
export function summary(reports: readonly Report[]): Summary {
  const files = reports.flatMap(({ testResults }) => testResults);
  const broken = files.filter(
    ({ status, assertionResults }) => status === "failed" && !assertionResults.some(hasFailed),
  );
  return {
    passed: reports.reduce((sum, { numPassedTests }) => sum + numPassedTests, 0),
    failed: reports.reduce((sum, { numFailedTests }) => sum + numFailedTests, broken.length),
    second: files.flatMap(({ name, assertionResults }) =>
      assertionResults
        .filter(({ status, failureMessages }) => status === "passed" && failureMessages.length > 0)
        .map(({ fullName }) => `${name}: ${fullName}`),
    ),
  };
}

const hasFailed = ({ status }: { status: string }): boolean => status === "failed";
