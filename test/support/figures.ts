/** What a test has measured, told on standard error: a figure each. */

export function told(figures: Readonly<Record<string, number>>): void {
  const words = Object.entries(figures).map(([name, value]) => `${name} ${Math.round(value)}`);
  process.stderr.write(`measured: ${words.join(", ")}\n`);
}

/** The value below which this part of all lies; 0 of none. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;
}
