/** Test runners, linters and formatters of Python, Ruby, PHP, Go, Rust and others. */

import { isUnknown, withText } from "../../command-line/word.ts";
import { always, alwaysBut, byTask } from "../checking.ts";
import { danger, interprets, loads, runs } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { scriptOrInput } from "../interpreting.ts";
import { publishes, runsLocal } from "../packages/installing.ts";
import type { Program, Use } from "../program.ts";
import { tool } from "./building.ts";
import { losesData } from "./builds-systems.ts";

export const languageTools: readonly Program[] = [
  tool("pytest py.test pytest-watch ptw nosetests nose2 ward behave robot green unittest stestr trial", {
    checks: always,
    short: "kmnorW",
    loads: "c config-file rootdir confcutdir p s start-directory t pythonpath",
    writes: "junitxml junit-xml basetemp log-file report-log html outputdir d cov-report-file",
    long: `maxfail durations cov cov-report tb numprocesses dist override-ini ignore deselect
      import-mode timeout color`,
    more: ({ values, operands }) => [
      ...values("p")
        .filter(({ text }) => isUnknownText(text))
        .map(() => danger("high", "only the run will tell which plugin it loads")),
      ...operands.filter(({ text }) => /^(?:[~/]|\.\.)/u.test(text)).map((path) => loads(path, "python")),
    ],
  }),
  tool("tox nox", {
    checks: alwaysBut("-l", "-a", "l", "list"),
    short: "eps",
    loads: "c conf f noxfile workdir root",
    long: "session sessions python tags override",
  }),
  tool("coverage", {
    stop: true,
    short: "mio",
    long: "source include omit data-file",
    loads: "rcfile",
    writes: "d directory",
    more: covered,
    verbs: 2,
  }),
  tool(
    `ruff black isort flake8 pyflakes pycodestyle pydocstyle autopep8 yapf autoflake pyupgrade
      docformatter djlint curlylint`,
    {
      checks: /^(?:flake8|pyflakes|pycodestyle|pydocstyle)\b|\s(?:check|--check|--check-only)(?:\s|$)/u,
      short: "tlS",
      loads: "config settings-path settings-file append-config style",
      writes: "o output-file",
      long: `line-length target-version select ignore extend-select extend-ignore exclude
        max-line-length per-file-ignores format output-format profile stdin-filename`,
    },
  ),
  tool("mypy dmypy pyright basedpyright pyre pytype ty pyanalyze", {
    checks: always,
    short: "pmc",
    loads: "config-file python-executable custom-typeshed-dir project",
    writes: "junit-xml html-report xml-report cache-dir",
    long: "python-version platform module package",
  }),
  tool("pylint", {
    checks: always,
    loads: "rcfile load-plugins",
    writes: "output",
    long: "disable enable jobs d e j output-format f max-line-length",
    more: ({ values }) =>
      values("init-hook").flatMap((code) => [
        danger("high", "its option --init-hook runs code"),
        interprets("python", code),
      ]),
  }),
  tool("bandit safety pip-audit semgrep snyk trivy grype syft osv-scanner dependency-check", {
    loads: "c config",
    writes: "o output report-path r output-file",
    short: "fsl",
    long: "format severity",
  }),
  tool(
    `uvicorn gunicorn hypercorn daphne waitress-serve flask fastapi litestar streamlit gradio chainlit
      celery dramatiq rq huey scrapy airflow dagster prefect luigi kedro mlflow tensorboard invoke inv
      fab doit pyinvoke`,
    {
      short: "bwkplF",
      loads: "c config app-dir chdir C env-file A app workdir",
      long: "host port workers bind log-level reload-dir worker-class",
      writes: "pid access-logfile error-logfile log-file",
      verbs: 2,
      more: destroys,
    },
  ),
  tool("django-admin", { loads: "pythonpath", long: "settings", more: (use) => managesDjango(use.words) }),
  tool("rspec minitest m guard cucumber-ruby spinach test-unit", {
    checks: always,
    short: "eftpO",
    loads: "r require I default-path options",
    writes: "o out",
    long: "format pattern tag seed example",
  }),
  tool(
    `rubocop standardrb reek brakeman rufo rubycritic erblint slim-lint haml-lint sorbet srb steep
      solargraph ruby-lsp fasterer flay flog bundler-audit importmap`,
    {
      checks: /^(?:rubocop|standardrb|reek|erblint|slim-lint|haml-lint)\b|\s(?:tc|typecheck|check)(?:\s|$)/u,
      loads: "r require c config",
      writes: "o out",
      short: "f",
      long: "format only except",
    },
  ),
  tool("rails bin/rails hanami puma unicorn thin rackup sidekiq foreman overmind hivemind honcho", {
    checks: byTask,
    loads: "C config r require f procfile",
    short: "bpePtq",
    long: "binding port environment e",
    more: rails,
    verbs: 2,
  }),
  tool("phpunit paratest pest phpspec behat codecept infection", {
    checks: always,
    loads: "bootstrap c configuration include-path extension",
    writes: `log-junit coverage-html coverage-clover coverage-xml coverage-text testdox-html testdox-text
        cache-directory`,
    long: "filter testsuite group d",
  }),
  tool("phpstan psalm phan phpcs phpcbf php-cs-fixer pint phpmd rector deptrac grumphp phing", {
    checks: /^(?:phpstan|psalm|phan|phpcs|phpmd|grumphp)\b|\s--(?:dry-run|test)(?:\s|$)/u,
    loads: "c configuration config autoload-file a bootstrap standard rules",
    writes: "report-file baseline",
    long: "level memory-limit error-format format extensions",
    verbs: 1,
  }),
  tool(
    `golangci-lint staticcheck revive errcheck gosec govulncheck ineffassign misspell goimports gofumpt
      gofmt golines gotestsum ginkgo mockgen mockery wire air templ swag sqlc ent gqlgen stringer golint
      go-junit-report benchstat goreleaser ko dlv`,
    {
      checks: /^(?:golangci-lint|staticcheck|revive|errcheck|gosec|ineffassign|gotestsum|ginkgo|golint)\b/u,
      loads: "c config conf",
      writes: "o out output outdir destination junitfile jsonfile cpuprofile memprofile",
      short: "r",
      more: goTools,
      verbs: 1,
    },
  ),
  tool(
    `rustfmt clippy-driver cargo-clippy cargo-fmt cargo-nextest wasm-pack wasm-bindgen trunk cross
      cbindgen bindgen mdbook maturin sccache-dist miri wasm-opt rust-analyzer`,
    {
      checks: /^(?:clippy-driver|cargo-clippy|cargo-nextest)\b|\s--check(?:\s|$)/u,
      loads: "config-path config manifest-path",
      writes: "o out-dir target-dir d dest-dir",
      more: ({ operands }) => (/^(?:publish|upload)$/u.test(operands[0]?.text ?? "") ? publishes : []),
      verbs: 2,
    },
  ),
  tool(
    `clang-format clang-tidy clang-check cppcheck cpplint iwyu include-what-you-use astyle uncrustify
      indent cmake-format gersemi infer`,
    {
      checks: /^(?:clang-tidy|clang-check|cppcheck|cpplint)\b/u,
      short: "pD",
      loads: "load plugin config-file vfsoverlay c",
      writes: "export-fixes o output-file",
      long: "style checks fallback-style header-filter assume-filename",
      more: analyses,
      stop: false,
    },
  ),
  tool(
    `shellcheck shfmt bats bats-core shellspec hadolint markdownlint markdownlint-cli markdownlint-cli2
      mdl yamllint actionlint kube-linter conftest vale codespell typos proselint editorconfig-checker
      ec jsonlint taplo sqlfluff buildifier nixfmt alejandra statix deadnix stylua luacheck selene
      ktlint detekt swiftlint swiftformat checkstyle google-java-format pmd spotbugs scalafmt scalafix
      hlint ormolu fourmolu brittany stylish-haskell credo dialyzer elvis-lint nimpretty zls ameba
      perltidy perlcritic prove buf-lint lintr styler cljfmt clj-kondo zprint cfn-lint commitsar`,
    {
      checks: /^(?:shellcheck|bats|bats-core|shellspec|hadolint|markdownlint\S*|yamllint|actionlint)\b/u,
      loads: "c config rcfile r rules I custom-rule-dir plugin formatter policy",
      writes: "o output output-file report",
      short: "sefnpPit",
      long: "shell format severity exclude extends ignore",
    },
  ),
  tool("protoc protoc-gen-go grpc_tools flatc thrift capnp avro-tools", {
    oneDash: false,
    loads: "plugin",
    writes: "o descriptor_set_out",
    short: "I",
    long: "proto_path",
    more: protocol,
  }),
  tool("buf", {
    loads: "config template",
    writes: "o output",
    long: "path against",
    verbs: 2,
    more: ({ operands }) => (/^(?:push|publish)$/u.test(operands[0]?.text ?? "") ? publishes : []),
  }),
  tool("mvn-dependency jacoco sonar-scanner codacy coveralls", {
    long: "f file t token",
    more: ({ name, values, operands, has }) =>
      /^(?:codecov|coveralls|sonar-scanner|codacy)$/u.test(name) && !has("version", "help", "h", "v")
        ? [
            {
              type: "sends",
              to: undefined,
              files: [...values("f", "file"), ...operands.filter(({ text }) => text.includes("."))],
            },
          ]
        : [],
  }),
  tool("act gitlab-runner circleci nektos", {
    short: "jWPeCs",
    loads: "W workflows C directory",
    long: "job secret env platform secret-file container-options container-daemon-socket",
    more: ({ has }) =>
      has("b", "bind", "container-options", "container-daemon-socket")
        ? [danger("high", "what it runs in containers reaches this machine's files, and not copies of them")]
        : [],
  }),
];

