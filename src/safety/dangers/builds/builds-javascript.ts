/** Tools of JavaScript projects: compilers, linters, test runners, bundlers, servers. */

import { always, alwaysBut, byTask } from "../checking.ts";
import { danger, interprets, loads, runs } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { loadsLibraries } from "../interpreting.ts";
import { publishes } from "../packages/installing.ts";
import { type Program, program, type Use } from "../program.ts";
import { tool } from "./building.ts";
import { tasksThatReachOut } from "./tasks.ts";

const test = "reporter reporters testNamePattern testPathPattern t maxWorkers shard timeout grep g project";

export const javascriptTools: readonly Program[] = [
  tool("tsc tsgo vue-tsc svelte-check ngc", {
    checks: alwaysBut("-w"),
    short: "pbtm",
    long: "project target module lib jsx rootDir types typeRoots moduleResolution declarationDir threshold",
    writes: "outDir outFile tsBuildInfoFile generateTrace generateCpuProfile",
  }),
  tool("eslint eslint_d standard xo tslint", {
    checks: always,
    loads: "c config rulesdir resolve-plugins-relative-to plugin parser f format",
    writes: "o output-file cache-location",
    long: `ext ignore-path ignore-pattern max-warnings rule env global parser-options cache-strategy
      stdin-filename fix-type`,
  }),
  tool("oxlint oxfmt biome rome dprint quick-lint-js jshint jscs", {
    checks: /^(?:oxlint|quick-lint-js|jshint|jscs)\b|\s(?:check|lint|ci|--check)(?:\s|$)/u,
    loads: "c config plugins config-path",
    short: "AWDf",
    long: "tsconfig format max-warnings stdin-file-path reporter threads ignore-path",
    verbs: 1,
  }),
  tool("prettier prettierd prettier-eslint", {
    checks: /\s(?:--check|-c|--list-different|-l)(?:\s|$)/u,
    loads: "config plugin find-config-file",
    long: `parser ignore-path stdin-filepath tab-width print-width log-level end-of-line range-start
      range-end cursor-offset`,
    writes: "cache-location",
  }),
  tool("stylelint htmlhint csslint purgecss svgo html-minifier html-minifier-terser cssnano", {
    checks: /^(?:stylelint|htmlhint|csslint)\b/u,
    loads: "c config config-basedir custom-formatter custom-syntax plugin p",
    writes: "o output output-file",
    long: "formatter f ignore-path",
  }),
  tool("jest vitest ava tap node-tap uvu japa zora tape", {
    checks: always,
    loads: `c config r root dir setupFiles setupFilesAfterEnv globalSetup globalTeardown testRunner runner
        environment env transform require rootDir import`,
    writes: "outputFile coverageDirectory cacheDirectory",
    long: test,
  }),
  tool("mocha _mocha jasmine qunit cucumber-js cucumber nightwatch wdio testcafe karma lab", {
    checks: always,
    loads: "r require config file f spec helper import",
    long: test,
    writes: "reporter-option o",
  }),
  tool("playwright cypress", {
    checks: /\s(?:test|run)(?:\s|$)/u,
    short: "gjw",
    loads: "c config C config-file P",
    long: `${test} spec browser headed workers`,
    writes: "output",
    verbs: 2,
  }),
  tool("c8 nyc", {
    stop: true,
    short: "rxno",
    long: "reporter exclude include all src temp-directory",
    loads: "r require",
    writes: "o reports-dir report-dir",
    more: ({ operands }) =>
      operands.length > 0 && !/^(?:report|check-coverage|merge|instrument)$/u.test(operands[0]?.text ?? "")
        ? [runs(operands)]
        : [],
  }),
  tool("webpack webpack-cli webpack-dev-server rspack", {
    checks: /^(?!.*\s(?:serve|dev|watch|server)(?:\s|$))/u,
    loads: "c config",
    writes: "o output-path",
    short: "dt",
    long: "mode env entry target devtool port host stats",
    verbs: 1,
  }),
  tool(
    `rollup rolldown tsup unbuild tsdown microbundle bunchee pkgroll vite-plugin esbuild swc spack
      parcel ncc packemon babel`,
    {
      checks: /^(?!.*\s(?:-w|serve|dev)(?:\s|$))/u,
      loads: "c config p plugin config-file env-file",
      writes: "o outfile outdir file dir d out-dir dist-dir out-file output metafile cache-dir",
      long: "format f platform target loader define external name port host",
    },
  ),
  tool(
    `vite astro next nuxt nuxi remix react-router svelte-kit gatsby eleventy @11ty/eleventy vuepress
      vitepress docusaurus ng vue-cli-service react-scripts craco storybook start-storybook
      build-storybook sb ember expo react-native metro ionic cap-cli quasar redwood rw qwik solid-start
      waku analog nitro nitropack snowpack wmr umi modern`,
    {
      checks: byTask,
      loads: "c config config-dir root r",
      writes: "outDir o output-dir dist-dir",
      short: "pH",
      long: "port host mode base hostname",
      more: shares,
      verbs: 2,
    },
  ),
  tool("turbo nx lage lerna-lite moonrepo wsrun ultra", {
    checks: byTask,
    loads: "cwd config",
    long: "filter scope concurrency projects target parallel",
    writes: "output-logs graph",
    verbs: 2,
    more: ({ operands: [verb, target] }) => {
      if (verb?.text === "release" && target?.text === "publish") return publishes;
      const task = verb?.text === "run" ? target : verb;
      return task ? tasksThatReachOut([task]) : [];
    },
  }),
  tool("sass node-sass lessc less-css stylus postcss tailwindcss tailwind unocss windicss", {
    loads: "c config use u plugin js",
    writes: "o output out dir",
    short: "iIp",
    long: "input load-path style source-map content poll",
  }),
  tool("typedoc jsdoc api-extractor tsd dts-bundle-generator documentation compodoc esdoc", {
    loads: "c configure options plugin theme t",
    writes: "out json o destination d",
    long: "entryPoints readme name",
  }),
  tool(
    `graphql-codegen graphql-code-generator gql-gen openapi-typescript openapi-generator
      openapi-generator-cli swagger-codegen orval quicktype json2ts swagger-cli redocly spectral
      prisma-client swagger-typescript-api`,
    {
      loads: "c config r require t template-dir ruleset",
      writes: "o output out",
      short: "ig",
      long: "input-spec generator-name src lang",
    },
  ),
  tool("nodemon node-dev ts-node-dev tsnd tsc-watch watchy onchange", {
    stop: true,
    short: "weidC",
    long: "watch ext ignore delay signal compiler project",
    loads: "config r require",
    more: restarts,
  }),
  program("pm2 forever", processManager, {
    kind: "builds",
    options: {
      short: "nifpoel",
      long: [
        "name",
        "instances",
        "interpreter",
        "cron",
        "log",
        "output",
        "error",
        "env",
        "cwd",
        "max-memory-restart",
      ],
    },
    verbs: 2,
  }),
  tool(
    `serve http-server live-server browser-sync light-server sirv superstatic json-server lite-server
      static-server`,
    { short: "plcaSCKd", long: "port listen config host proxy", more: serves },
  ),
  tool("dotenvx dotenv env-cmd", {
    stop: true,
    short: "epcfv",
    long: "env-file file environments",
    more: ({ operands, name }) =>
      operands.length === 0 || (name === "dotenvx" && operands[0]?.text !== "run")
        ? []
        : [runs(name === "dotenvx" ? operands.slice(operands[1]?.text === "--" ? 2 : 1) : operands)],
  }),
  tool(
    `elm elm-test elm-format purs spago bsb rescript coffee tsx-watch ts-prune ts-unused-exports
      unimported depcruise dependency-cruiser jscpd cspell alex textlint write-good source-map-explorer
      webpack-bundle-analyzer lighthouse lhci pa11y axe hint autoprefixer uglifyjs terser browserify ncp
      plop hygen yo zx-lint wait-on start-server-and-test cross-port-killer is-ci`,
    {
      loads: "c config plugin",
      writes: "o output output-path out-file",
    },
  ),
];

