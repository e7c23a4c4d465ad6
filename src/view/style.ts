/** Colours for a terminal that can show them. */

import type { EnvironmentVariables } from "../base/environment-variables.ts";

export type TextColour = (text: string) => string;
export type Style = Readonly<
  Record<"dim" | "bold" | "inverse" | "red" | "green" | "yellow" | "cyan", TextColour>
>;

const coloured: Style = {
  dim: sgr(2, 22),
  bold: sgr(1, 22),
  inverse: sgr(7, 27),
  red: sgr(31, 39),
  green: sgr(32, 39),
  yellow: sgr(33, 39),
  cyan: sgr(36, 39),
};

const same: TextColour = (text) => text;
const colourless: Style = {
  dim: same,
  bold: same,
  inverse: same,
  red: same,
  green: same,
  yellow: same,
  cyan: same,
};

/** Colour only if the terminal can show it, and never with NO_COLOR (no-color.org) or a dumb terminal. */
export function styleFor(env: EnvironmentVariables, isTerminal: boolean): Style {
  const refused = (env["NO_COLOR"] ?? "") !== "" || env["TERM"] === "dumb";
  return isTerminal && !refused ? coloured : colourless;
}

function sgr(on: number, off: number): TextColour {
  return (text) => (text === "" ? "" : `\u001B[${on}m${text}\u001B[${off}m`);
}
