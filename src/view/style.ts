/** Colours for a terminal that can show them. */

import type { EnvironmentVariables } from "../base/environment-variables.ts";

export type TextColour = (text: string) => string;

/** What switches each on and off (ECMA-48, SGR). */
const codes = {
  bold: [1, 22],
  dim: [2, 22],
  italic: [3, 23],
  underline: [4, 24],
  inverse: [7, 27],
  strike: [9, 29],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  blue: [34, 39],
  magenta: [35, 39],
  cyan: [36, 39],
} as const;

export type StyleName = keyof typeof codes;
export type Style = Readonly<Record<StyleName, TextColour>>;

const coloured = styleOf((name) => sgr(codes[name]));
const colourless = styleOf(() => String);

/** Colour only if the terminal can show it, and never with NO_COLOR (no-color.org) or a dumb terminal. */
export function styleFor(env: EnvironmentVariables, isTerminal: boolean): Style {
  const refused = (env["NO_COLOR"] ?? "") !== "" || env["TERM"] === "dumb";
  return isTerminal && !refused ? coloured : colourless;
}

function styleOf(colourOf: (name: StyleName) => TextColour): Style {
  return {
    bold: colourOf("bold"),
    dim: colourOf("dim"),
    italic: colourOf("italic"),
    underline: colourOf("underline"),
    inverse: colourOf("inverse"),
    strike: colourOf("strike"),
    red: colourOf("red"),
    green: colourOf("green"),
    yellow: colourOf("yellow"),
    blue: colourOf("blue"),
    magenta: colourOf("magenta"),
    cyan: colourOf("cyan"),
  };
}

function sgr([on, off]: readonly [number, number]): TextColour {
  return (text) => (text === "" ? "" : `\u001B[${on}m${text}\u001B[${off}m`);
}
