import * as fc from "fast-check";
import { expect, test } from "vitest";
import { literal, unknown, type Word } from "../command-line/word.ts";
import { effectLines } from "../testing/effects.ts";
import { variableEffects } from "./variables.ts";

/** `NAME=value`; a `?` marks a part known only at run time. */
function tells(assignment: string): string[] {
  const at = assignment.indexOf("=");
  const value: Word = { ...literal(assignment.slice(at + 1).replaceAll("?", unknown)), mayBeSeveral: false };
  return effectLines(variableEffects({ name: assignment.slice(0, at), value })).map((words) => words.trim());
}

test.each([
  "LD_PRELOAD=/tmp/x.so",
  "LD_PRELOAD=./x.so",
  "LD_AUDIT=x",
  "DYLD_INSERT_LIBRARIES=x",
  "LD_LIBRARY_PATH=/tmp/x",
  "BASH_ENV=/tmp/x",
  "ENV=x",
  "PROMPT_COMMAND=id",
  "PS4=$(id)",
  "BASH_CMDS=./x",
  "BASH_ALIASES=id",
  "SHELLOPTS=xtrace",
  "BASH_FUNC_ls%%=() { id; }",
  "PATH=/tmp/x:?",
  "PATH=.:?",
  "PATH=./bin:?",
  "PATH=?/x:?",
  "PATH=:?",
  "PATH=/tmp/x",
  "PATH=/usr/../tmp:?",
  "NODE_OPTIONS=--require=/tmp/x.js",
  "NODE_OPTIONS=-r x",
  "NODE_OPTIONS=--no-warnings --import x",
  "NODE_OPTIONS=?",
  "PYTHONSTARTUP=x.py",
  "PYTHONHOME=/tmp/x",
  "PERL5OPT=-Mx",
  "PERL5DB=x",
  "RUBYOPT=-rx",
  "LUA_INIT=@x",
  "JAVA_TOOL_OPTIONS=-javaagent:x.jar",
  "_JAVA_OPTIONS=-XX:OnError=id",
  "GOFLAGS=-toolexec=x",
  "GOCACHEPROG=./x",
  "NIX_CONFIG=build-hook = ./x",
  "NIX_CONFIG=experimental-features = flakes\\npost-build-hook = ./x",
  "TAR_OPTIONS=-I x",
  "GIT_SSH_COMMAND=ssh -i key",
  "GIT_PAGER=sh -c id",
  "GIT_EDITOR=vim -c !id",
  "GIT_EXTERNAL_DIFF=x",
  "PAGER=?",
  "GIT_CONFIG_COUNT=1",
  "GIT_CONFIG_KEY_0=core.pager",
  "GIT_CONFIG_GLOBAL=x",
  "GIT_DIR=/tmp/x",
  "GIT_EXEC_PATH=x",
  "EDITOR=sh -c id",
  "BROWSER=./x",
  "LESSOPEN=|id %s",
  "LESS=+!id",
  "RSYNC_RSH=x",
  "SUDO_ASKPASS=x",
  "MANPAGER=x",
  "MAKEFLAGS=--eval=x",
  "RUSTFLAGS=-C linker=/tmp/x",
  "CFLAGS=-fplugin=x.so",
  "DOCKER_HOST=tcp://h:2375",
  "http_proxy=http://h.example",
  "HTTPS_PROXY=h.example:80",
  "SSL_CERT_FILE=x",
  "NODE_TLS_REJECT_UNAUTHORIZED=0",
  "npm_config_registry=https://h.example",
  "NPM_CONFIG_SCRIPT_SHELL=x",
  "npm_config_node_options=-r x",
  "PIP_INDEX_URL=https://h.example/simple",
  "GOPROXY=https://h.example,direct",
  "SHELL=/tmp/x",
])("a variable that runs code or redirects programs is high: %s", (assignment) => {
  expect(tells(assignment)).toContainEqual(expect.stringMatching(/^danger high its variable /u));
});

