import { expect, test } from "vitest";
import { offeredTools } from "../extract.ts";
import { tool } from "../testing/reading.ts";
import { codeCall, codeTool } from "./code-tool.ts";

const shell = tool("exec_shell", { cmd: "string" }, ["cmd"]);
const python = tool("python", { code: "string", timeout: "integer" }, ["code"]);

test("code goes to the named tool if that tool needs nothing but code", () => {
  const offered = offeredTools([shell, python, tool("ipython", { source: "string" })]);
  expect(codeTool(offered, "ipython")).toEqual({ name: "ipython", parameter: "source" });
  expect(codeTool(offered, "python")).toEqual({ name: "python", parameter: "code" });
});

test("if no tool has the written name, code goes to a tool whose name is known to run code", () => {
  expect(codeTool(offeredTools([shell, tool("code_interpreter", { query: "string" }, ["query"])]))).toEqual({
    name: "code_interpreter",
    parameter: "query",
  });
  expect(codeTool(offeredTools([shell, python]), "interpreter")).toEqual({
    name: "python",
    parameter: "code",
  });
});

test("another tool takes code only if its name suggests code and it alone declares a code parameter", () => {
  const sandbox = tool("sandbox", { code: "string" }, ["code"]);
  expect(codeTool(offeredTools([shell, sandbox]))).toEqual({ name: "sandbox", parameter: "code" });
  expect(codeTool(offeredTools([sandbox, tool("notebook", { code: "string" })]))).toBeUndefined();
  expect(codeTool(offeredTools([tool("find_airport", { code: "string" }, ["code"])]))).toBeUndefined();
});

test("a tool that needs more than code, or no string for it, does not take code", () => {
  expect(codeTool(offeredTools([shell]))).toBeUndefined();
  expect(
    codeTool(offeredTools([tool("python", { code: "string", file: "string" }, ["code", "file"])])),
  ).toBeUndefined();
  expect(codeTool(offeredTools([tool("python", { code: "integer" }, ["code"])]))).toBeUndefined();
  expect(codeTool(offeredTools([tool("python", {})]))).toBeUndefined();
});

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
