/** What a terminal shows, as runs of characters that look the same: read from tmux, written with words for the looks. */

/* eslint-disable no-control-regex -- control characters are what this is about */

/** Names as in SGR sequences: "bold", "red", "on blue", "#aabbcc". */
export type Look = readonly string[];
export type PictureRun = { text: string; look: Look };
export type Picture = readonly (readonly PictureRun[])[];

const escapeSequence = /\u001B\[([\d;]*)m|\u001B\][^\u001B]*\u001B\\|[\u000E\u000F]/gu;

/** Reads rows with colours as `tmux capture-pane -e` writes them; empty rows at the end are left out. */
export function readPicture(coloured: string): Picture {
  let look: Look = [];
  const rows = coloured.split("\n").map((row) => {
    const runs: PictureRun[] = [];
    let at = 0;
    const take = (text: string): void => {
      const last = runs.at(-1);
      if (text === "") return;
      if (last && last.look.join() === look.join()) last.text += text;
      else runs.push({ text, look });
    };
    for (const found of row.matchAll(escapeSequence)) {
      take(row.slice(at, found.index));
      at = found.index + found[0].length;
      if (found[1] !== undefined) look = changed(look, found[1]);
    }
    take(row.slice(at));
    return withoutEnd(runs);
  });
  return rows.slice(0, rows.findLastIndex((runs) => runs.length > 0) + 1);
}

/** One line for each row, in which ⟨bold⟩ stands where characters begin to be bold, and ⟨⟩ where they no longer are. */
export const written = (picture: Picture): string =>
  picture
    .map((runs) => {
      const words = runs.map(({ text, look }, at) => {
        const isNew = look.length > 0 || (runs[at - 1]?.look.length ?? 0) > 0;
        return (isNew ? `⟨${look.join(" ")}⟩` : "") + text;
      });
      return words.join("") + ((runs.at(-1)?.look.length ?? 0) > 0 ? "⟨⟩" : "");
    })
    .join("\n");

const attributes: Readonly<Record<number, string>> = {
  1: "bold",
  2: "dim",
  3: "italic",
  4: "underlined",
  7: "reversed",
  9: "struck",
};
const colours = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];
const isColour = (word: string): boolean => !Object.values(attributes).includes(word) && !isBehind(word);
const isBehind = (word: string): boolean => word.startsWith("on ");

function changed(look: Look, parameters: string): Look {
  let next = [...look];
  const numbers = parameters.split(";").map(Number);
  for (let number = numbers.shift(); number !== undefined; number = numbers.shift()) {
    const attribute = attributes[number];
    if (number === 0) next = [];
    else if (attribute !== undefined) next = [...next.filter((word) => word !== attribute), attribute];
    else if (number === 22) next = next.filter((word) => word !== "bold" && word !== "dim");
    else if (number > 22 && number < 30) next = next.filter((word) => word !== attributes[number - 20]);
    else next = coloured(next, number, numbers);
  }
  return next.toSorted();
}

/** Takes from `numbers` what belongs to a colour given by several. */
function coloured(look: string[], number: number, numbers: number[]): string[] {
  const behind = (number >= 40 && number < 50) || number >= 100;
  const others = look.filter((word) => (behind ? !isBehind(word) : !isColour(word)));
  const base = number >= 90 ? number - 60 : number;
  const index = base - (behind ? 40 : 30);
  const bright = number >= 90 ? "bright " : "";
  const name = index === 8 ? longColour(numbers) : colours[index];
  return name === undefined ? others : [...others, `${behind ? "on " : ""}${bright}${name}`];
}

function longColour(numbers: number[]): string | undefined {
  const kind = numbers.shift();
  if (kind === 5) return `colour ${numbers.shift()}`;
  const parts = numbers.splice(0, 3).map((part) => part.toString(16).padStart(2, "0"));
  return `#${parts.join("")}`;
}

/** Blanks that nobody sees. */
function withoutEnd(runs: PictureRun[]): PictureRun[] {
  const last = runs.at(-1);
  if (!last || last.look.some((word) => isBehind(word) || word === "reversed" || word === "underlined"))
    return runs;
  const text = last.text.trimEnd();
  if (text !== "") return [...runs.slice(0, -1), { ...last, text }];
  return withoutEnd(runs.slice(0, -1));
}