const wide = /^(?:0\.0\.0\.0|::|\[::\]|\*)$/u;

/** `--tunnel` and `--share` make the server reachable from the internet. */
function shares({ has }: Use): readonly Effect[] {
  return has("tunnel", "share")
    ? [danger("high", "it opens a tunnel from the internet to this machine")]
    : [];
}

/** Anyone who can reach this machine can read what it serves: the workspace, unless another directory is given. */
function* serves({ operands, has, values }: Use): Iterable<Effect> {
  if (has("tunnel")) yield danger("high", "it opens a tunnel from the internet to this machine");
  if (values("host").some(({ text }) => wide.test(text)) || operands.length === 0) return;
  for (const directory of operands)
    if (/^(?:\/|~|\.\.|\0)/u.test(directory.text)) yield { type: "sends", to: undefined, files: [directory] };
}

/** Restarts a script whenever a file changes; `--exec` gives the command to run. */
function* restarts({ operands, options, name }: Use): Iterable<Effect> {
  const at = options.findIndex(({ name: option }) => option === "exec" || option === "x");
  const command = options[at]?.value ?? (at >= 0 ? operands[0] : undefined);
  if (command) yield interprets("shell", command);
  else if (name === "onchange") yield runs(operands.slice(1));
  else yield* loadsLibraries(operands.slice(0, 1), "javascript");
}

function* processManager({ operands }: Use): Iterable<Effect> {
  const [verb, target] = operands;
  if (!verb) return;
  if (/^(?:stop|delete|kill|stopall|restartall|del)$/u.test(verb.text))
    yield danger("high", "it stops running programs");
  if (/^(?:start|restart|reload)$/u.test(verb.text) && target && /[./]/u.test(target.text))
    yield loads(target, "javascript");
  if (/^(?:startup|save|install)$/u.test(verb.text))
    yield danger("high", "it makes programs start by themselves from now on");
  if (verb.text === "deploy") yield danger("high", "it deploys to other machines");
}
