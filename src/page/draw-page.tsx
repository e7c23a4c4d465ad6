/** Draws the page: the part of its start that browsers and editors share. */

import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/page.css";
import { render } from "preact";
import type { App } from "./app/app-state.ts";
import { Page } from "./app/page.tsx";
import { keepPresses } from "./app/presses.ts";

export function drawPage(app: App, place: HTMLElement): void {
  keepPresses();
  render(<Page app={app} />, place);
}
