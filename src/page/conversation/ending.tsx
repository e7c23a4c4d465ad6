/** A request's ending: why it stopped, what it changed, and whether that was verified. */

import { countOf } from "../../base/amounts.ts";
import { figureOf } from "../../base/bound.ts";
import { visibleLine, visibleText } from "../../base/visible-text.ts";
import { withAdvice } from "../../protocol/advice.ts";
import { factBounds } from "../../protocol/bounds.ts";
import { byPerson } from "../../protocol/fact-words.ts";
import { type EndingBlock, type Extent, goOnLine } from "../../view/blocks.ts";
import { unverifiedText } from "../../view/plain.ts";
import { Icon, type IconName } from "../icon.tsx";
import { TextWithCode } from "../markdown/text-with-code.tsx";
import { LineBadge } from "../panels/line-badge.tsx";
import { answeredFrom } from "../panels/question-words.ts";

type EndingProps = {
  block: EndingBlock;
  /** The id of the signed-in browser that shows it. */
  own: string | undefined;
  onReview: (turn: number) => void;
};

export function Ending({ block, own, onReview }: EndingProps) {
  const { changed, isDeletion, badge, verified, check, staged, undone } = block;
  const stopped = stoppedWords(block, own);
  if (!stopped && changed.length === 0 && !staged) return null;
  return (
    <div class="ending">
      {stopped && (
        <p class={`line line-${stopped.tone}`}>
          <Icon name={stopped.icon} />
          <span>
            <TextWithCode text={stopped.text} />
          </span>
        </p>
      )}
      {changed.length > 0 && (
        <p class="ending-changed">
          <button type="button" class="button" onClick={() => onReview(turnOf(block))}>
            <Icon name="change" />
            <span class="ending-files">
              {isDeletion && "Deleted "}
              {files(changed)}
            </span>
            <LineBadge {...badge} />
          </button>
          <span class={verified.length === 0 ? "muted" : "ending-verified"}>
            {verified.length === 0 ? unverifiedText(check) : <VerificationNote titles={verified} />}
          </span>
          {undone !== "nothing" && <span class="muted">{takenBack[undone]}</span>}
        </p>
      )}
      {staged && (
        <p class="line line-warn">
          <Icon name="clock" />
          <span>
            Staged, not applied: {files(staged.files)} <LineBadge {...staged.badge} /> (ask for it to be
            applied within {figureOf(factBounds.stagedTime)})
          </span>
        </p>
      )}
    </div>
  );
}

const VerificationNote = ({ titles }: { titles: readonly string[] }) => (
  <>
    <Icon name="check" />
    <span>verified by {titles.map(visibleLine).join(", ")}</span>
  </>
);

const takenBack: Readonly<Record<Exclude<Extent, "nothing">, string>> = {
  part: "partly undone",
  all: "undone since",
};

const turnOf = ({ key }: EndingBlock): number => Number(key.slice(key.indexOf(":") + 1));

function files(paths: readonly string[]): string {
  const [first = ""] = paths;
  return paths.length === 1 ? nameOf(visibleLine(first)) : countOf(paths.length, "file");
}

/** A long path is shortened at the front: the file's name matters most. */
const nameOf = (path: string): string => (path.length > 60 ? `…/${path.split("/").at(-1) ?? ""}` : path);

type EndingWords = { icon: IconName; tone: "quiet" | "warn" | "bad"; text: string };

export function stoppedWords(block: EndingBlock, own: string | undefined): EndingWords | undefined {
  const { stopped, because, advice } = block;
  const reason = because === undefined ? "" : `: ${visibleText(withAdvice(because, advice))}`;
  switch (stopped) {
    case "done":
      return because === undefined
        ? undefined
        : { icon: "warning", tone: "warn", text: `Done, but ${visibleText(because)}` };
    case "interrupted":
      return because === byPerson
        ? { icon: "stop", tone: "quiet", text: `Stopped ${stopperWords(block, own)}.` }
        : { icon: "stop", tone: "warn", text: `Interrupted${reason.replace(/\.?$/u, ".")}` };
    case "failed":
      return { icon: "cross", tone: "bad", text: `Failed${reason}` };
    case "limit":
      return { icon: "limit", tone: "warn", text: `Stopped${reason.replace(/\.?$/u, ".")} ${goOnLine}` };
    default:
      return stopped satisfies never;
  }
}

/** Logs from before stops were signed do not say who it was. */
function stopperWords({ by, device }: EndingBlock, own: string | undefined): string {
  if (by === undefined || (device !== undefined && device === own)) return "by you";
  return device === undefined ? answeredFrom(by) : `on another device (${visibleLine(by)})`;
}
