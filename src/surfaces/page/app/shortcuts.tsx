/** The keys of the page. */
import { Dialog } from "../sessions/dialog.tsx";

const keys: readonly (readonly [string, string])[] = [
  ["Enter", "Send; while it works: tell it now"],
  ["Ctrl + Enter", "While it works: send after it"],
  ["Shift + Enter", "New line"],
  ["↑ / ↓", "What was sent before"],
  ["Esc", "Stop what runs; close what is open"],
  ["Ctrl + K", "Search all sessions"],
  ["Ctrl + F", "Find in the conversation"],
  ["Ctrl + Shift + E", "Changes and requests"],
  ["Alt + N", "New session"],
  ["Alt + ↑ / ↓", "Previous and next session"],
  ["/", "To the text field"],
  ["Y / N / E", "With the focus in a question: once, deny, edit the command"],
  ["?", "These keys"],
];

export const Shortcuts = ({ onClose }: { onClose: () => void }) => (
  <Dialog title="Keys" onClose={onClose}>
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
