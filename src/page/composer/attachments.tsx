/** The pictures and text files attached to the message. */

import type { ImagePart, TextPart } from "../../protocol/messages.ts";
import { Icon } from "../icon.tsx";

type AttachedPicturesProps = { images: readonly ImagePart[]; change: (images: readonly ImagePart[]) => void };

export const Pictures = ({ images, change }: AttachedPicturesProps) =>
  images.length === 0 ? null : (
    <ul class="pictures composer-pictures" aria-label="Pictures to send">
      {images.map(({ mediaType, data }, at) => (
        <li key={data.slice(0, 64) + at}>
          <img src={`data:${mediaType};base64,${data}`} alt={`Picture ${at + 1} to send`} />
          <button
            type="button"
            class="icon-button"
            aria-label={`Remove picture ${at + 1}`}
            onClick={() => change(images.filter((_, other) => other !== at))}
          >
            <Icon name="close" />
          </button>
        </li>
      ))}
    </ul>
  );

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
