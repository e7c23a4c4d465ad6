/** The list of the page's keyboard shortcuts. */

import { Dialog } from "../sessions/dialog.tsx";

const keys: readonly (readonly [string, string])[] = [
  ["Enter", "Send (while it works: at its next step)"],
  ["Ctrl + Enter", "While it works: queue for afterwards"],
  ["Shift + Enter", "New line"],
  ["↑ / ↓", "Earlier messages"],
  ["Esc", "Stop, or close what is open"],
  ["Ctrl + K", "Search all sessions"],
  ["Ctrl + F", "Find in the conversation"],
  ["Ctrl + Shift + E", "Changes and requests"],
  ["Alt + N", "New session"],
  ["Alt + ↑ / ↓", "Previous and next session"],
  ["/", "Go to the text field; at its start: commands and skills"],
  ["Y / N / E", "With the focus in a question: once, deny, edit command"],
  ["?", "This list"],
];

export const Shortcuts = ({ onClose }: { onClose: () => void }) => (
  <Dialog title="Keyboard shortcuts" onClose={onClose}>
    <dl class="shortcuts">
      {keys.map(([key, says]) => (
        <div key={key}>
          <dt>
            <kbd>{key}</kbd>
          </dt>
          <dd>{says}</dd>
        </div>
      ))}
    </dl>
  </Dialog>
);
