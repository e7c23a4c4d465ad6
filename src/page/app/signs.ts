/** The tab's title and icon, which show the state of a page in the background. */

import idle from "../icons/idle.svg";
import waiting from "../icons/waiting.svg";
import working from "../icons/working.svg";

export type Sign = "idle" | "working" | "waiting";

const icons: Readonly<Record<Sign, string>> = { idle, working, waiting };

/** The page's title, with a mark while a session waits for a person. */
const titleOf = (name: string | undefined, sign: Sign): string =>
  `${sign === "waiting" ? "● " : ""}${name === undefined ? "" : `${name} – `}Toolwright`;

export function showSign(name: string | undefined, sign: Sign): void {
  document.title = titleOf(name, sign);
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (link && !link.href.endsWith(icons[sign])) link.href = icons[sign];
}