const isUnknownText = (text: string): boolean => text.includes("\0");

/** `coverage run script`, `coverage run -m module`. */
function* covered({ operands }: Use): Iterable<Effect> {
  const [verb, ...rest] = operands;
  if (verb?.text !== "run") return;
  const plain = rest.findIndex(({ text }) => !text.startsWith("-"));
  const isModule = rest.slice(0, Math.max(plain, 0)).some(({ text }) => /^-[a-z]*m$/u.test(text));
  if (plain < 0) return;
  if (isModule) yield* runsLocal(rest.slice(plain), ".venv/bin");
  else yield* scriptOrInput(rest.slice(plain), "python");
}

/** Servers and job runners that can also discard data, or run code given as an argument. */
function* destroys({ name, operands, words }: Use): Iterable<Effect> {
  const verbs = operands.map(({ text }) => text);
  if (
    verbs.some((verb) => /^(?:purge|reset|resetdb|drop|drop-all|db-clean)$/u.test(verb)) &&
    /^(?:celery|airflow|flask|rq|prefect)$/u.test(name)
  )
    yield danger("high", "it deletes data");
  if (words.some(({ text }) => text === "--share" || text === "--server.address=0.0.0.0"))
    yield danger("high", "it opens a tunnel from the internet to this machine");
}

