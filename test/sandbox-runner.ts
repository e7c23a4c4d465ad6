/** Runs contained commands in a process of its own, so that another user can be it: requests come in as JSON, outcomes go out. */
import { readFileSync } from "node:fs";
import { runProcess } from "../src/base/process.ts";
import { type ContainRequest, findSandbox } from "../src/safety/sandbox/sandbox.ts";

export type RunRequest = {
  requests: ContainRequest[];
  wallMs?: number;
  limits?: { processes: number; fileBytes: number; memoryBytes: number };
  /** All at once, not one after the other. */
  together?: boolean;
};

export type RunOutcome = {
  /** Why it was not run. */
  refused?: string;
  exit?: number;
  signal?: string;
  output: string;
  warnings: string[];
  milliseconds: number;
};

const {
  requests,
  wallMs = 60_000,
  limits,

  together,
}: RunRequest = JSON.parse(readFileSync(0, "utf8"));
const sandbox = await findSandbox(limits ? { limits } : {});

async function outcomeOf(request: ContainRequest): Promise<RunOutcome> {
  if (sandbox.kind === "none") return { refused: sandbox.because, output: "", warnings: [], milliseconds: 0 };
  const started = performance.now();
  const contained = await sandbox.contain(request);
  if (!contained.ok) return { refused: contained.problem, output: "", warnings: [], milliseconds: 0 };
  const { exit, signal, output, problem } = await runProcess({ ...contained.value, cwd: "/", wallMs });
  const warnings = await contained.value.finished();
  return {
    ...(exit === undefined ? {} : { exit }),
    ...(signal === undefined ? {} : { signal }),
    output: problem ?? Buffer.from(output.bytes).toString(),
    warnings,
    milliseconds: performance.now() - started,
  };
}

const outcomes: RunOutcome[] = [];
if (together) outcomes.push(...(await Promise.all(requests.map(outcomeOf))));
else for (const request of requests) outcomes.push(await outcomeOf(request));
process.stdout.write(JSON.stringify(outcomes));
