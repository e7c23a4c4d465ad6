/** The language servers that Toolwright knows, a row each. */

import type { JsonObject } from "../../base/json.ts";

export type ServerRow = {
  name: string;
  /** Endings of files, with what the protocol calls their language. */
  files: Readonly<Record<string, string>>;
  /** Files that mark the directory which a server is started for. */
  marks: readonly string[];
  /** Which of several marked directories above a file it is: a server of one that looks into all below is enough. */
  root: "nearest" | "topmost";
  /** The first that is found is used. */
  programs: readonly Program[];
  /** What people can do to have one. */
  install: string;
  /** What of a project it would run: then a person has to agree, whatever the sandbox. */
  runs?: string;
  /** In its environment: what it would fetch or write elsewhere is switched off. */
  env?: Readonly<Record<string, string>>;
  /** The protocol's `initializationOptions`. */
  options?: JsonObject;
  /** Environments of a project whose libraries it is told of, in these of its settings. */
  libraries?: { environments: readonly string[]; below: string; settings: readonly string[] };
  /** Further options where it runs in the sandbox, which has a /tmp of its own and lets nothing else be written. */
  contained?: JsonObject;
  /** What it is answered when it asks for its settings, by section. */
  settings?: JsonObject;
  /**
   * It sends no list for a file that had no problems and has none: a command of its own, with each of these as its
   * first argument, answers what it finds in a file, and so that it has looked.
   */
  asks?: { command: string; each: readonly string[] };
  /** It says where a name is used only in files that it was told the content of. */
  knowsOnlyShown?: true;
  /** It says of which version of an open file its problems are: a list without one is of the file on the disk. */
  namesVersions?: true;
};

export type Program = {
  /** Of the file that is started. */
  name: string;
  parameters: readonly string[];
  /** The package whose version decides whether it can do that, and the first that can. */
  since?: { package: string; major: number };
  /** It knows no definitions, references and new names. */
  onlyProblems?: true;
  /** It is given the path of this file of the project's packages, or of those beside it, by this option. */
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
      // A second process, for colours while one types.
      tsserver: { useSyntaxServer: "never" },
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
    libraries: {
      environments: [".venv", "venv"],
      below: "site-packages",
      settings: ["python", "basedpyright"],
    },
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
    // Its index of whole projects takes all cores for minutes, and is written into them.
    knowsOnlyShown: true,
    namesVersions: true,
    programs: [
      { name: "clangd", parameters: ["--background-index=false", "--log=error", "--pch-storage=memory"] },
    ],
    install: "your distribution's package “clangd”",
  },
];
