/** Asks the chat template of a model that nobody knows how its calls look: by rendering it. */

import type { Dialect } from "../dialect.ts";
import { allDialects } from "../index.ts";
import { knownForm } from "./known-form.ts";
import { ownForm } from "./own-form.ts";
import { renderTemplate } from "./render.ts";
import { shownForm } from "./shown-form.ts";

/** What a template showed, in words for people; without a dialect if its form is unknown and not simple. */
export type TemplateAnswer = { dialect?: Dialect; because: string };

/** Undefined if the template writes no calls, or cannot be rendered within the limits. */
export async function askTemplate(
  template: string,
  signal?: AbortSignal,
): Promise<TemplateAnswer | undefined> {
  if (!mayWriteCalls.test(template)) return undefined;
  const renderings = await renderTemplate(template, signal);
  const shown = renderings && shownForm(renderings);
  if (!shown) return undefined;
  const known = knownForm(shown, allDialects);
  if (known) return { dialect: known, because: "its chat template, rendered, writes calls that way" };
  const own = ownForm(shown);
  return own
    ? { dialect: own, because: "its chat template writes calls in a form of its own" }
    : { because: "its chat template writes calls in a form that could not be derived from it" };
}

/** Jinja's and Go's names of what a template must handle to write calls. */
const mayWriteCalls = /tool_calls|\.ToolCalls/;
