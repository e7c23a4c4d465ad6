/** Tables of environment variables that execute code, change which programs run, or redirect data. */

import { danger } from "./effect-makers.ts";
import type { Effect, Variable } from "./effect.ts";
import { namesIn } from "./listed.ts";
import {
  always,
  checksNothing,
  loaded,
  loadedAlways,
  type Meaning,
  programName,
  redirectsPackages,
  redirectsTraffic,
  searched,
  shellLine,
  toAnotherHost,
  unlessEmpty,
  unlessNull,
  when,
  withOption,
  written,
} from "./variable-meanings.ts";

const runsOther = "has other code, settings or certificates obeyed";

const nothing: Meaning = () => [];

const nodeOptions = withOption(
  /^(?:-r|--require|--import|--(?:experimental-)?loader|--env-file|--inspect|-e|--eval|-p|--print|--openssl-config)/u,
  "adds options that run or open something",
);

/** The dynamic loader obeys it in every program; system directories are searched anyway. */
const libraries: Meaning = (value, name) =>
  loaded("other")(value, name).length > 0
    ? [danger("high", `its variable ${name} has libraries come from elsewhere`)]
    : [];

const rows: readonly (readonly [string, Meaning])[] = [
  [
    `LD_PRELOAD LD_AUDIT DYLD_INSERT_LIBRARIES LD_PROFILE GCONV_PATH GTK_MODULES GTK_PATH GIO_MODULE_DIR QT_PLUGIN_PATH
      GST_PLUGIN_PATH OPENSSL_CONF OPENSSL_ENGINES OPENSSL_MODULES SHELLOPTS BASHOPTS BASH_ALIASES BASH_CMDS LUA_INIT
      VIMINIT EXINIT GVIMINIT TAR_OPTIONS GIT_CONFIG_GLOBAL GIT_CONFIG_SYSTEM GIT_CONFIG GIT_EXEC_PATH GIT_TEMPLATE_DIR
      GIT_DIR GIT_WORK_TREE GIT_COMMON_DIR GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_SSL_CAINFO
      GIT_SSL_CAPATH PYTHONHOME PYTHONEXECUTABLE PYTHONPLATLIBDIR PYTHONINSPECT PERL5DB PERL5SHELL ANSIBLE_LIBRARY
      ANSIBLE_ROLES_PATH ANSIBLE_COLLECTIONS_PATH ANSIBLE_COLLECTIONS_PATHS ANSIBLE_MODULE_UTILS ANSIBLE_ACTION_PLUGINS
      ANSIBLE_CALLBACK_PLUGINS ANSIBLE_CONNECTION_PLUGINS ANSIBLE_FILTER_PLUGINS ANSIBLE_LOOKUP_PLUGINS
      ANSIBLE_STRATEGY_PLUGINS DOTNET_STARTUP_HOOKS CORECLR_PROFILER_PATH COR_PROFILER_PATH PIP_CONFIG_FILE
      BUNDLE_CONFIG YARN_RC_FILENAME CARGO_CONFIG YARN_YARN_PATH GOINSECURE PIP_TRUSTED_HOST SSL_CERT_FILE SSL_CERT_DIR
      NODE_EXTRA_CA_CERTS REQUESTS_CA_BUNDLE CURL_CA_BUNDLE PIP_CERT`,
    unlessNull(loadedAlways("other", runsOther)),
  ],
  ["BASH_ENV ENV ZDOTDIR", unlessNull(loadedAlways("shell", runsOther))],
  ["PYTHONSTARTUP", unlessNull(loadedAlways("python", runsOther))],
  ["LD_LIBRARY_PATH DYLD_LIBRARY_PATH DYLD_FRAMEWORK_PATH DYLD_FALLBACK_LIBRARY_PATH", libraries],
  ["PATH", searched],
  [
    "SHELL",
    when(/^(?!(?:(?:\/usr)?(?:\/local)?\/bin\/)?(?:\w*sh)?$)/u, "names another program as the shell"),
  ],
  ["LD_DEBUG_OUTPUT HISTFILE", written],
  [
    `HOME XDG_CONFIG_HOME XDG_CONFIG_DIRS USERPROFILE KUBECONFIG AWS_CONFIG_FILE AWS_SHARED_CREDENTIALS_FILE
      DOCKER_CONFIG INPUTRC SCREENRC RIPGREP_CONFIG_PATH TF_CLI_CONFIG_FILE ANSIBLE_CONFIG PHPRC PHP_INI_SCAN_DIR WGETRC
      CURL_HOME PSQLRC SQLITERC MYSQL_HOME GNUPGHOME NETRC CLASSPATH LUA_PATH LUA_CPATH JULIA_LOAD_PATH R_PROFILE_USER
      R_PROFILE R_ENVIRON MAKEFILES VIM VIMRUNTIME TEXMFCNF VALGRIND_LIB CMAKE_TOOLCHAIN_FILE
      CMAKE_PROJECT_TOP_LEVEL_INCLUDES JAVA_HOME CARGO_HOME RUSTUP_HOME GOROOT GOTOOLDIR DOTNET_ROOT`,
    unlessNull(loaded("other")),
  ],
  ["NODE_PATH NODE_REPL_EXTERNAL_MODULE", loaded("javascript")],
  ["PYTHONPATH PYTHONUSERBASE", loaded("python")],
  ["PERL5LIB PERLLIB", loaded("perl")],
  ["RUBYLIB BUNDLE_GEMFILE", loaded("ruby")],
  [
    `PROMPT_COMMAND PAGER MANPAGER SYSTEMD_PAGER BAT_PAGER DELTA_PAGER AWS_PAGER GH_PAGER PSQL_PAGER GLAB_PAGER HGPAGER
      EDITOR VISUAL FCEDIT HGEDITOR SVN_EDITOR KUBE_EDITOR GH_EDITOR SUDO_EDITOR SYSTEMD_EDITOR PSQL_EDITOR BROWSER
      GH_BROWSER LESSOPEN LESSCLOSE MANOPT DIFFPROG FZF_DEFAULT_COMMAND SSH_ASKPASS SUDO_ASKPASS GIT_ASKPASS RSYNC_RSH
      RSYNC_CONNECT_PROG CVS_RSH SVN_SSH BORG_RSH HG_SSH GIT_PAGER GIT_EDITOR GIT_SEQUENCE_EDITOR GIT_SSH
      GIT_SSH_COMMAND GIT_EXTERNAL_DIFF GIT_PROXY_COMMAND`,
    shellLine,
  ],
  [
    `CC CXX CPP LD AR AS NM RANLIB STRIP OBJCOPY FC F77 RUSTC RUSTDOC RUSTC_WRAPPER RUSTC_WORKSPACE_WRAPPER
      CARGO_BUILD_RUSTC_WRAPPER CARGO_BUILD_RUSTC MAKE PKG_CONFIG PYTHON HOSTCC CMAKE_C_COMPILER_LAUNCHER
      CMAKE_CXX_COMPILER_LAUNCHER M4 AWK SED YACC LEX CARGO RUSTFMT ANSIBLE_PYTHON_INTERPRETER ANSIBLE_SSH_EXECUTABLE
      ANSIBLE_EXECUTABLE`,
    programName,
  ],
  ["PS0 PS1 PS2 PS4", when(/\$\(|`|\$\{/u, "runs a command whenever it is printed")],
  ["LESS", when(/\+[!|]|-[-\w]*k/u, "has the pager run a command")],
  ["FZF_DEFAULT_OPTS", when(/--(?:preview|bind|execute)/u, "runs a command")],
  ["GIT_CONFIG_NOSYSTEM GIT_TRACE_REDACT", nothing],
  ["GIT_ALLOW_PROTOCOL", when(/ext/u, "has git run a command to reach a host")],
  ["GIT_SSL_NO_VERIFY", unlessEmpty(when(/^(?!0$|false$)/u, "has it trust any host"))],
  ["NODE_OPTIONS", nodeOptions],
  [
    "PYTHONBREAKPOINT",
    when(/^(?!0?$|(?:i?pu?db|pdb|IPython)(?:\.|$))/u, "has Python call a function of anybody's"),
  ],
  ["PYTHONWARNINGS", when(/:[^:,]*:[^:,]*\./u, "has Python load a module")],
  ["PERL5OPT", when(/-[A-Za-z]*[MmIdCexs]/u, "has Perl run code first")],
  ["RUBYOPT", withOption(/^-(?:r|I|e|x|S|C)/u, "has Ruby load code first")],
  [
    "JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS JAVA_OPTS MAVEN_OPTS GRADLE_OPTS SBT_OPTS JVM_OPTS",
    withOption(
      /^(?:-javaagent|-agent(?:lib|path)|-XX:(?:OnError|OnOutOfMemoryError|Flags|VMOptionsFile)|-Xbootclasspath|-Xrun|@)/u,
      "has Java load code first",
    ),
  ],
  [
    "ERL_FLAGS ERL_AFLAGS ERL_ZFLAGS ELIXIR_ERL_OPTIONS",
    withOption(/^-(?:eval|run|s|pa|pz|config|args_file|boot)$/u, "has Erlang run code first"),
  ],
  ["OCAMLPARAM", when(/\bppx?=/u, "has the compiler run a program")],
  ["VALGRIND_OPTS", withOption(/^--tool=.*\//u, "loads a program by its path")],
  [
    "RUSTFLAGS CARGO_BUILD_RUSTFLAGS CARGO_ENCODED_RUSTFLAGS RUSTDOCFLAGS",
    when(
      /linker\s*=(?!\s*(?:clang|gcc|cc|ld|lld|ld\.lld|mold|rust-lld)\b)/u,
      "has a program of anybody's link the code",
    ),
  ],
  [
    "GOFLAGS",
    withOption(/^-?-(?:toolexec|exec|overlay|modfile)/u, "has a program of anybody's take part in the build"),
  ],
  [
    "CFLAGS CXXFLAGS CPPFLAGS LDFLAGS CGO_CFLAGS CGO_LDFLAGS",
    withOption(/^-(?:fplugin|wrapper|specs|B)/u, "has the compiler load code"),
  ],
  [
    "MAKEFLAGS GNUMAKEFLAGS MFLAGS",
    withOption(
      /^(?!-{0,2}(?:[bikmnrstwBkS]*(?:j\d*)?|jobs(?:=\d+)?|l\d*|no-print-directory|silent|output-sync(?:=\w+)?|Otarget|O|\d+)$)/u,
      "adds options, which may run a command",
    ),
  ],
  [
    "DOCKER_HOST DOCKER_CONTEXT CONTAINER_HOST",
    toAnotherHost("has another machine's engine do it", /^(?:default|unix:\/\/.*)$/u),
  ],
  [
    `PIP_INDEX_URL PIP_EXTRA_INDEX_URL UV_INDEX_URL UV_DEFAULT_INDEX UV_EXTRA_INDEX_URL UV_INDEX GOPROXY
      COREPACK_NPM_REGISTRY YARN_NPM_REGISTRY_SERVER YARN_REGISTRY BUN_CONFIG_REGISTRY PIP_FIND_LINKS`,
    redirectsPackages,
  ],
  [
    `http_proxy https_proxy ftp_proxy all_proxy HTTP_PROXY HTTPS_PROXY FTP_PROXY ALL_PROXY AWS_ENDPOINT_URL`,
    redirectsTraffic,
  ],
  ["NODE_TLS_REJECT_UNAUTHORIZED PYTHONHTTPSVERIFY GOSUMDB", checksNothing],
];

/** Variables recognised by part of their name. */
const families: readonly (readonly [RegExp, Meaning])[] = [
  [/^BASH_FUNC_/u, always("puts a function in the place of a command")],
  [/^GIT_CONFIG_/u, always("changes git's settings, which may run code")],
  [/^GIT_TRACE/u, written],
  [/^DYLD_(?!PRINT_)/u, always(runsOther)],
  [/^CARGO_TARGET_.*_(?:RUNNER|LINKER)$/u, programName],
  [/^(?:CARGO_(?:REGISTRIES|SOURCE)_.*_(?:INDEX|REGISTRY)$|BUNDLE_MIRROR__)/u, redirectsPackages],
  [/^AWS_ENDPOINT_URL_/u, redirectsTraffic],
];

/** npm settings, which npm also accepts as environment variables, in upper or lower case. */
const npmSettings: readonly (readonly [string, Meaning])[] = [
  ["registry", redirectsPackages],
  ["proxy https_proxy http_proxy", redirectsTraffic],
  ["strict_ssl", checksNothing],
  ["script_shell shell git node_gyp onload_script init_module prefix", always(runsOther)],
  ["cafile ca userconfig globalconfig", unlessNull(loadedAlways("other", runsOther))],
  ["editor viewer browser", shellLine],
  ["python", programName],
  ["node_options", nodeOptions],
];

const byName = (lines: readonly (readonly [string, Meaning])[]): ReadonlyMap<string, Meaning> =>
  new Map(lines.flatMap(([names, meaning]) => namesIn(names).map((name) => [name, meaning] as const)));

const meanings = byName(rows);
const npmMeanings = byName(npmSettings);

/** The effects of setting a variable for a program. A variable not in the tables has none. */
export function variableEffects({ name, value }: Variable): Effect[] {
  const setting = /^npm_config_(.+)$/iu.exec(name)?.[1]?.toLowerCase().replaceAll("-", "_");
  const meaning =
    setting === undefined
      ? (meanings.get(name) ?? families.find(([form]) => form.test(name))?.[1])
      : npmMeanings.get(setting);
  return meaning ? meaning(value, name) : [];
}
