/** Formats durations, sizes and states as words. */

/** "0.4 s", "12 s", "2 min 5 s". */
export function duration(ms: number): string {
  if (ms < 10_000) return `${(Math.max(0, ms) / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** "just now", "5 min ago", "3 h ago", "2 d ago", then the date. */
export function ago(at: number, now: number): string {
  const minutes = Math.floor((now - at) / 60_000);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min ago`;
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h ago`;
  if (minutes < 7 * 24 * 60) return `${Math.floor(minutes / 1440)} d ago`;
  return new Date(at).toLocaleDateString("en", { year: "numeric", month: "short", day: "numeric" });
}

/** Drops colour codes from a program's output; any other control character is shown instead of obeyed. */
export const withoutColours = (text: string): string =>
  // eslint-disable-next-line no-control-regex -- that is what it is about
  text.replace(/\u001B\[[\d;:]{0,40}m/gu, "");
