/** Syntax highlighting: loaded once there is code; long code waits until the browser is idle. */

import { kib } from "../../base/bound.ts";

/** A code block with syntax colours on the page, in characters. */
const mostColouredCode = 64 * kib;

/** Code up to this many characters is highlighted before the eye could see it plain. */
const quick = 4_000;

type Highlighter = (text: string, language: string) => string | undefined;
let highlighted: Highlighter | undefined;

/** Highlights the code inside `place`, each block once. */
export function colourIn(place: HTMLElement): void {
  const blocks = [...place.querySelectorAll<HTMLElement>(".code:not([data-coloured])")];
  if (place.matches(".code:not([data-coloured])")) blocks.push(place);
  for (const block of blocks) {
    block.dataset["coloured"] = "";
    const code = block.querySelector("code");
    const language = block.dataset["language"] ?? "";
    const size = code?.textContent?.length ?? 0;
    if (!code || language === "" || size > mostColouredCode) continue;
    if (highlighted && size <= quick) colour(code, language, highlighted);
    else whenIdle(() => void colourLater(code, language));
  }
}

async function colourLater(code: HTMLElement, language: string): Promise<void> {
  highlighted ??= (await import("../../view/markdown/languages.ts")).highlightedHtml;
  colour(code, language, highlighted);
}

function colour(code: HTMLElement, language: string, highlighted: Highlighter): void {
  const html = highlighted(code.textContent ?? "", language);
  if (html !== undefined) code.innerHTML = html;
}

const whenIdle = (run: () => void): void => {
  if ("requestIdleCallback" in globalThis) requestIdleCallback(run, { timeout: 1_000 });
  else setTimeout(run, 1);
};
