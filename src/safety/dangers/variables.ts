/** Environment variables that run code, change which programs run, or redirect data: their names, and what they mean. */

import { isLiteral, unknown, type Word, withText } from "../command-line/word.ts";
import { danger, interprets, loads } from "./effect-makers.ts";
import type { Effect, Language, Variable } from "./effect.ts";
import { isThisMachine, namesIn, wordsIn } from "./parts.ts";

type VariableMeaning = (value: Word, name: string) => Effect[];

/** The first row with the name counts; `*` stands for any letters. Names of npm's settings are in lower case. */
const rows: readonly (readonly [string, VariableMeaning])[] = [
  ["GIT_CONFIG_NOSYSTEM GIT_TRACE_REDACT", () => []],
  [
    `BASH_FUNC_* GIT_CONFIG_COUNT GIT_CONFIG_KEY_* GIT_CONFIG_VALUE_* GIT_CONFIG_PARAMETERS npm_config_script_shell
      npm_config_shell npm_config_git npm_config_node_gyp npm_config_onload_script npm_config_prefix`,
    always,
  ],
  [
    `LD_PRELOAD LD_AUDIT LD_PROFILE LD_LIBRARY_PATH DYLD_INSERT_LIBRARIES DYLD_*_PATH GCONV_PATH GTK_MODULES GTK_PATH
      GIO_MODULE_DIR QT_PLUGIN_PATH GST_PLUGIN_PATH OPENSSL_* SHELLOPTS BASHOPTS BASH_ALIASES BASH_CMDS LUA_INIT VIMINIT
      EXINIT GVIMINIT TAR_OPTIONS GIT_CONFIG* GIT_EXEC_PATH GIT_TEMPLATE_DIR GIT_DIR GIT_WORK_TREE GIT_COMMON_DIR
      GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES PYTHONHOME PYTHONEXECUTABLE PYTHONPLATLIBDIR PYTHONINSPECT
      PERL5DB PERL5SHELL ANSIBLE_LIBRARY ANSIBLE_*_PATH ANSIBLE_*_PATHS ANSIBLE_MODULE_UTILS ANSIBLE_*_PLUGINS
      DOTNET_STARTUP_HOOKS COR*_PROFILER_PATH PIP_CONFIG_FILE BUNDLE_CONFIG YARN_RC_FILENAME YARN_YARN_PATH CARGO_CONFIG
      GOINSECURE PIP_TRUSTED_HOST PIP_CERT *CA_BUNDLE *_CA_CERTS SSL_CERT_* GIT_SSL_CA* npm_config_ca*
      npm_config_userconfig npm_config_globalconfig`,
    obeysFrom("other"),
  ],
  ["BASH_ENV ENV ZDOTDIR", obeysFrom("shell")],
  ["PYTHONSTARTUP", obeysFrom("python")],
  ["PATH", searchesIn],
  ["SHELL", when(/^(?!(?:(?:\/usr)?(?:\/local)?\/bin\/)?(?:\w*sh)?$)/u)],
  ["LD_DEBUG_OUTPUT *HISTFILE *_HISTORY GIT_TRACE* GIT_INDEX_FILE SSLKEYLOGFILE LLVM_PROFILE_FILE", writesTo],
  [
    `HOME XDG_CONFIG_* USERPROFILE KUBECONFIG AWS_CONFIG_FILE AWS_SHARED_CREDENTIALS_FILE DOCKER_CONFIG INPUTRC SCREENRC
      *RIPGREP_CONFIG_PATH TF_CLI_CONFIG_FILE ANSIBLE_CONFIG PHPRC PHP_INI_SCAN_DIR WGETRC CURL_HOME PSQLRC SQLITERC
      MYSQL_HOME GNUPGHOME NETRC CLASSPATH LUA_PATH LUA_CPATH JULIA_LOAD_PATH R_PROFILE* R_ENVIRON MAKEFILES VIM
      VIMRUNTIME TEXMFCNF VALGRIND_LIB CMAKE_TOOLCHAIN_FILE CMAKE_PROJECT_* JAVA_HOME CARGO_HOME RUSTUP_HOME GOROOT
      GOTOOLDIR DOTNET_ROOT GRADLE_USER_HOME M2_HOME MAVEN_HOME COMPOSER_HOME BAT_CONFIG_PATH COVERAGE_PROCESS_START
      GCC_EXEC_PREFIX COMPILER_PATH RUSTUP_TOOLCHAIN CONFIG_SHELL PARALLEL_SHELL PIP_PYTHON UV_PYTHON`,
    loadsFrom("other"),
  ],
  ["NODE_PATH NODE_REPL_EXTERNAL_MODULE", loadsFrom("javascript")],
  ["PYTHONPATH PYTHONUSERBASE", loadsFrom("python")],
  ["PERL5LIB PERLLIB", loadsFrom("perl")],
  ["RUBYLIB BUNDLE_GEMFILE", loadsFrom("ruby")],
  [
    `PROMPT_COMMAND *PAGER *EDITOR VISUAL FCEDIT *BROWSER LESSOPEN LESSCLOSE MANOPT DIFFPROG FZF_DEFAULT_COMMAND
      *_ASKPASS *_RSH RSYNC_CONNECT_PROG GOCACHEPROG *_SSH GIT_SSH_COMMAND GIT_EXTERNAL_DIFF GIT_PROXY_COMMAND npm_config_editor
      npm_config_viewer npm_config_browser npm_config_python CC CXX CPP LD AR AS NM RANLIB STRIP OBJCOPY FC F77 RUSTC
      RUSTDOC RUSTC_* CARGO_BUILD_RUSTC* CARGO_TARGET_*_RUNNER CARGO_TARGET_*_LINKER MAKE PKG_CONFIG PYTHON HOSTCC
      CMAKE_*_COMPILER* M4 AWK SED YACC LEX CARGO RUSTFMT ANSIBLE_*INTERPRETER ANSIBLE_*EXECUTABLE`,
    line,
  ],
  ["PS0 PS1 PS2 PS4", when(/\$\(|`|\$\{/u)],
  ["NIX_CONFIG", when(/^(?!(?:(?:extra-)?experimental-features|=|nix-command|flakes)$)/u)],
  ["LESS", when(/\+[!|]|-[-\w]*k/u)],
  ["FZF_DEFAULT_OPTS", when(/--(?:preview|bind|execute)/u)],
  ["GIT_ALLOW_PROTOCOL", when(/ext/u)],
  ["GIT_SSL_NO_VERIFY", when(/^(?!0$|false$)/u)],
  ["PYTHONBREAKPOINT", when(/^(?!0?$|(?:i?pu?db|pdb|IPython)(?:\.|$))/u)],
  ["PYTHONWARNINGS", when(/:[^:,]*:[^:,]*\./u)],
  [
    `NODE_OPTIONS npm_config_node_options PERL5OPT RUBYOPT ERL_*FLAGS ELIXIR_ERL_OPTIONS *JAVA_TOOL_OPTIONS
      _JAVA_OPTIONS JDK_JAVA_OPTIONS JAVA_OPTS MAVEN_OPTS GRADLE_OPTS SBT_OPTS JVM_OPTS`,
    when(
      /^(?:-[a-zTUW]*[rpeIMmdCxsS]|--(?:require|import|(?:experimental-)?loader|env-file|inspect|eval|print|openssl-config)|-(?:javaagent|agent(?:lib|path)|XX:(?:On\w*Error|Flags|VMOptionsFile)|Xbootclasspath|Xrun|config|boot)|@)/u,
    ),
  ],
  [
    "*RUSTFLAGS RUSTDOCFLAGS GOFLAGS *CFLAGS *CXXFLAGS *CPPFLAGS *LDFLAGS OCAMLPARAM VALGRIND_OPTS",
    when(
      /(?:linker|extld)\s*=(?!\s*(?:clang|gcc|cc|ld|lld|ld\.lld|mold|rust-lld)\b)|^-?-(?:toolexec|exec|overlay|modfile|fplugin|wrapper|specs|B|tool=.*\/)|\bppx?=/u,
    ),
  ],
  [
    "*MAKEFLAGS MFLAGS",
    when(
      /^(?!-{0,2}(?:[bikmnrstwBkS]*(?:j\d*)?|jobs(?:=\d+)?|l\d*|no-print-directory|silent|output-sync(?:=\w+)?|Otarget|O|\d+)$)/u,
    ),
  ],
  [
    `DOCKER_HOST DOCKER_CONTEXT CONTAINER_HOST PIP_*INDEX_URL UV_*INDEX UV_*INDEX_URL GOPROXY COREPACK_NPM_REGISTRY
      YARN_*REGISTRY* BUN_CONFIG_REGISTRY PIP_FIND_LINKS CARGO_REGISTRIES_*_INDEX CARGO_SOURCE_*_REGISTRY BUNDLE_MIRROR__*
      npm_config_registry http_proxy https_proxy ftp_proxy all_proxy HTTP_PROXY HTTPS_PROXY FTP_PROXY ALL_PROXY
      AWS_ENDPOINT_URL* npm_config_*proxy`,
    toAnotherHost,
  ],
  [
    "NODE_TLS_REJECT_UNAUTHORIZED PYTHONHTTPSVERIFY GOSUMDB npm_config_strict_ssl",
    when(/^(?:0|false|no|off)$/iu),
  ],
];

const meanings = rows.map(
  ([names, meaning]) =>
    [new RegExp(`^(?:${namesIn(names).join("|").replaceAll("*", ".*")})$`, "u"), meaning] as const,
);

/** The effects of setting a variable for a program. A variable not in the tables has none. */
export function variableEffects({ name, value }: Variable): Effect[] {
  const isOfNpm = /^npm_config_/iu.test(name);
  const called = isOfNpm ? name.toLowerCase().replaceAll("-", "_") : name;
  return meanings.find(([names]) => names.test(called))?.[1](value, name) ?? [];
}

/** Dangerous whatever its value. */
function always(_: Word, name: string): Effect[] {
  return [danger("high", `its variable ${name} has other code, settings or hosts obeyed`)];
}

/** Dangerous if one of the value's words matches, or if all of the value is only known at run time. */
function when(form: RegExp): VariableMeaning {
  return (value, name) =>
    isOpaque(value) ||
    wordsIn(value).some(({ text }) => form.test(text.replace(/^["']/u, "").replaceAll(unknown, "1")))
      ? always(value, name)
      : [];
}

/** Entirely unknown, or derived from untrusted data: `$options` is, `-j$(nproc)` is not. */
const isOpaque = ({ text, carries }: Word): boolean => text === unknown || carries.size > 0;

/** Common pagers, editors and browsers, with options that run nothing. */
const viewer =
  /^(?:(?:\/usr)?\/bin\/)?(?:cat|less|more|most|bat|batcat|delta|head|tail|true|false|:|echo|vi|vim|nvim|view|nano|pico|micro|emacs|code|subl|ed|gedit|kate|hx|none|firefox|chromium|google-chrome|safari|open|xdg-open|wslview)(?:\s+(?!-(?:c|S|u|-cmd|-eval|-execute|-pager)\b)--?[\w=-]+)*$/u;
/** Compilers and related tools, including cross-compilers: `arm-none-eabi-gcc-12`, `ccache gcc -O2`. */
const compiler =
  /^(?:[\w.+]+-)*(?:gcc|g\+\+|clang|clang\+\+|cc|c\+\+|cpp|ld|lld|mold|ar|as|nm|ranlib|strip|objcopy|rustc|rustdoc|rustfmt|cargo|s?ccache|tcc|icx?c|icpx|nvcc|emcc|em\+\+|gfortran|g?make|pkg-?conf(?:ig)?|[gmn]?awk|sed|yacc|bison|flex|lex|m4|python)(?:-?[\d.]+)?$|^-(?!wrapper|fplugin|B|specs)[\w=+.,-]*$/u;

/** The value is a command line, or a program with its first arguments. */
function line(value: Word, name: string): Effect[] {
  const isPlain =
    isLiteral(value) &&
    (viewer.test(value.text.trim()) || wordsIn(value).every(({ text }) => compiler.test(text)));
  return isPlain ? [] : [danger("high", `its variable ${name} runs a command`), interprets("shell", value)];
}

/** Directories that only the system administrator can change. */
const isOfSystem = ({ text }: Word): boolean =>
  /^\/(?:usr|bin|sbin|lib\d*|opt|snap|nix|etc|Library|Applications|System)(?:\/|$)/u.test(text) &&
  !/(?:^|\/)\.\.(?:\/|$)|\0/u.test(text);

const isNothing = ({ text }: Word): boolean => text === "" || text === "/dev/null";

/** Colon-separated files or directories whose code is loaded. Entries kept from the previous value are skipped. */
function loadsFrom(language: Language): VariableMeaning {
  return (value) => {
    const entries = value.text.split(":").filter((entry) => entry !== "");
    return entries
      .filter((entry) => entries.length === 1 || entry !== unknown)
      .map((entry) => withText(value, entry))
      .filter((entry) => !isOfSystem(entry) && !isNothing(entry))
      .map((entry) => loads(entry, language));
  };
}

/** A file or directory that is obeyed from the start. */
function obeysFrom(language: Language): VariableMeaning {
  return (value, name) => {
    const files = loadsFrom(language)(value, name);
    const isLibrary = name.endsWith("_PATH") && files.length === 0;
    return isNothing(value) || isLibrary ? [] : [...always(value, name), ...files];
  };
}

/** A file that the program writes, if the value is a path. */
function writesTo(value: Word): Effect[] {
  const isPath = /^[/~.\0]/u.test(value.text) && !isNothing(value);
  return isPath ? [{ type: "writes", path: value, how: "appends" }] : [];
}

const usualHost =
  /^(?:(?:https:\/\/(?:registry\.(?:npmjs\.org|yarnpkg\.com)|pypi\.org\/simple|proxy\.golang\.org|index\.crates\.io|rubygems\.org)\/?|direct|off|,)*|default|unix:\/\/.*)$/u;

function toAnotherHost(value: Word, name: string): Effect[] {
  return usualHost.test(value.text) || isThisMachine(value) ? [] : always(value, name);
}

/** PATH: checks the directories placed in front of the previous value. */
function searchesIn(value: Word, name: string): Effect[] {
  const entries = value.text.split(":");
  const before = entries.includes(unknown) ? entries.slice(0, entries.lastIndexOf(unknown)) : entries;
  return before.every((entry) => isUsualForPrograms(withText(value, entry)))
    ? []
    : [danger("high", `its variable ${name} has programs come from another directory`)];
}

const usualPrograms =
  /(?:^|\/)(?:node_modules\/\.bin|\.?v?env\/bin|vendor\/bin)\/?$|^(?:\/home\/[^/]+|\/Users\/[^/]+|\/root|~)\/(?:\.[\w-]+\/(?:[\w.@+-]+\/)*|go\/|)(?:s?bin|shims)\/?$/u;

const isUsualForPrograms = (entry: Word): boolean =>
  isOfSystem(entry) || (usualPrograms.test(entry.text) && !/(?:^|\/)\.\.\//u.test(entry.text));
