/** Files that a command only writes to do not count, however named; code that computes such a name does. */

import { expect, onTestFinished, test } from "vitest";
import { temporaryWorkspace } from "../../testing/workspace.ts";
import { filesRunBy } from "./ran.ts";

async function countedIn(files: Record<string, string>, line: string) {
  const workspace = await temporaryWorkspace(files);
  onTestFinished(() => workspace.remove());
  const counted = filesRunBy({ type: "line", line }, { workspace: workspace.root });
  return { files: counted?.files.map(({ path }) => path), unfollowed: counted?.unfollowed };
}

const files = { "log.txt": "before\n", "x.sh": "", ".claude/hooks.log": "before\n" };

test.each([
  'echo hi >> "$CLAUDE_PROJECT_DIR"/log.txt',
  'echo hi >> "$CLAUDE_PROJECT_DIR/log.txt" 2>&1',
  "cat >> ${CLAUDE_PROJECT_DIR:-.}/'log.txt'",
  'jq -r \'"\\(.tool_input.command) - \\(.tool_input.description // "none")"\' >> log.txt',
  "LOG=log.txt; date >> $LOG",
  'LOG="$CLAUDE_PROJECT_DIR/.claude/hooks.log"\nmkdir -p "$(dirname "$LOG")"\n[ -f "$LOG" ] || touch "$LOG"\ndate >> "${LOG}"',
  "bash -c 'date >> log.txt'",
  "date | tee -a log.txt",
])("SAFETY 1: a hook's own log file is not counted: %s", async (line) => {
  expect(await countedIn(files, line)).toEqual({ files: [], unfollowed: [] });
});

test("SAFETY 1: a log file that a script names in a variable and writes to is not counted", async () => {
  const script = `set -euo pipefail
readonly LOG="$CLAUDE_PROJECT_DIR/.claude/hooks.log"
mkdir -p "$(dirname "$LOG")"
echo "ran" >> "$LOG"
sh x.sh
`;
  expect(await countedIn({ ...files, "hook.sh": script }, "sh hook.sh")).toEqual({
    files: ["hook.sh", "x.sh"],
    unfollowed: [],
  });
});

test.each([
  'echo hi > "$(sh x.sh)"',
  "echo hi > `sh x.sh`",
  'echo hi > "a${B:-$(sh x.sh)}"',
  "cat < log.txt > >(sh x.sh)",
  'LOG=x.sh; sh "$LOG"',
  "LOG=x.sh; . ./log.txt",
  "export LOG=x.sh; sh log.txt",
  "LOG=x.sh; set -a; sh log.txt",
  "LOG=x.sh sh log.txt",
  "sh 2>&1 x.sh",
  "sh >log.txt x.sh",
])(
  "SAFETY 1: a script counts that computes an output path, or is run by or passed in a variable: %s",
  async (line) => {
    expect((await countedIn(files, line)).files).toContain("x.sh");
  },
);

test.each(["sh '>' x.sh", 'sh ">" x.sh', "sh \\> x.sh"])(
  "SAFETY 1: a quoted redirection sign is a name, and that file counts: %s",
  async (line) => {
    const { files: counted, unfollowed } = await countedIn({ ...files, ">": "sh x.sh" }, line);
    expect(counted).toContain(">");
    expect(unfollowed).toEqual([">: all that it runs"]);
  },
);
