/** Short notices over the page about failed actions. */

import { visibleText } from "../../view/visible.ts";
import { Icon } from "../icon.tsx";
import type { App } from "./app-state.ts";

export const Notices = ({ app }: { app: App }) => (
  <div class="notices" role="alert">
    {app.notices.value.map(({ id, text }) => (
      <div class="notice card" key={id}>
        <span>{visibleText(text)}</span>
        <button type="button" class="icon-button" aria-label="Dismiss" onClick={() => app.dismiss(id)}>
          <Icon name="close" />
        </button>
      </div>
    ))}
  </div>
);
