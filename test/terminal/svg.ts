/** Draws what a terminal shows as an SVG picture, on light and on dark, with the fonts that are there. */

import { fitting } from "../../src/base/terminal/row.ts";
import type { Look, Picture, PictureRun } from "./picture.ts";

/** In pixels: a cell of a monospaced font of 14, and the space around. */
const cell = { width: 8.4, height: 17 };
const margin = 14;

export function drawSvg(picture: Picture, columns: number): string {
  const width = Math.ceil(columns * cell.width + 2 * margin);
  const height = picture.length * cell.height + 2 * margin;
  const rows = picture.flatMap((runs, at) => drawnRow(runs, at));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    `<style>${sheet}</style>`,
    `<rect class="page" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>`,
    ...rows,
    "</svg>\n",
  ].join("\n");
}

function drawnRow(runs: readonly PictureRun[], at: number): string[] {
  let column = 0;
  const drawn: string[] = [];
  const top = margin + at * cell.height;
  for (const { text, look } of runs) {
    const { width } = fitting(text, Infinity);
    const x = (margin + column * cell.width).toFixed(1);
    const wide = (width * cell.width).toFixed(1);
    const classes = classesOf(look);
    if (look.includes("reversed"))
      drawn.push(
        `<rect class="${classes} behind" x="${x}" y="${top}" width="${wide}" height="${cell.height}"/>`,
      );
    if (text.trim() !== "")
      drawn.push(
        `<text class="${classes}" x="${x}" y="${top + 13}" textLength="${wide}">${escaped(text)}</text>`,
      );
    column += width;
  }
  return drawn;
}

const classesOf = (look: Look): string => look.map((word) => word.replaceAll(/[^a-z\d]/gu, "")).join(" ");

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll(" ", "\u00A0");

const colours = {
  light: {
    page: "#ffffff",
    line: "#d0d7de",
    text: "#1f2328",
    dim: "#656d76",
    red: "#cf222e",
    green: "#116329",
    yellow: "#8a5a00",
    blue: "#0550ae",
    magenta: "#8250df",
    cyan: "#0e6e80",
  },
  dark: {
    page: "#0d1117",
    line: "#30363d",
    text: "#e6edf3",
    dim: "#8b949e",
    red: "#ff7b72",
    green: "#56d364",
    yellow: "#e3b341",
    blue: "#79c0ff",
    magenta: "#d2a8ff",
    cyan: "#56d4dd",
  },
} as const;

const names = ["dim", "red", "green", "yellow", "blue", "magenta", "cyan"] as const;

const colourRules = (of: (typeof colours)["light" | "dark"]): string =>
  [
    `.page{fill:${of.page};stroke:${of.line}}`,
    `text{fill:${of.text}}`,
    ...names.map((name) => `.${name}{fill:${of[name]}}`),
    `text.reversed{fill:${of.page}}`,
  ].join("");

const sheet = [
  "text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono','Liberation Mono',monospace}",
  ".bold{font-weight:bold}.italic{font-style:italic}.underlined{text-decoration:underline}.struck{text-decoration:line-through}",
  colourRules(colours.light),
  `@media(prefers-color-scheme:dark){${colourRules(colours.dark)}}`,
].join("");
