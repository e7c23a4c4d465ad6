/** The composer's buttons: send or queue the message, or stop the running request. */

import { Icon } from "../icon.tsx";

type ComposerButtonsProps = {
  isRunning: boolean;
  isEmpty: boolean;
  isSending: boolean;
  queue: () => void;
  stop: (() => void) | undefined;
};

export function ComposerButtons({ isRunning, isEmpty, isSending, queue, stop }: ComposerButtonsProps) {
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
