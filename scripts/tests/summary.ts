/** Counts what vitest's JSON reports say. */

/** The part of a report that is read. */
export type Report = {
  numPassedTests: number;
  numFailedTests: number;
  testResults: { status: string; assertionResults: { status: string }[] }[];
};

/** A file that could not even be loaded has no failed test of its own, and counts as one. */
export function summary(reports: readonly Report[]): { passed: number; failed: number } {
  const broken = reports
    .flatMap(({ testResults }) => testResults)
    .filter(({ status, assertionResults }) => status === "failed" && !assertionResults.some(hasFailed));
  return {
    passed: reports.reduce((sum, { numPassedTests }) => sum + numPassedTests, 0),
    failed: reports.reduce((sum, { numFailedTests }) => sum + numFailedTests, broken.length),
  };
}

const hasFailed = ({ status }: { status: string }): boolean => status === "failed";
