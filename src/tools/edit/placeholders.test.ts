import { expect, test } from "vitest";
import { newPlaceholder, placeholdersIn } from "./placeholders.ts";

const leavesOut = (line: string, path = "a.ts"): boolean =>
  placeholdersIn(`a\n  ${line}\nb`, path).length === 1;

test.each([
  "// ... existing code ...",
  "// ...existing code...",
  "// … existing code …",
  "// ... rest of the code remains the same ...",
  "// Rest of the function unchanged",
  "// rest of file",
  "// The rest of the code stays the same",
  "// remaining code unchanged",
  "// existing code",
  "// ... other methods remain the same",
  "// ... (rest of the implementation)",
  "// [rest of the component unchanged]",
  "// (unchanged)",
  "// no changes here",
  "// No changes below",
  "// keep existing code",
  "// Keep the rest of the file as is",
  "// existing imports remain unchanged",
  "// ... previous code omitted for brevity ...",
  "// code omitted for brevity",
  "// ... snip ...",
  "// ...",
  "// …",
  "/* ... */",
  "/* unchanged */",
  "/* ... existing styles ... */",
  "{/* ... existing JSX ... */}",
  "{/* rest of the component */}",
  "function a() { /* ... existing implementation ... */ }",
  "foo() { // ... existing code",
  "<!-- remaining content -->",
  "<!-- ... existing markup ... -->",
  "<!-- rest of the page unchanged -->",
  "... rest of the code ...",
  "… (same as before)",
  "... (unchanged)",
  "[... rest of the document unchanged ...]",
  "(rest of the code remains unchanged)",
  "...",
  "/// ... same as above",
  "//! ... existing docs",
])("%s counts as a placeholder for omitted code", (line) => {
  expect(leavesOut(line)).toBe(true);
});

test.each([
  ["# ... rest of file", "a.py"],
  ["# ... existing code ...", "a.py"],
  ["# rest of the method unchanged", "a.rb"],
  ["# ...", "a.sh"],
  ["# … existing steps", "a.yml"],
  ["-- ... rest of the query unchanged", "a.sql"],
  ["; ... existing code", "a.asm"],
  ["% ... existing sections", "a.erl"],
  ["(* ... existing cases ... *)", "a.ml"],
  ["{- rest of the module unchanged -}", "a.hs"],
  ["<%-- ... existing content ... --%>", "a.jsp"],
  ["{# ... existing blocks ... #}", "a.html"],
  ["{{!-- ... existing markup ... --}}", "a.hbs"],
  ["REM ... rest of the script", "a.bat"],
  ["<!-- rest of the document unchanged -->", "a.md"],
  ["[... rest of the document unchanged ...]", "a.md"],
  ["… (rest unchanged)", "a.txt"],
  ["// Restlicher Code bleibt unverändert", "a.ts"],
  ["// ... bestehender Code ...", "a.ts"],
  ["// ... Rest des Codes ...", "a.ts"],
  ["// ... le reste du code ...", "a.ts"],
  ["// le reste du code est inchangé", "a.ts"],
  ["// ... código existente ...", "a.ts"],
  ["// resto del código sin cambios", "a.ts"],
  ["// o resto do código permanece igual", "a.ts"],
  ["// il resto del codice rimane invariato", "a.ts"],
  ["// rest van de code blijft ongewijzigd", "a.ts"],
  ["// остальной код без изменений", "a.ts"],
  ["// ... существующий код ...", "a.ts"],
  ["// 其余代码保持不变", "a.ts"],
  ["// ... 其他代码 ...", "a.ts"],
  ["// 此处省略", "a.ts"],
  ["// 既存のコード", "a.ts"],
  ["# 残りのコードは変更なし", "a.py"],
  ["// 나머지 코드는 그대로", "a.ts"],
  ["// ... 기존 코드 ...", "a.ts"],
])("%s counts as a placeholder for omitted code in %s", (line, path) => {
  expect(leavesOut(line, path)).toBe(true);
});

test.each([
  ["...rest,", "a.ts"],
  ["...(isOpen ? rest : {}),", "a.ts"],
  ["...other.props,", "a.ts"],
  ["{...rest}", "a.tsx"],
  ["const [first, ...others] = list;", "a.ts"],
  ["function f(...existing: string[]) {", "a.ts"],
  ["...", "a.py"],
  ["def f(self) -> None: ...", "a.pyi"],
  ["...", "a.c"],
  ["...", "a.yaml"],
  ["# rest of the file is parsed lazily", "a.py"],
  ["// The rest of the arguments are passed on.", "a.ts"],
  ["// other methods", "a.ts"],
  ["// Other imports", "a.ts"],
  ["// TODO: handle other cases ...", "a.ts"],
  ["// existing users keep their settings", "a.ts"],
  ["// keep existing connections alive", "a.ts"],
  ["// the remaining time in seconds", "a.ts"],
  ["// same as above, but for writing", "a.ts"],
  ["// same as before", "a.ts"],
  ["// see above", "a.ts"],
  ["// wait...", "a.ts"],
  ["// Loading...", "a.ts"],
  ["// and so on", "a.ts"],
  ["// unchanged lines are kept by the caller", "a.ts"],
  ["return unchanged; // nothing else to do", "a.ts"],
  ['const text = "// ... existing code ...";', "a.ts"],
  ['"// rest of the code unchanged",', "a.ts"],
  ["'... existing code ...',", "a.py"],
  ['<a href="#rest">rest of the file</a>', "a.html"],
  ["<Rest />", "a.tsx"],
  ["* ...", "a.js"],
  ["- ...", "a.md"],
  ["# Rest of the document", "a.md"],
  ["Write `// ... existing code ...` where nothing changes.", "a.md"],
  ["The rest of the file remains unchanged.", "a.md"],
  ["#include <rest.h>", "a.c"],
  ["#define REST(...) f(__VA_ARGS__)", "a.c"],
  ["# 其他用户的设置", "a.py"],
  ["// Der Rest der Argumente wird weitergereicht.", "a.ts"],
])("%s in %s is not a placeholder", (line, path) => {
  expect(placeholdersIn(`a\n  ${line}\nb`, path)).toEqual([]);
});

