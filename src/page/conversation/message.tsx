/** A person's message: a request, one sent during a request, or a withdrawn one. */

import { visibleLine, visibleText } from "../../base/visible-text.ts";
import type { ImagePart } from "../../protocol/messages.ts";
import type { Block, QueuedBlock } from "../../view/blocks.ts";
import type { SessionStore } from "../session/session-store.ts";

type UserProps = { block: Extract<Block, { type: "user" }>; store: SessionStore };

export function UserMessage({ block, store }: UserProps) {
  const { key, text, how, by } = block;
  const turn = store.turnAt(key);
  return (
    <article
      class="message"
      aria-label={by === undefined ? "Your message" : `Message of ${visibleLine(by)}`}
      id={turn === undefined ? undefined : `turn-${turn}`}
      tabIndex={-1}
    >
      {by !== undefined && <p class="message-how">{visibleLine(by)}</p>}
      {how && <p class="message-how">{howWords[how]}</p>}
      {text !== "" && <p class="message-text">{visibleText(text)}</p>}
      <Pictures images={store.images(key)} />
    </article>
  );
}

const howWords = { steer: "sent while it worked", queued: "was queued" };

/** A message still in the queue is shown at the composer; one that was taken becomes a block of its own. */
export function QueuedMessage({ block, store }: { block: QueuedBlock; store: SessionStore }) {
  if (block.state !== "withdrawn") return null;
  return (
    <article class="message message-waits" aria-label="Your message (withdrawn)">
      <p class="message-how">withdrawn before it was sent</p>
      <p class="message-text">{visibleText(block.text)}</p>
      <Pictures images={store.images(block.key)} />
    </article>
  );
}

const shownTypes = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

const Pictures = ({ images }: { images: readonly ImagePart[] }) =>
  images.length === 0 ? null : (
    <ul class="pictures" aria-label="Pictures">
      {images.map(({ mediaType, data }, at) => (
        <li key={at}>
          {shownTypes.has(mediaType) ? (
            <img
              src={`data:${mediaType};base64,${data}`}
              alt={`Picture ${at + 1} of the message`}
              loading="lazy"
            />
          ) : (
            <span class="muted">A picture that cannot be shown ({visibleText(mediaType)})</span>
          )}
        </li>
      ))}
    </ul>
  );
