/** The known language servers, one row each. */

import type { JsonObject } from "../../base/json.ts";

export type ServerRow = {
  name: string;
  /** File extensions, with the language id of the protocol. */
  files: Readonly<Record<string, string>>;
  /** Files that mark the directory to start a server for. */
  marks: readonly string[];
  /**
   * Which marked directory to use if several parents have a marker: "topmost" if one server covers everything below.
   */
  root: "nearest" | "topmost";
  /** The first one installed is used. */
  programs: readonly LanguageProgram[];
  /** How people can install it. */
  install: string;
  /** Project code that it would run, which requires a person's consent even in the sandbox. */
  runs?: string;
  /** Environment variables that disable downloads and writes elsewhere. */
  env?: Readonly<Record<string, string>>;
  /** The protocol's `initializationOptions`. */
  options?: JsonObject;
  /** The settings that take the place of a Python project's libraries. */
  libraries?: readonly string[];
  /** Further options in the sandbox, which has its own /tmp and is otherwise read-only. */
  contained?: JsonObject;
  /** Answers to its requests for configuration, by section. */
  settings?: JsonObject;
  /**
   * For servers that push nothing for a file that stays clean: a command that returns the findings of a file, once per
   * first argument in `each`, which confirms that the file was checked.
   */
  asks?: { command: string; each: readonly string[] };
  /** It finds uses of a name only in open documents. */
  knowsOnlyShown?: true;
  /** Its diagnostics carry the version of an open document: lists without one refer to the disk. */
  namesVersions?: true;
};

export type LanguageProgram = {
  /** The name of the executable. */
  name: string;
  parameters: readonly string[];
  /** The package, and its first major version, that supports these parameters. */
  since?: { package: string; major: number };
  /** It supports neither definitions, references nor renaming. */
  onlyProblems?: true;
  /** The option that receives the path of this package file, from the project or from beside the program. */
  with?: { file: string; option: readonly [string, string] };
};

export const serverRows: readonly ServerRow[] = [
  {
    name: "typescript",
    files: {
      ".ts": "typescript",
      ".mts": "typescript",
      ".cts": "typescript",
      ".tsx": "typescriptreact",
      ".js": "javascript",
      ".mjs": "javascript",
      ".cjs": "javascript",
      ".jsx": "javascriptreact",
    },
    marks: ["tsconfig.json", "jsconfig.json", "package.json"],
    root: "topmost",
    programs: [
      { name: "tsc", parameters: ["--lsp", "--stdio"], since: { package: "typescript", major: 7 } },
      {
        name: "typescript-language-server",
        parameters: ["--stdio"],
        with: { file: "typescript/lib/tsserver.js", option: ["tsserver", "path"] },
      },
    ],
    install: "npm install -g typescript@7 (or typescript-language-server with an older typescript)",
    options: {
      disableAutomaticTypingAcquisition: true,
      hostInfo: "toolwright",
      // Avoids a second process, which only serves highlighting while typing.
      tsserver: { useSyntaxServer: "never" },
    },
    // What the options say to tsserver, for `tsc`: it would have npm fetch types, and be busy until npm gives up.
    settings: {
      "js/ts": { tsserver: { automaticTypeAcquisition: { enabled: false } } },
      typescript: { disableAutomaticTypeAcquisition: true },
    },
    asks: {
      command: "typescript.tsserverRequest",
      each: ["syntacticDiagnosticsSync", "semanticDiagnosticsSync"],
    },
  },
  {
    name: "python",
    files: { ".py": "python", ".pyi": "python" },
    marks: ["pyrightconfig.json", "pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", "Pipfile"],
    root: "nearest",
    programs: [
      { name: "pyright-langserver", parameters: ["--stdio"] },
      { name: "basedpyright-langserver", parameters: ["--stdio"] },
      { name: "ty", parameters: ["server"] },
      { name: "pylsp", parameters: [] },
      { name: "ruff", parameters: ["server"], onlyProblems: true },
    ],
    install: "npm install -g pyright (or pip install basedpyright)",
    libraries: ["python", "basedpyright"],
    settings: {
      python: { analysis: { diagnosticMode: "openFilesOnly", autoSearchPaths: true } },
      basedpyright: { analysis: { diagnosticMode: "openFilesOnly", typeCheckingMode: "standard" } },
    },
  },
  {
    name: "go",
    files: { ".go": "go" },
    marks: ["go.work", "go.mod"],
    root: "topmost",
    programs: [{ name: "gopls", parameters: [] }],
    install: "go install golang.org/x/tools/gopls@latest",
    env: {
      GOTOOLCHAIN: "local",
      GOPROXY: "off",
      GOSUMDB: "off",
      GOPACKAGESDRIVER: "off",
      GOTELEMETRY: "off",
    },
    options: { ui: { semanticTokens: false } },
    namesVersions: true,
  },
  {
    name: "rust",
    files: { ".rs": "rust" },
    marks: ["Cargo.toml"],
    root: "topmost",
    programs: [{ name: "rust-analyzer", parameters: [] }],
    install: "rustup component add rust-analyzer",
    runs: "cargo and rustc, with the programs that the project's .cargo/config.toml and rust-toolchain.toml name, and its build scripts",
    env: { CARGO_NET_OFFLINE: "true" },
    options: {
      cargo: { buildScripts: { enable: false }, targetDir: true },
      procMacro: { enable: false },
      checkOnSave: true,
      check: { workspace: true },
      files: { watcher: "client" },
    },
    contained: { cargo: { targetDir: "/tmp/cargo-target" } },
  },
  {
    name: "c",
    files: {
      ".c": "c",
      ".h": "c",
      ".cc": "cpp",
      ".cpp": "cpp",
      ".cxx": "cpp",
      ".hh": "cpp",
      ".hpp": "cpp",
      ".hxx": "cpp",
    },
    marks: ["compile_commands.json", "compile_flags.txt", ".clangd"],
    root: "nearest",
    // Its project index would use all cores for minutes, and is written into the project.
    knowsOnlyShown: true,
    namesVersions: true,
    programs: [
      { name: "clangd", parameters: ["--background-index=false", "--log=error", "--pch-storage=memory"] },
    ],
    install: "your distribution's package “clangd”",
  },
];
