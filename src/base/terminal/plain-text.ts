/** Strips terminal escapes and other control characters from program output. */

/* eslint-disable no-control-regex -- control characters are what this is about */
const escapes = new RegExp(
  [
    // OSC, also used by VS Code's shell integration (`]633;`), and the other strings: up to BEL or ST.
    "(?:\\x1b\\]|\\x9d)[^\\x07\\x1b\\x9c\\n]*(?:\\x07|\\x1b\\\\|\\x9c)?",
    "(?:\\x1b[PX^_]|[\\x90\\x98\\x9e\\x9f])[^\\x1b\\x9c]*(?:\\x1b\\\\|\\x9c)?",
    // CSI: colours, cursor movements.
    "(?:\\x1b\\[|\\x9b)[0-?]*[ -/]*[@-~]?",
    // Two- and three-character escapes.
    "\\x1b[ -/]*[0-~]?",
    // A `]633;` marker whose ESC is already gone.
    "\\]633;[A-Z](?:;[^\\x07\\n]*)?\\x07",
  ].join("|"),
  "g",
);

/** Text without terminal escapes: CSI, OSC (and the `]633;` markers), DCS and the like. */
export function stripAnsi(text: string): string {
  return text.replace(escapes, "");
}

/** `stripAnsi` for chunked text: an incomplete escape is held until the rest arrives. */
export function ansiStripper(): (piece: string) => string {
  let held = "";
  return (piece) => {
    const text = held + piece;
    const start = text.lastIndexOf("\x1b");
    const open =
      start !== -1 && text.length - start < longestEscape && unfinishedEscape.test(text.slice(start));
    held = open ? text.slice(start) : "";
    return stripAnsi(open ? text.slice(0, start) : text);
  };
}

const longestEscape = 4096;
const unfinishedEscape = /^\x1b(?:\[[0-?]*[ -/]*|[\]PX^_][^\x07\x1b\x9c\n]*|[ -/]*)$/;

/** The text that a terminal would finally show: no escapes, no overwritten parts of lines, no control characters. */
export function plainOutput(text: string): string {
  const lines = stripAnsi(text).split("\n").map(lastWritten);
  return lines.join("\n").replace(/[\x00-\x08\x0b-\x1f\x7f]/g, "");
}
/* eslint-enable no-control-regex */

/** The text after the last carriage return that is not at the end: progress bars overwrite their line. */
function lastWritten(line: string): string {
  let end = line.length;
  while (line[end - 1] === "\r") end--;
  return line.slice(line.lastIndexOf("\r", end - 1) + 1, end);
}