test.each([
  "NODE_ENV=test",
  "CI=1",
  "FORCE_COLOR=0",
  "DEBUG=*",
  "PORT=3000",
  "LANG=C",
  "RUST_LOG=debug",
  "ANYTHING=?",
  "IFS=,",
  "PATH=?:/tmp/x",
  "PATH=?",
  "PATH=/usr/local/go/bin:?",
  "PATH=/home/dev/.cargo/bin:?",
  "PATH=/usr/bin:/bin",
  "PATH=/home/dev/proj/node_modules/.bin:?",
  "PATH=./venv/bin:?",
  "PATH=/home/dev/go/bin:?",
  "NODE_OPTIONS=--max-old-space-size=4096",
  "NODE_OPTIONS=--max-old-space-size=?",
  "NODE_OPTIONS=",
  "GIT_PAGER=cat",
  "GIT_PAGER=",
  "PAGER=less -FRX",
  "EDITOR=true",
  "GIT_EDITOR=:",
  "VISUAL=code --wait",
  "BROWSER=none",
  "GIT_TERMINAL_PROMPT=0",
  "GIT_AUTHOR_NAME=x",
  "GIT_CONFIG_GLOBAL=/dev/null",
  "GIT_CONFIG_NOSYSTEM=1",
  "GIT_TRACE=1",
  "JAVA_TOOL_OPTIONS=-Xmx2g",
  "RUBYOPT=-W0",
  "PYTHONWARNINGS=ignore",
  "PYTHONBREAKPOINT=0",
  "GOFLAGS=-mod=mod",
  "NIX_CONFIG=experimental-features = nix-command flakes",
  "MAKEFLAGS=-j8",
  "MAKEFLAGS=-j ?",
  "CC=clang",
  "CXX=g++-12",
  "CC=ccache gcc",
  "CC=arm-none-eabi-gcc",
  "RUSTFLAGS=-C target-cpu=native",
  "RUSTFLAGS=-D warnings",
  "RUSTC_WRAPPER=sccache",
  "CFLAGS=-O2 -g",
  "HTTPS_PROXY=http://127.0.0.1:3128",
  "http_proxy=",
  "NO_PROXY=*",
  "NODE_TLS_REJECT_UNAUTHORIZED=1",
  "npm_config_loglevel=silent",
  "npm_config_registry=https://registry.npmjs.org/",
  "GOPROXY=direct",
  "PS4=+ ",
  "LD_LIBRARY_PATH=/usr/local/lib",
  "JAVA_HOME=/usr/lib/jvm/java-17",
  "SHELL=/bin/zsh",
  "AWS_PAGER=",
  "DYLD_PRINT_ENV=1",
])("a variable with a harmless value has no effect: %s", (assignment) => {
  expect(tells(assignment)).toEqual([]);
});

test.each([
  ["PYTHONPATH=src:?", ["loads src python"]],
  ["NODE_PATH=/tmp/x", ["loads /tmp/x javascript"]],
  ["CLASSPATH=a.jar:b.jar", ["loads a.jar other", "loads b.jar other"]],
  ["HOME=/tmp/x", ["loads /tmp/x other"]],
  ["KUBECONFIG=x", ["loads x other"]],
  ["CC=sh -c id", ["danger high its variable CC runs a command", "interprets shell sh -c id"]],
  ["GIT_TRACE=/tmp/log", ["writes /tmp/log appends"]],
  ["HISTFILE=/dev/null", []],
])("paths in variables are reported as loaded or used: %s", (assignment, effects) => {
  expect(tells(assignment)).toEqual(effects);
});

test("no variable throws, whatever its name and value", () => {
  const names = fc.constantFrom(
    "PATH",
    "NODE_OPTIONS",
    "PAGER",
    "CC",
    "LESS",
    "MAKEFLAGS",
    "HOME",
    "npm_config_",
    "X",
  );
  fc.assert(
    fc.property(names, fc.string(), fc.nat(3), (name, text, times) => {
      const value = literal(`${text} ${unknown}`.repeat(times * 1_000));
      return variableEffects({ name, value }).every(({ type }) => type !== "deletes");
    }),
  );
});
