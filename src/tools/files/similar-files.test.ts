/** Suggestions for a model that knows a file's name but not its directory. */

import { expect, onTestFinished, test } from "vitest";
import { temporaryWorkspace } from "../../testing/workspace.ts";
import { editFile } from "../edit-file.ts";
import { readFile } from "../read-file.ts";
import { runTool, testContext, wordsOf } from "../testing/context.ts";

const files = {
  "packages/web/src/date-utils.ts": "web\n",
  "packages/api/src/date-utils.ts": "api\n",
  "packages/api/test/dateUtils.py": "python\n",
  "packages/api/old/date-utils.ts": "old\n",
  "node_modules/x/date-utils.ts": "of others\n",
  "only.md": "one\n",
};

async function context() {
  const workspace = await temporaryWorkspace(files);
  onTestFinished(() => workspace.remove());
  return testContext(workspace.root);
}

test("for a path that does not exist the files of the same name are suggested, nearest first", async () => {
  const { words } = wordsOf(await runTool(readFile, { path: "src/date-utils.ts" }, await context()));
  expect(words).toBe(
    "Cannot read src/date-utils.ts: there is no such file or directory. Files with such a name: packages/api/src/date-utils.ts, packages/web/src/date-utils.ts, packages/api/old/date-utils.ts.",
  );
});

test("case, separators and extension may differ; without a similar name nothing is suggested", async () => {
  const place = await context();
  const said = async (path: string) => wordsOf(await runTool(readFile, { path }, place)).words;
  expect(await said("docs/Only.txt")).toContain("Files with such a name: only.md.");
  expect(await said("nothing.ts")).toBe("Cannot read nothing.ts: there is no such file or directory.");
  expect(await said("-.-")).toBe("Cannot read -.-: there is no such file or directory.");
});

test("an edit of a missing file suggests similar names too", async () => {
  const { words } = wordsOf(
    await runTool(editFile, { path: "docs/only.md", old: "one", new: "two" }, await context()),
  );
  expect(words).toBe("There is no file docs/only.md. Files with such a name: only.md.");
});
