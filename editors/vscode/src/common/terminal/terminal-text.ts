/** Mirrored commands as a terminal shows them. Nothing that a command printed can move or colour anything. */

import { visibleText } from "../../../../../src/base/visible-text.ts";
import { t } from "../translate.ts";
import type { MirrorPiece } from "./command-mirror.ts";

const styled = (code: number, text: string): string => `\u001B[${code}m${text}\u001B[0m`;
const [bold, faint, red, green] = [1, 2, 31, 32];

/** Keeps track of where the cursor is, so that each command begins on a line of its own. */
export class TerminalText {
  #isAtStart = true;

  of(piece: MirrorPiece): string {
    switch (piece.type) {
      case "begin":
        return this.#line(styled(bold, `$ ${asLines(visibleText(piece.command), "> ")}`));
      case "output": {
        const text = asLines(visibleOutput(piece.text));
        this.#isAtStart = text.endsWith("\r\n");
        return text;
      }
      case "end":
        return this.#line(endText(piece));
      default:
        return piece satisfies never;
    }
  }

  note(words: string): string {
    return this.#line(styled(faint, visibleText(words)));
  }

  #line(text: string): string {
    const begin = this.#isAtStart ? "" : "\r\n";
    this.#isAtStart = true;
    return `${begin}${text}\r\n`;
  }
}

/** Progress is written over itself: a carriage return is the one control that is obeyed. */
const visibleOutput = (text: string): string => text.split("\r").map(visibleText).join("\r");

const asLines = (text: string, begin = ""): string => text.replaceAll(/\r?\n/gu, `\r\n${begin}`);

function endText({ isOk, exit, words }: MirrorPiece & { type: "end" }): string {
  const told = exit === undefined ? visibleText(words) : t("exit code {0}", exit);
  return styled(isOk ? green : red, asLines(told));
}
