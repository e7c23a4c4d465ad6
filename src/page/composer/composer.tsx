/** The field for writing messages: text and pictures, sent now or queued after the running request. */

import { useEffect, useRef } from "preact/hooks";
import type { ImagePart, TextPart } from "../../protocol/messages.ts";
import "./composer.css";
import { Icon } from "../icon.tsx";
import { countWords, sourceWords } from "./slash.ts";
import { type ComposerProps, isNothing, useComposer } from "./use-composer.ts";
import type { Slash } from "./use-slash.ts";

export function Composer(props: ComposerProps) {
  const { isRunning, placeholder, stop } = props;
  const { draft, isSending, problem, field, pictures, slash, change, submit, halt, pressed } =
    useComposer(props);
  const isEmpty = isNothing(draft);
  return (
    <form
      class={`composer ${pictures.isOver ? "composer-over" : ""}`}
      onSubmit={(event) => {
        event.preventDefault();
        void submit("steer");
      }}
    >
      {problem !== "" && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <Pictures images={draft.images} change={(images) => change({ ...draft, images })} />
      <Files files={draft.files} change={(files) => change({ ...draft, files })} />
      <div class="composer-field">
        <SlashList slash={slash} />
        <textarea
          ref={field}
          rows={1}
          class="composer-text"
          dir="auto"
          aria-label="Message"
          placeholder={placeholder}
          value={draft.text}
          readOnly={isSending}
          onInput={({ currentTarget: { value } }) => change({ ...draft, text: value })}
          onKeyDown={pressed}
          onPaste={pictures.paste}
          onFocus={slash.open}
          onBlur={slash.close}
          {...slashField(slash)}
          enterkeyhint="send"
        />
        <div class="composer-bar">
          <label class="icon-button composer-pick">
            <Icon name="attach" />
            <span class="visually-hidden">Add a picture or a text file</span>
            <input class="visually-hidden" type="file" multiple onChange={pictures.pick} />
          </label>
          <span class="composer-hint muted">{isRunning ? runningHint : ""}</span>
          <ComposerButtons
            isRunning={isRunning}
            isEmpty={isEmpty}
            isSending={isSending}
            queue={() => void submit("next")}
            stop={stop ? () => void halt() : undefined}
          />
        </div>
      </div>
    </form>
  );
}

const runningHint = "Enter: send now · Ctrl+Enter: queue · Esc: stop";

type ComposerButtonsProps = {
  isRunning: boolean;
  isEmpty: boolean;
  isSending: boolean;
  queue: () => void;
  stop: (() => void) | undefined;
};

/** The composer's buttons: send or queue the message, or stop the running request. */
function ComposerButtons({ isRunning, isEmpty, isSending, queue, stop }: ComposerButtonsProps) {
  return (
    <div class="composer-buttons">
      {isRunning && !isEmpty && (
        <button type="button" class="button quiet" disabled={isSending} onClick={queue}>
          <Icon name="queue" />
          Queue
        </button>
      )}
      {isRunning && stop && (
        <button type="button" class="button composer-stop" onClick={stop}>
          <Icon name="stop" />
          Stop
        </button>
      )}
      {(!isRunning || !isEmpty) && (
        <button type="submit" class="button primary composer-send" disabled={isEmpty || isSending}>
          <Icon name="send" />
          <span>{isRunning ? "Send now" : "Send"}</span>
        </button>
      )}
    </div>
  );
}

type AttachedPicturesProps = { images: readonly ImagePart[]; change: (images: readonly ImagePart[]) => void };

/** The pictures and text files attached to the message. */
const Pictures = ({ images, change }: AttachedPicturesProps) =>
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

const Files = ({ files, change }: AttachedFilesProps) =>
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

const listId = "slash-list";
const optionId = (at: number): string => `slash-option-${at}`;

/** ARIA attributes that tell screen readers which item is selected. */
const slashField = ({ items, at }: Slash) =>
  items.length === 0
    ? {}
    : {
        "aria-autocomplete": "list" as const,
        "aria-controls": listId,
        "aria-activedescendant": optionId(at),
      };

function SlashList({ slash: { items, at, choose } }: { slash: Slash }) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [at, items.length]);
  return (
    <>
      <p class="visually-hidden" role="status">
        {items.length > 0 && countWords(items.length)}
      </p>
      {items.length > 0 && (
        <ul class="slash-list" id={listId} role="listbox" aria-label="Commands" ref={list}>
          {items.map((command, index) => (
            <li
              key={command.path}
              class="slash-option"
              id={optionId(index)}
              role="option"
              aria-selected={index === at}
              title={command.path}
              onPointerDown={(event) => event.preventDefault()} // keeps the focus in the field
              onClick={() => choose(command)}
            >
              <span class="slash-name" dir="auto">
                /{command.name}
                {command.argumentHint !== undefined && <span class="muted"> {command.argumentHint}</span>}
              </span>
              <span class="slash-says" dir="auto">
                {command.description}
              </span>
              <span class="slash-source muted">{sourceWords(command)}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
