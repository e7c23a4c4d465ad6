/** One file that a request changed: its hunks, each with what can be done with it. */
import type { ReviewValue } from "../../remote/api-reports.ts";
import { capital, withoutHunks } from "../../view/review.ts";
import { visibleLine } from "../../view/visible.ts";
import { actionIn, actionsOn, fileStatus, otherHunks } from "./change-actions.ts";
import type { Changing } from "./changing.ts";
import { DiffView } from "./diff-view.tsx";
import { KeepButton } from "./keep-button.tsx";
import { LineBadge } from "./line-badge.tsx";

type File = ReviewValue["files"][number];
type ChangedFileProps = { file: File; turn: number; changing: Changing; isOpen: boolean };

export function ChangedFile({ file, turn, changing, isOpen }: ChangedFileProps) {
  const { path, status, conflict, problem, hunks } = file;
  return (
    <details class="changes-file" open={isOpen} data-path={path}>
      <summary>
        <span class="changes-path mono">{visibleLine(path)}</span>
        <span class="muted">{actionIn(file)}</span>
        <LineBadge added={file.added} removed={file.removed} />
        <span class={`changes-status changes-${status}`}>{fileStatus(status)}</span>
      </summary>
      {conflict ? (
        <p class="changes-since">
          {visibleLine(conflict.because)}: taking it back will ask what becomes of that.
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

function FileButtons({ file: { path, status }, turn, changing }: Omit<ChangedFileProps, "isOpen">) {
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
          Take back the file
        </button>
      ) : null}
      {redo ? (
        <button
          type="button"
          class="button"
          disabled={changing.busy}
          onClick={() => void changing.ask({ type: "redo", ...which })}
        >
          Bring back the file
        </button>
      ) : null}
      {keep ? (
        <KeepButton
          label="Keep the file"
          says="It cannot be taken back afterwards."
          busy={changing.busy}
          keep={() => void changing.ask({ type: "keep", ...which })}
        />
      ) : null}
    </div>
  );
}

type HunkProps = Omit<ChangedFileProps, "isOpen"> & { hunk: File["hunks"][number] };

/** Where there is only one, it is the file. */
function Hunk({ hunk: { number, text }, file, turn, changing }: HunkProps) {
  const { path, hunks, status } = file;
  const { undo, keep } = actionsOn({ status });
  const which = { turn, paths: [path] };
  const others = otherHunks(hunks, number);
  return (
    <div class="changes-hunk" role="group" aria-label={`Hunk ${number} of ${hunks.length}`}>
      <DiffView text={text} />
      {hunks.length > 1 && undo ? (
        <div class="changes-buttons">
          <button
            type="button"
            class="button"
            disabled={changing.busy}
            onClick={() => void changing.ask({ type: "undo", ...which, hunks: [number] })}
          >
            Take back hunk {number}
          </button>
          {keep ? (
            <KeepButton
              label={`Keep only hunk ${number}`}
              says="The file's other hunks are taken back, and this one stays for good."
              busy={changing.busy}
              keep={() =>
                void changing.ask({ type: "undo", ...which, hunks: others }, { type: "keep", ...which })
              }
            />
          ) : null}
        </div>
      ) : null}
    </div>
  );
}
