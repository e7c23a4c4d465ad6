/** Formats amounts for people: sizes, durations and counts, worded the same everywhere. */

/** "812 bytes", "1.4 KiB", "123 MiB". */
export function sizeInWords(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  const units = ["KiB", "MiB", "GiB", "TiB"];
  let size = bytes / 1024;
  let unit = 0;
  for (; size >= 1024 && unit < units.length - 1; unit += 1) size /= 1024;
  return `${size < 10 ? size.toFixed(1) : Math.round(size)} ${units[unit]}`;
}

/** "250 ms", "2.5 s", "45 s", "1 min 30 s", "24 h": the two largest units, omitting a zero one. */
export function durationInWords(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = ms < 10_000 ? Number((ms / 1000).toFixed(1)) : Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return inTwoUnits(Math.floor(seconds / 60), "min", `${seconds % 60} s`);
  const minutes = Math.round(seconds / 60);
  return inTwoUnits(Math.floor(minutes / 60), "h", `${minutes % 60} min`);
}

const inTwoUnits = (large: number, unit: string, small: string): string =>
  small.startsWith("0 ") ? `${large} ${unit}` : `${large} ${unit} ${small}`;

/** "1 file", "2,345 files"; `many` is needed where the plural does not just add an s. */
export const countOf = (count: number, one: string, many = `${one}s`): string =>
  `${inGroups(count)} ${count === 1 ? one : many}`;

/** Not by `toLocaleString`, whose first use takes 5 ms to load what it knows of languages. */
const inGroups = (count: number): string => String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