const djangoLoses = /^(?:flush|reset_db|sqlflush|reset_schema|delete_squashed_migrations|clean_database)$/u;

/** The verbs of Django's `manage.py`. */
export function* managesDjango(operands: Use["operands"]): Iterable<Effect> {
  const [verb, ...rest] = operands;
  if (verb && djangoLoses.test(verb.text)) yield danger("high", "it deletes data of a database");
  if (verb?.text !== "shell" && verb?.text !== "shell_plus") return;
  const at = rest.findIndex(({ text }) => text === "-c" || text === "--command");
  const inline = rest.find(({ text }) => text.startsWith("--command="));
  const code = at >= 0 ? rest[at + 1] : inline && withText(inline, inline.text.slice("--command=".length));
  if (code) yield interprets("python", code);
  else yield { type: "interprets-input", language: "python" };
}

function* rails({ operands, name }: Use): Iterable<Effect> {
  if (name !== "rails" && name !== "hanami") return;
  yield* losesData(operands);
  const [verb, code] = operands;
  if ((verb?.text === "runner" || verb?.text === "r") && code) {
    if (!isUnknown(code) && /^[\w./-]+\.rb$/u.test(code.text)) yield loads(code, "ruby");
    else yield interprets("ruby", code);
  }
  if (/^(?:console|c)$/u.test(verb?.text ?? "")) yield { type: "interprets-input", language: "ruby" };
  if (/^(?:destroy|d)$/u.test(verb?.text ?? ""))
    yield danger("medium", "it deletes files that it made before");
  if (/^(?:credentials|secrets|encrypted):(?:show|edit)/u.test(verb?.text ?? ""))
    yield danger("high", "it shows secrets");
}

function* goTools({ name, operands, words }: Use): Iterable<Effect> {
  if (
    (name === "goreleaser" || name === "ko") &&
    /^(?:release|publish|apply|resolve)?$/u.test(operands[0]?.text ?? "") &&
    !words.some(({ text }) => /^--(?:snapshot|skip|local|push=false)/u.test(text))
  )
    yield* operands.length > 0 || name === "goreleaser" ? publishes : [];
  if (name === "dlv" && operands[0]?.text === "exec") yield* operands.slice(1, 2).map((path) => loads(path));
  if (name === "air" || name === "gotestsum")
    for (const word of words)
      if (/^--(?:build\.cmd|post-run-command|raw-command)/u.test(word.text))
        yield danger("high", "an option of it runs a command");
}

/** Monitors a build: `scan-build make`, `bear -- make`. */
function* analyses({ name, operands }: Use): Iterable<Effect> {
  if ((name === "scan-build" || name === "bear") && operands.length > 0) yield runs(operands);
}

/** `--go_out=options:directory`. */
function* protocol({ options }: Use): Iterable<Effect> {
  for (const { name, value } of options)
    if (name === "plugin" && value?.text.includes("="))
      yield loads(withText(value, value.text.replace(/^[^=]*=/su, "")));
    else if (name.endsWith("_out") && value)
      yield { type: "writes", path: withText(value, value.text.replace(/^[^/]*:/su, "")), how: "creates" };
}
