/** Build tools, test runners and checkers of less common languages: most only run workspace-defined code. */

import { literal, type Word } from "../../command-line/word.ts";
import { danger, doesMore, runs } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { nothing, readsOperands } from "../file-effect-makers.ts";
import { loadsLibraries, scriptOrInput } from "../interpreting.ts";
import { asks, installing, publishes, removing, signsIn } from "../packages/installing.ts";
import { program, type Program, type Use } from "../program.ts";
import { tellByVerb, verbTable } from "../verbs.ts";
import { tool } from "./building.ts";

export const otherTools: readonly Program[] = [
  tool(
    `gleam scarb tsdx tsc-alias rsbuild rslib gulp grunt brunch stencil nest nestjs sails electron-builder
      electron-forge tauri neutralino stryker es-check manypkg mutmut cosmic-ray pylama prospector stubgen monkeytype towncrier
      bump-my-version cibuildwheel auditwheel delocate briefcase mkinit nbstripout nbqa jupytext voila marimo panel snakemake nextflow
      cwltool great_expectations sqlmesh cargo-make twiggy cargo-expand bacon mdbook-mermaid grcov tarpaulin gotests counterfeiter
      nilaway unconvert oapi-codegen ogen sqlboiler jhipster quarkus mn grails bloop shadow-cljs compiledb west idf.py platformio pio
      xcpretty xcbeautify xcodegen tuist swiftgen sourcery swift-format periphery melos very_good mason thor bundle-audit erb_lint
      phpdoc elixirc erlc csharpier fake cake nuke esy ocamlformat hpack cabal-fmt weeder purty pulp elm-review idris2 agda coqc lean
      lake busted moonc tlc cvc5 shunit2 roundup cram runtest schemathesis dredd`,
    { loads: "c config configuration", writes: "o out output", more: releases, verbs: 2 },
  ),
  tool(
    `zizmor opa regal helm-docs ct chart-testing polaris cfn-guard html-validate linkinator lychee markdown-link-check woke
      licensee reuse addlicense retire audit-ci njsscan aspell hunspell ispell jscodeshift ajv statoscope bundlewatch
      esbuild-visualizer taze slither solc clangd gopls lua-language-server rescript-language-server py3clean pyclean`,
    { loads: "c config configuration t transform", writes: "o output report", more: releases },
  ),
  tool("forge anvil truffle brownie anchor", {
    loads: "config-path",
    long: "rpc-url fork-url private-key account network",
    more: chains,
    verbs: 2,
  }),
  program("cast", (use) => [...asks, ...chains(use)], { verbs: 2 }),
  program("simctl", (use) => tellByVerb(use, simulatorVerbs), { verbs: 2 }),
  program("adb", (use) => tellByVerb(use, deviceVerbs), {
    options: { stopAtOperand: true, short: "stHP" },
    verbs: 2,
  }),
  program("devbox", (use) => tellByVerb(use, boxVerbs), { kind: "builds", verbs: 2 }),
  program("mono wasmtime wasmer zx jbang-run", ({ operands, has, values }) => [
    ...loadsLibraries(values("preload"), "other"),
    ...(has("version", "help")
      ? []
      : scriptOrInput(operands[0]?.text === "run" ? operands.slice(1) : operands, "other")),
  ]),
  program("dstat nvtop lstopo hwloc-info vmtouch ifdata notify-send terminal-notifier", nothing),
  program("lnav goaccess agrep tre-agrep datamash numsum", readsOperands),
];

const released = /^(?:publish|deploy|release|upload|push|destroy|unpublish)$/u;

/** These tools have verbs of their own; flashing a device also counts as a release. */
function* releases({ operands, values }: Use): Iterable<Effect> {
  const verbs = [...operands.slice(0, 2), ...values("t", "target")];
  if (verbs.some(({ text }) => released.test(text))) yield* publishes;
  if (verbs.some(({ text }) => /^(?:login|logout|signin|auth)$/u.test(text))) yield* signsIn;
  if (verbs.some(({ text }) => /^(?:flash|erase|erase_flash|burn)$/u.test(text)))
    yield danger("high", "it overwrites what is on a device");
}

/** Transactions sent to a blockchain are permanent. */
function* chains({ operands, has }: Use): Iterable<Effect> {
  const [verb] = operands;
  if (has("broadcast", "private-key", "mnemonic", "unlocked") || sent.test(verb?.text ?? ""))
    yield danger("high", "it signs something and sends it to a chain");
  if (/^(?:wallet|account)$/u.test(verb?.text ?? "")) yield danger("high", "it works with private keys");
}

const sent = /^(?:send|publish|create|deploy|upgrade|migrate|idl|mktx)$/u;

const changes: readonly Effect[] = [doesMore];

const simulatorVerbs = verbTable(
  [
    ["list, getenv, listapps, get_app_container", []],
    ["erase, delete", [danger("medium", "it deletes data of a simulated device")]],
    ["spawn", ({ operands }) => [runs(operands.slice(1), { remote: true })]],
  ],
  { otherwise: changes },
);

const deviceVerbs = verbTable(
  [
    ["devices, version, logcat, get-state, get-serialno, bugreport", []],
    ["wait-for-device, start-server, kill-server, forward, reverse, connect, disconnect, reconnect", changes],
    ["install", [danger("medium", "it installs a program on a device")]],
    ["pull", ({ operands }) => [{ type: "writes", path: operands[1] ?? here, how: "creates" }]],
  ],
  { otherwise: [danger("high", "it changes a device, or runs a command on it")] },
);

const here: Word = literal(".");

const boxVerbs = verbTable(
  [
    ["add, install, update, init", installing],
    ["rm", removing],
    ["global, secrets, auth", signsIn],
    [
      "run, shell",
      ({ words }) => {
        const end = words.findIndex(({ text }) => text === "--");
        return end < 0 ? changes : [runs(words.slice(end + 1))];
      },
    ],
  ],
  { otherwise: changes },
);
