/** What every surface reads alike in a model's Markdown: no HTML, few kinds of links, a code block's language. */

import type { TokenizerObject } from "marked";
import { attempt } from "../../base/expected.ts";

/** Without these two tokenizers, HTML tags are plain text. */
export const withoutHtml: TokenizerObject = { html: () => undefined, tag: () => undefined };

/** Only addresses that are safe to click: web and mail. */
export const isHarmless = (href: string): boolean =>
  attempt(() => ["http:", "https:", "mailto:"].includes(new URL(href).protocol)) ?? false;

/** The first word after the fence, limited to characters that are safe in a class name. */
export const languageOf = (info: string | undefined): string =>
  (/^[\w+#.-]{1,30}/u.exec(info ?? "")?.[0] ?? "").toLowerCase();
