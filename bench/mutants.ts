/**
 * `npm run bench:mutants -- FILE TESTS…`: changes one thing of a source file at a time, and lists the changes that none
 * of these tests notices (TESTS are parts of their paths). `--count` changes are tried, chosen by `--seed`; what the
 * types refuse is none.
 */

import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import ts from "typescript-6";

type Mutant = { from: number; to: number; by: string };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: "string", default: "1" }, count: { type: "string", default: "10" } },
});
const [file = "", ...tests] = positionals;
const path = resolve(file);
const text = readFileSync(path, "utf8");
const mutated = ({ from, to, by }: Mutant): string => text.slice(0, from) + by + text.slice(to);
const sourceOf = (code: string) => ts.createSourceFile(path, code, ts.ScriptTarget.ES2024, true);

const swaps = ["=== !==", "!== ===", "< <=", "<= <", "> >=", ">= >", "&& ||", "|| &&", "?? &&", "+ -"];

function* mutantsOf(node: ts.Node): Generator<Mutant> {
  if (ts.isTypeNode(node) || ts.isTypeAliasDeclaration(node) || ts.isImportDeclaration(node)) return;
  const replace = (part: ts.Node, by: string): Mutant => ({ from: part.getStart(), to: part.getEnd(), by });
  const negate = (part: ts.Node): Mutant => replace(part, `!(${part.getText()})`);
  if (ts.isIfStatement(node)) yield negate(node.expression);
  else if (ts.isConditionalExpression(node)) yield negate(node.condition);
  else if (ts.isExpressionStatement(node)) yield replace(node, ";");
  else if (ts.isNumericLiteral(node)) yield replace(node, `(${node.getText()} + 1)`);
  else if (node.kind === ts.SyntaxKind.TrueKeyword) yield replace(node, "false");
  else if (node.kind === ts.SyntaxKind.FalseKeyword) yield replace(node, "true");
  else if (ts.isBinaryExpression(node)) {
    const by = swaps.find((swap) => swap.startsWith(`${node.operatorToken.getText()} `))?.split(" ")[1];
    if (by !== undefined) yield replace(node.operatorToken, by);
  }
  for (const child of node.getChildren()) yield* mutantsOf(child);
}

const { config } = ts.readConfigFile("tsconfig.json", (name) => readFileSync(name, "utf8"));
const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, resolve());
const disk = ts.createCompilerHost(options);
let program = ts.createProgram([path], options, disk);

function isCompiled(mutant: Mutant): boolean {
  const [source, earlier] = [sourceOf(mutated(mutant)), program];
  const getSourceFile: typeof disk.getSourceFile = (name, ...more) =>
    resolve(name) === path ? source : (earlier.getSourceFile(name) ?? disk.getSourceFile(name, ...more));
  program = ts.createProgram([path], options, { ...disk, getSourceFile }, earlier);
  return ![...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].length;
}

/** What hangs is ended, with all its workers, and counts as noticed. */
async function isNoticed(): Promise<boolean> {
  const how = "run --project fast --project programs --bail 1 --retry 0 --maxWorkers 1".split(" ");
  const run = ["node_modules/vitest/vitest.mjs", ...how, ...tests];
  const child = spawn(process.execPath, run, { detached: true, stdio: "ignore" });
  const watch = setTimeout(() => child.pid && process.kill(-child.pid, "SIGKILL"), 300_000);
  const [code] = await once(child, "exit");
  clearTimeout(watch);
  return code !== 0;
}

if (await isNoticed()) throw new Error("The tests fail without any change.");
const rank = (at: number): string => createHash("sha1").update(`${values.seed} ${at}`).digest("hex");
const ranked = [...mutantsOf(sourceOf(text))].map((mutant, at) => ({ mutant, rank: rank(at) }));
ranked.sort((one, other) => (one.rank < other.rank ? -1 : 1));
process.on("exit", () => writeFileSync(path, text)).on("SIGINT", () => process.exit(1));
let [tried, noticed] = [0, 0];
for (const { mutant } of ranked) {
  if (tried === Number(values.count)) break;
  if (!isCompiled(mutant)) continue;
  tried += 1;
  writeFileSync(path, mutated(mutant));
  if (await isNoticed()) noticed += 1;
  else {
    const line = text.slice(0, mutant.from).split("\n").length;
    console.log(`${file}:${line}  ${text.slice(mutant.from, mutant.to)}  →  ${mutant.by}`);
  }
}
console.log(`${noticed} of ${tried} changes were noticed.`);
