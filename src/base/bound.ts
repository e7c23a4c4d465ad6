/** What a bound is, and how people write it. */

type Unit = "bytes" | "characters" | "milliseconds" | "count";

export type Bound = {
  /** What it bounds. */
  of: string;
  most: number;
  unit: Unit;
  /** What happens beyond it. */
  beyond: string;
};

export type Area = Readonly<Record<string, Bound>>;

export const kib = 1024;
export const mib = 1024 ** 2;
export const gib = 1024 ** 3;
export const minutes = 60_000;

/** "8 MiB", "10 min", "4,096": as people write it. */
export function figureOf({ most, unit }: Pick<Bound, "most" | "unit">): string {
  switch (unit) {
    case "bytes":
      return inUnits(most, ["bytes", "KiB", "MiB", "GiB"], 1024);
    case "characters":
      return `${inUnits(most, ["", "Ki", "Mi", "Gi"], 1024)} characters`.replaceAll("  ", " ");
    case "milliseconds":
      return most >= 60_000 && most % 60_000 === 0 ? `${most / 60_000} min` : `${most / 1000} s`;
    case "count":
      return most.toLocaleString("en");
    default:
      return unit satisfies never;
  }
}

function inUnits(figure: number, units: readonly string[], step: number): string {
  let [rest, unit] = [figure, 0];
  for (; rest % step === 0 && unit < units.length - 1; unit += 1) rest /= step;
  return `${rest} ${units[unit] ?? ""}`;
}
