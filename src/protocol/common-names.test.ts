import { expect, test } from "vitest";
import { meantByCommonName } from "./common-names.ts";

type Row = { given: string[]; required?: string[]; optional?: string[]; meant: Record<string, string> };

test.each<Row>([
  { given: ["path"], required: ["filePath"], meant: { path: "filePath" } },
  { given: ["cmd"], required: ["command"], meant: { cmd: "command" } },
  {
    given: ["oldText", "newText"],
    required: ["old_string", "new_string"],
    meant: { oldText: "old_string", newText: "new_string" },
  },
  { given: ["file_text"], required: ["content"], meant: { file_text: "content" } },
  { given: ["file", "path"], required: ["filePath"], meant: {} },
  { given: ["file"], required: ["path", "filename"], meant: {} },
  { given: ["note"], required: ["path"], meant: {} },
  // Some clients require hardly anything of their own tools.
  { given: ["path", "oldText"], required: ["path"], optional: ["old_str"], meant: { oldText: "old_str" } },
  { given: ["body"], required: ["content"], optional: ["text"], meant: { body: "content" } },
  { given: ["file"], optional: ["path", "filename"], meant: {} },
  { given: ["command", "cmd"], required: ["command"], optional: ["script"], meant: {} },
  { given: ["path", "file"], optional: ["path"], meant: {} },
])("$given given for $required and $optional is taken for $meant", (row) => {
  const { given, required = [], optional = [], meant } = row;
  const found = meantByCommonName(given, { declared: [...required, ...optional], required });
  expect(Object.fromEntries(found)).toEqual(meant);
});