test("placeholders inside multi-line strings and quoted code blocks count as data", () => {
  const within = (before: string, after: string, path: string): string[] =>
    placeholdersIn(`${before}\n// ... existing code ...\n# ... existing code ...\n${after}`, path);
  expect(within("const sample = `", "`;", "a.test.ts")).toEqual([]);
  expect(within('sample = """', '"""', "a_test.py")).toEqual([]);
  expect(within("```js", "```", "a.md")).toEqual([]);
  expect(within("// it is `odd", "", "a.ts")).toHaveLength(2);
  expect(within("a = `b`;", "c = `d`;", "a.ts")).toHaveLength(2);
});

test("a placeholder line that was there before may stay", () => {
  const line = "    // ... existing code ...";
  expect(newPlaceholder(`a\n${line}`, { path: "a.ts", had: [`b\n  ${line}\n`] })).toBeUndefined();
  expect(newPlaceholder(`a\n${line}`, { path: "a.ts", had: ["b", "// ..."] })).toBe(line.trim());
});

const longer =
  "function save(one) {\n  check(one);\n  const made = make(one);\n  keep(made);\n  return made;\n}\n";
/** Whether a line in place of a function's body is a placeholder for it, alone or before a line that stays. */
const leavesBodyOut = (line: string, end = ""): boolean =>
  newPlaceholder(`function save(one, two) {\n  ${line}\n${end}}\n`, {
    path: "a.js",
    had: [longer],
    replaces: longer,
  }) !== undefined;

test.each([
  "// same as before",
  "// Existing validation",
  "// (body as before)",
  "// server setup as above",
  "// keep this part as is",
  "// TODO: keep the existing checks here",
  "// 14 lines omitted",
  "// ... (lines 13-35 unchanged)",
  "// ... whatever was here ...",
  "// nothing changes here",
  "// abbreviated for brevity",
  "// unverändert",
  "// el resto queda igual",
  "// 以下同じ",
  "// değişmedi",
  "// ... بقية الكود كما هو",
  "// \u22EF",
  "{ /* same */ }",
])("%s in place of removed lines is a placeholder for them", (line) => {
  expect(leavesBodyOut(line)).toBe(true);
});

test.each([
  "// same as before",
  "// Existing validation",
  "// not changed",
  "// ... 12 more lines",
  "// 省略",
])("%s next to kept lines is a placeholder for the removed ones", (line) => {
  expect(leavesBodyOut(line, "  return made;\n")).toBe(true);
});

test.each([
  "// TODO: not implemented",
  "// moved to save.js",
  "// nothing to do here any more",
  "// All of it is done by the caller now, with one lookup instead of two.",
  'throw new Error("not implemented");',
])("%s in place of removed lines is not a placeholder", (line) => {
  expect(leavesBodyOut(line)).toBe(false);
});

test.each([
  "// The existing store does this already.",
  "// same as put(), kept for compatibility",
  "// first element, then the rest",
  "// Returns the old value where nothing was saved.",
])("%s next to a replacement for the removed lines is not a placeholder", (line) => {
  expect(leavesBodyOut(line, "  return store.save(one);\n")).toBe(false);
});

test("where no lines are removed, ambiguous wording is not a placeholder", () => {
  const before = "function save(one) {\n  return one;\n}\n";
  for (const line of ["// same as before", "// existing users", "// keep as is", "// ... and then"]) {
    const fresh = before.replace("  return", `  ${line}\n  return`);
    expect(newPlaceholder(fresh, { path: "a.js", had: [before], replaces: before })).toBeUndefined();
  }
});

test("long and unusual lines are scanned quickly", () => {
  const odd = [
    "//" + " ...".repeat(50_000),
    "(".repeat(50_000),
    "rest of the ".repeat(20),
    "`".repeat(9999),
    "// " + "the ".repeat(70),
  ];
  expect(placeholdersIn(odd.join("\n"), "a.ts")).toEqual([]);
  const many = Array.from({ length: 20_000 }, (_, at) => `  // ${"a word of ".repeat(10)}${at}`);
  expect(placeholdersIn(many.join("\n\n\n"), "a.ts", "likely")).toEqual([]);
  expect(placeholdersIn("  //\n".repeat(20_000), "a.ts", "likely")).toEqual([]);
});
