/** A server that fails over the form to which it should hold a model: asking again the same way cannot help. */

import type { ModelError } from "../protocol/model-events.ts";

/** The failure of a request with a form: a refusal of the request, if the server complains about that form. */
export const blameForm = (error: ModelError): ModelError =>
  error.kind === "server" && !error.midStream && aboutForm.test(error.said ?? "")
    ? error.with({ kind: "bad-request" })
    : error;

/** "failed to parse grammar", "Unsupported JSON schema", "guided decoding is not available" and the like. */
const aboutForm = /grammar|schema|structur(?:ed|al)|response_?format|guided|\bstrict\b|\bformat\b/i;
