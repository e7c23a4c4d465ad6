/** Colours for code: loaded when there is some, put on when nothing else is to be done. */
import { bounds } from "../../../base/bounds.ts";

/** Colours what is within, once each. */
export function colourIn(place: HTMLElement): void {
  const blocks = [...place.querySelectorAll<HTMLElement>(".code:not([data-coloured])")];
  if (place.matches(".code:not([data-coloured])")) blocks.push(place);
  for (const block of blocks) {
    block.dataset["coloured"] = "";
    const code = block.querySelector("code");
    const language = block.dataset["language"] ?? "";
    const text = code?.textContent ?? "";
    if (!code || language === "" || text.length > bounds.page.colouredCode.most) continue;
    whenIdle(() => void colour(code, language));
  }
}

async function colour(code: HTMLElement, language: string): Promise<void> {
  const { highlighted } = await import("./languages.ts");
  const html = highlighted(code.textContent ?? "", language);
  if (html !== undefined) code.innerHTML = html;
}

const whenIdle = (run: () => void): void => {
  if ("requestIdleCallback" in globalThis) requestIdleCallback(run, { timeout: 1_000 });
  else setTimeout(run, 1);
};
