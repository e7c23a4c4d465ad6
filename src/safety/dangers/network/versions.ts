/** Settings of keepers of versions other than git that name a command or code. */

import { type Word, withText } from "../../command-line/word.ts";
import type { WordsDo } from "../data/does.ts";
import { danger, doesMore, interprets } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { cutAt } from "../parts.ts";

const running =
  /alias|hook|extension|pager|editor|command|cmd|tool|merge|diff|ssh|pgp|gpg|sign|program|browser/iu;

const setting = (key: Word, value: Word, severity: "high" | "critical"): Effect[] =>
  running.test(key.text)
    ? [
        danger(severity, "it sets a command or code that it runs"),
        interprets("shell", withText(value, value.text.replace(/^!/u, ""))),
      ]
    : [doesMore];

export const keepers: Readonly<Record<string, WordsDo>> = {
  "kept setting": ([key, value]) => (key && value ? setting(key, value, "critical") : []),
  "setting once": (words) =>
    words.flatMap((word) => {
      const { before, after } = cutAt(word, "=") ?? { before: word, after: word };
      return running.test(before.text) ? setting(before, after, "high") : [];
    }),
};
