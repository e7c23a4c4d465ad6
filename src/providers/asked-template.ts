/** Asks the chat template of a model how its calls look, and remembers the answer: rendering it takes a process. */

import { dialectOf } from "../dialects/choose.ts";
import type { TemplateAnswer } from "../dialects/from-template/ask-template.ts";
import { allDialects } from "../dialects/index.ts";
import type { DialectRecord } from "../protocol/dialect-record.ts";
import type { ModelCapabilities } from "./capabilities.ts";

type AskedModel = {
  model: string;
  capabilities: ModelCapabilities;
  /** What was learnt of a model with this template. */
  records: readonly DialectRecord[];
  /** Keeps a record with this name. */
  keep?: ((name: string) => void) | undefined;
  signal?: AbortSignal | undefined;
};

/** A template that shows a known dialect is not asked: only then anything is loaded for it. */
export async function askedTemplate({
  model,
  capabilities: { template },
  records,
  keep,
  signal,
}: AskedModel): Promise<TemplateAnswer | undefined> {
  if (template === undefined || template === "") return undefined;
  if (dialectOf({ model, template })?.by === "template") return undefined;
  const kept = records.flatMap(({ dialect }) => keptAnswer(dialect) ?? [])[0];
  if (kept) return kept;
  const { askTemplate } = await import("../dialects/from-template/ask-template.ts");
  const answer = await askTemplate(template, signal);
  const name = nameOf(answer);
  if (name !== undefined) keep?.(start + name);
  return answer;
}

/** An answer stands among the records of the model's dialects. More forms may find more in the same template. */
const start = `template, of ${allDialects.length} forms: `;
const unknownForm = "none";

/** A form of its own has no name to remember; no answer may have been one that came too late. */
function nameOf(answer: TemplateAnswer | undefined): string | undefined {
  if (answer === undefined) return undefined;
  if (!answer.dialect) return unknownForm;
  return allDialects.includes(answer.dialect) ? answer.dialect.name : undefined;
}

function keptAnswer(record: string): TemplateAnswer | undefined {
  if (!record.startsWith(start)) return undefined;
  const name = record.slice(start.length);
  if (name === unknownForm) return { because: "its chat template writes calls in a form of its own" };
  const dialect = allDialects.find((one) => one.name === name);
  return dialect && { dialect, because: "its chat template, rendered before, writes calls that way" };
}
