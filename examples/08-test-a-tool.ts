/** Testing your own tool: one call, carried out as the agent would, and the contract that every tool must meet. */

import { deepEqual, equal, match } from "node:assert/strict";
import { defineTool, failedResult, ok } from "toolwright";
import { checkTool, testTool } from "toolwright/testing";
import * as z from "zod/mini";

const countWords = defineTool({
  name: "count_words",
  does: "read",
  summary: "Count the words of a text file.",
  input: { path: z.string() },
  argumentAliases: { path: ["file"] },
  title: ({ path }) => `Count the words of ${path.slice(0, 100)}`,
  paths: ({ path }) => [path],
  async run({ path }, { files }) {
    const read = await files.read(path, { maxBytes: 1_000_000 });
    if (!read.ok) return failedResult(read.problem.message);
    return ok(String(Buffer.from(read.value).toString().match(/\S+/g)?.length ?? 0));
  },
});

const call = await testTool(countWords, {
  input: { file: "poem.txt" },
  files: { "poem.txt": "so much depends" },
});
equal(call.outcome, "ok");
equal(call.text, "3");
equal(call.title, "Count the words of poem.txt");

const missing = await testTool(countWords, { input: { path: "none.txt" } });
equal(missing.outcome, "failed");
match(missing.text, /none\.txt/);

// Checks hostile arguments, an aborted call and each provider's rules: one line per violation.
deepEqual(await checkTool(countWords, { input: { path: "poem.txt" }, files: { "poem.txt": "so" } }), []);
console.log(`${call.title}: ${call.text}; and the tool keeps its contract.`);
