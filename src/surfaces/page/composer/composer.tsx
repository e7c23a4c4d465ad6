/** Where a person writes: text and pictures, sent now, or after what runs. */
import { Icon } from "../icon.tsx";
import { ComposerButtons } from "./composer-buttons.tsx";
import { Pictures } from "./pictures.tsx";
import { type ComposerProps, isNothing, useComposer } from "./use-composer.ts";
import "./composer.css";

export function Composer(props: ComposerProps) {
  const { isRunning, placeholder, stop } = props;
  const { draft, isSending, problem, field, pictures, change, submit, halt, pressed } = useComposer(props);
  const isEmpty = isNothing(draft);
  return (
    <form
      class={`composer ${pictures.isOver ? "composer-over" : ""}`}
      onSubmit={(event) => {
        event.preventDefault();
        void submit("steer");
      }}
      {...pictures.dropping}
    >
      {problem !== "" && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <Pictures images={draft.images} change={(images) => change({ ...draft, images })} />
      <div class="composer-field">
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
          enterkeyhint="send"
        />
        <div class="composer-bar">
          <label class="icon-button composer-pick">
            <Icon name="image" />
            <span class="visually-hidden">Add a picture</span>
            <input class="visually-hidden" type="file" accept="image/*" multiple onChange={pictures.pick} />
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

const runningHint = "Enter: tell it now · Ctrl+Enter: after it · Esc: stop";
