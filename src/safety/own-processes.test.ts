/** Processes started by the line itself run in its sandbox, so it can end them without leaving the sandbox. */

import { expect, test } from "vitest";
import { judgeCommand } from "./judge.ts";
import { around } from "./testing/around.ts";

test.each([
  "npm start & PID=$!; sleep 3; curl -s localhost:3000; kill $PID",
  "node server.js & sleep 1; kill -- -$!",
  "sleep 5 & kill %1",
  "trap 'kill $(jobs -p)' EXIT; node server.js & npm test",
  "for p in $(jobs -p); do kill -INT $p; done",
  "node server.js & echo $! > pid; npm test; kill $(cat pid)",
])("%s is judged none and stays in the sandbox", (line) => {
  expect(judgeCommand(line, around)).toMatchObject({ severity: "none", onlyReads: false });
  expect(judgeCommand(line, around)).not.toHaveProperty("uncontainable");
});

test.each([
  ["kill 1234", "medium"],
  ["kill $PID", "medium"],
  ["kill $(cat server.pid)", "medium"],
  ["kill $! $other", "medium"],
  ["kill $!$x", "medium"],
  ["x=$!; read x < f; kill $x", "medium"],
  ["kill -9 $!", "high"],
  ["kill $! -1", "critical"],
])("%s may end other processes: %s", (line, severity) => {
  expect(judgeCommand(line, around).severity).toBe(severity);
});
