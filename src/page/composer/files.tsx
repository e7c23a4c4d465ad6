/** The text files attached to the message. */

import type { TextPart } from "../../protocol/messages.ts";
import { Icon } from "../icon.tsx";

type AttachedFilesProps = { files: readonly TextPart[]; change: (files: readonly TextPart[]) => void };

export const Files = ({ files, change }: AttachedFilesProps) =>
  files.length === 0 ? null : (
    <ul class="composer-files" aria-label="Files to send">
      {files.map(({ file = "" }, at) => (
        <li key={`${at}:${file}`}>
          <Icon name="read" />
          <span dir="auto">{file}</span>
          <button
            type="button"
            class="icon-button"
            aria-label={`Remove ${file}`}
            onClick={() => change(files.filter((_, other) => other !== at))}
          >
            <Icon name="close" />
          </button>
        </li>
      ))}
    </ul>
  );
