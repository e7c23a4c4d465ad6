/** The type of a limit on something that can grow, and how its figure is shown to people. */

import { durationInWords } from "./amounts.ts";

type BoundUnit = "bytes" | "characters" | "milliseconds" | "count";

export type ResourceBound = {
  /** The limited thing, as a noun phrase that makes sense on its own. */
  of: string;
  most: number;
  unit: BoundUnit;
  /** What happens at the limit: a clause that names its subject. */
  beyond: string;
};

const boundIn =
  (unit: BoundUnit) =>
  (most: number, of: string, beyond: string): ResourceBound => ({ of, most, unit, beyond });

/** A row: the most, of what, and what happens beyond it. */
export const [bytes, characters, milliseconds, count] = [
  boundIn("bytes"),
  boundIn("characters"),
  boundIn("milliseconds"),
  boundIn("count"),
];

export type Area = Readonly<Record<string, ResourceBound>>;

/** The bounds of an area under its title. Their names are unique, and what the code calls them. */
export type BoundSection = { title: string; rows: readonly ({ name: string } & ResourceBound)[] };

export const kib = 1024;
export const mib = 1024 ** 2;
export const gib = 1024 ** 3;
export const minutes = 60_000;

/** "8 MiB", "10 min", "4,096": exact, as people write it. */
export function figureOf({ most, unit }: Pick<ResourceBound, "most" | "unit">): string {
  switch (unit) {
    case "bytes":
      return exactSize(most);
    case "characters":
      return `${most.toLocaleString("en")} characters`;
    case "milliseconds":
      return durationInWords(most);
    case "count":
      return most.toLocaleString("en");
    default:
      return unit satisfies never;
  }
}

function exactSize(bytes: number): string {
  const units = ["bytes", "KiB", "MiB", "GiB"];
  let [rest, unit] = [bytes, 0];
  for (; rest % 1024 === 0 && unit < units.length - 1; unit += 1) rest /= 1024;
  return `${rest} ${units[unit] ?? ""}`;
}
