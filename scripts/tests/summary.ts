/** Counts the results in vitest's JSON reports. */

/** The fields of a report that are used. */
export type Report = {
  numPassedTests: number;
  numFailedTests: number;
  testResults: {
    name: string;
    status: string;
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
  }[];
};

/** `second` lists the tests that passed on their second try, as file and title. */
type Summary = { passed: number; failed: number; second: string[] };

/** A file that failed to load reports no failed test, so it counts as one. */
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
