/** The field for writing messages: text and pictures, sent now or queued after the running request. */

import { Icon } from "../icon.tsx";
import { Files, Pictures } from "./attachments.tsx";
import { ComposerButtons } from "./composer-buttons.tsx";
import { slashField, SlashList } from "./slash-list.tsx";
import { type ComposerProps, isNothing, useComposer } from "./use-composer.ts";
import "./composer.css";

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
