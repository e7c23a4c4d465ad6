/** One file that a request changed: its hunks, each with its actions. */

import { visibleLine } from "../../base/visible-text.ts";
import type { ReviewValue } from "../../remote/api-reports.ts";
import { capital, withoutHunks } from "../../view/review.ts";
import { actionIn, actionsOn, fileStatus, otherHunks } from "./change-actions.ts";
import type { ChangeCommands } from "./changing.ts";
import { DiffView } from "./diff-view.tsx";
import { KeepButton } from "./keep-button.tsx";
import { LineBadge } from "./line-badge.tsx";

type ReviewFile = ReviewValue["files"][number];
type FileProps = { file: ReviewFile; turn: number; changing: ChangeCommands };
/** `whole`: the request's status, which is not repeated here. `isOpen`: initially unfolded. */
type ChangedFileProps = FileProps & { whole: ReviewValue["status"]; isOpen: boolean };

export function ChangedFile({ file, turn, changing, whole, isOpen }: ChangedFileProps) {
  const { path, status, conflict, problem, hunks } = file;
  return (
    <details class="changes-file" open={isOpen} data-path={path}>
      <summary>
        <span class="changes-path mono">{visibleLine(path)}</span>
        <span class="muted">{actionIn(file)}</span>
        <LineBadge added={file.added} removed={file.removed} />
        {status === whole ? null : (
          <span class={`changes-status changes-${status}`}>{fileStatus(status)}</span>
        )}
      </summary>
      {conflict ? (
        <p class="changes-since">
          {visibleLine(conflict.because)}: undoing it will ask what to do about that.
        </p>
      ) : null}
      {problem === undefined ? null : <p class="muted">{capital(withoutHunks({ status, problem }))}.</p>}
      <FileButtons file={file} turn={turn} changing={changing} />
      {hunks.map((hunk) => (
        <Hunk key={hunk.number} hunk={hunk} file={file} turn={turn} changing={changing} />
      ))}
    </details>
  );
}

function FileButtons({ file: { path, status }, turn, changing }: FileProps) {
  const { undo, redo, keep } = actionsOn({ status });
  if (!undo && !redo && !keep) return null;
  const which = { turn, paths: [path] };
  return (
    <div class="changes-buttons">
      {undo ? (
        <button
          type="button"
          class="button"
          disabled={changing.busy}
          onClick={() => void changing.ask({ type: "undo", ...which })}
        >
          Undo file
        </button>
      ) : null}
      {redo ? (
        <button
          type="button"
          class="button"
          disabled={changing.busy}
          onClick={() => void changing.ask({ type: "redo", ...which })}
        >
          Redo file
        </button>
      ) : null}
      {keep ? (
        <KeepButton
          label="Keep file"
          says="This cannot be undone."
          busy={changing.busy}
          keep={() => void changing.ask({ type: "keep", ...which })}
        />
      ) : null}
    </div>
  );
}

type HunkProps = FileProps & { hunk: ReviewFile["hunks"][number] };

/** The only hunk of a file stands for the whole file. */
function Hunk({ hunk: { number, text }, file, turn, changing }: HunkProps) {
  const { path, hunks, status } = file;
  const { undo, keep } = actionsOn({ status });
  const which = { turn, paths: [path] };
  const others = otherHunks(hunks, number);
  return (
    <div class="changes-hunk" role="group" aria-label={`Hunk ${number} of ${hunks.length}`}>
      {hunks.length > 1 && undo ? (
        <div class="changes-buttons changes-hunk-head">
          <span class="muted" aria-hidden="true">
            Hunk {number} of {hunks.length}
          </span>
          <button
            type="button"
            class="button"
            disabled={changing.busy}
            onClick={() => void changing.ask({ type: "undo", ...which, hunks: [number] })}
          >
            Undo hunk {number}
          </button>
          {keep ? (
            <KeepButton
              label={`Keep only hunk ${number}`}
              says="The file's other hunks are undone, and this one is kept for good."
              busy={changing.busy}
              keep={() =>
                void changing.ask({ type: "undo", ...which, hunks: others }, { type: "keep", ...which })
              }
            />
          ) : null}
        </div>
      ) : null}
      <DiffView text={text} />
    </div>
  );
}
