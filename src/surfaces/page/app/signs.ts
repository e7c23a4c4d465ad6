/** What a tab shows of the page that nobody looks at: its title and its icon. */

import idle from "../icons/idle.svg";
import waiting from "../icons/waiting.svg";
import working from "../icons/working.svg";

export type Sign = "idle" | "working" | "waiting";

const icons: Readonly<Record<Sign, string>> = { idle, working, waiting };

/** The page's title: with a mark while a person is waited for. */
const titleOf = (name: string | undefined, sign: Sign): string =>
  `${sign === "waiting" ? "● " : ""}${name === undefined ? "" : `${name} – `}Toolwright`;

export function showSign(name: string | undefined, sign: Sign): void {
  document.title = titleOf(name, sign);
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (link && !link.href.endsWith(icons[sign])) link.href = icons[sign];
}
