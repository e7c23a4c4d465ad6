import { expect, test } from "vitest";
import { offeredTools } from "../extract.ts";
import { tool } from "../testing/reading.ts";
import { codeCall } from "./raw-code.ts";

test("code goes to the tool that takes code, else to the named one", () => {
  const offered = offeredTools([tool("run_python", { source: "string" }, ["source"])]);
  expect(codeCall(offered, "print(1)", "python")).toEqual({
    name: "run_python",
    input: { source: "print(1)" },
  });
  expect(codeCall(offeredTools([]), "print(1)", "python")).toEqual({
    name: "python",
    input: { code: "print(1)" },
  });
  expect(codeCall(offeredTools([]), "print(1)")).toMatchObject({ name: "code_interpreter" });
});

test("a fence and empty lines around code are dropped, and its indentation is kept", () => {
  const code = (text: string) => codeCall(offeredTools([]), text).input["code"];
  expect(code("```python\nif x:\n  y()\n```\n")).toBe("if x:\n  y()");
  expect(code("\n  y()\n\n")).toBe("  y()");
});
