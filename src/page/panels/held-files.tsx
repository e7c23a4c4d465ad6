/** The changes of a command that has run: each file, and each hunk of several, with a box to keep or drop it. */

import { visibleLine } from "../../base/visible-text.ts";
import { capital } from "../../view/review.ts";
import type { WaitingFile } from "../../view/waiting-changes.ts";
import { actionIn } from "./change-actions.ts";
import "./changes-panel.css";
import { DiffView } from "./diff-view.tsx";
import "./held-files.css";
import type { HeldParts } from "./held-parts.ts";
import { LineBadge } from "./line-badge.tsx";

type HeldFilesProps = { files: readonly WaitingFile[]; parts: HeldParts; off: boolean };

export function HeldFiles({ files, parts, off }: HeldFilesProps) {
  const isFew = files.length <= mostUnfolded;
  return (
    <div class="held-files" role="group" aria-label="What to keep">
      {files.length < 2 ? null : (
        <div class="changes-buttons">
          <button type="button" class="button small" disabled={off} onClick={() => parts.keepAll(true)}>
            Tick all
          </button>
          <button type="button" class="button small" disabled={off} onClick={() => parts.keepAll(false)}>
            Tick none
          </button>
        </div>
      )}
      {files.map((file) => (
        <HeldFile key={file.path} file={file} parts={parts} off={off} isOpen={isFew} />
      ))}
    </div>
  );
}

/** More files than these are folded at first. */
const mostUnfolded = 10;

type HeldFileProps = Omit<HeldFilesProps, "files"> & { file: WaitingFile; isOpen: boolean };

function HeldFile({ file, parts, off, isOpen }: HeldFileProps) {
  const { path, hunks, whole } = file;
  const name = visibleLine(path);
  return (
    <div class="held-file" data-path={path} data-kept={parts.keeps(file)}>
      <Box
        label={`Keep ${name}`}
        off={off}
        isTicked={parts.keeps(file)}
        isPartly={hunks.some((_, at) => !parts.keeps(file, at + 1))}
        tick={(isKept) => parts.keepFile(file, isKept)}
      />
      <details class="changes-file" open={isOpen}>
        <summary>
          <span class="changes-path mono">{name}</span>
          <span class="muted">{actionIn(file)}</span>
          <LineBadge added={file.added} removed={file.removed} />
        </summary>
        {whole === undefined ? null : <p class="muted">{capital(visibleLine(whole))}.</p>}
        {hunks.map((text, at) => (
          <HeldHunk key={at} {...{ file, parts, off, text }} number={at + 1} />
        ))}
      </details>
    </div>
  );
}

type HeldHunkProps = Omit<HeldFileProps, "isOpen"> & { text: string; number: number };

/** The only hunk of a file stands for the whole file. */
function HeldHunk({ file, parts, off, text, number }: HeldHunkProps) {
  const { path, hunks } = file;
  if (hunks.length < 2) return <DiffView text={text} />;
  const isKept = parts.keeps(file, number);
  return (
    <div
      class="changes-hunk"
      role="group"
      aria-label={`Hunk ${number} of ${hunks.length}`}
      data-kept={isKept}
    >
      <label class="held-hunk">
        <Box
          label={`Keep hunk ${number} of ${visibleLine(path)}`}
          off={off}
          isTicked={isKept}
          tick={(ticked) => parts.keepHunk(file, number, ticked)}
        />
        <span aria-hidden="true">
          Hunk {number} of {hunks.length}
        </span>
      </label>
      <DiffView text={text} />
    </div>
  );
}

type BoxProps = {
  label: string;
  off: boolean;
  isTicked: boolean;
  isPartly?: boolean;
  tick: (isTicked: boolean) => void;
};

const Box = ({ label, off, isTicked, isPartly = false, tick }: BoxProps) => (
  <input
    type="checkbox"
    class="held-box"
    aria-label={label}
    disabled={off}
    checked={isTicked}
    indeterminate={isTicked && isPartly}
    onChange={(event) => tick(event.currentTarget.checked)}
  />
);
