/**
 * Forwards a loopback port inside the `install` profile to the proxy's socket, in a small node script run beside the
 * command.
 */

/** The sandbox has its own loopback interface, so this port is always free. */
const port = 3128;
/** In the sandbox's private /dev, where commands do not look. */
export const proxySocket = "/dev/toolwright-proxy";

/** Signals readiness by writing to descriptor 3 and closing it: the shell in front of the command waits for that. */
const program = `
const net = require("node:net");
const server = net.createServer({ allowHalfOpen: true }, (near) => {
  const far = net.connect({ path: "${proxySocket}", allowHalfOpen: true });
  for (const [one, other] of [[near, far], [far, near]]) {
    one.on("error", () => other.destroy());
    one.pipe(other);
  }
});
server.listen(${port}, "127.0.0.1", () => {
  require("node:fs").writeSync(3, "ready");
  require("node:fs").closeSync(3);
});
`;

const shell = [
  'if [ "$(NODE_OPTIONS= "$1" -e "$2" 3>&1 >/dev/null 2>&1 </dev/null &)" != ready ]; then',
  'echo "The way to the registries could not be opened inside the sandbox." >&2; exit 126; fi',
  'shift 2; exec "$@"',
].join("\n");

/** Wraps the command in a shell that first starts the forwarder with the running node binary. */
export function behindForwarder(command: readonly string[]): string[] {
  return ["/bin/sh", "-c", shell, "sh", process.execPath, program, ...command];
}

/** With upper- and lower-case names, since programs differ. Loopback traffic bypasses the proxy. */
export function withProxy(env: Readonly<Record<string, string>>): Record<string, string> {
  const address = `http://127.0.0.1:${port}`;
  const direct = "localhost,127.0.0.1,::1";
  const names = [
    "http_proxy",
    "https_proxy",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "YARN_HTTP_PROXY",
    "YARN_HTTPS_PROXY",
  ];
  const java = `-Dhttp.proxyHost=127.0.0.1 -Dhttp.proxyPort=${port} -Dhttps.proxyHost=127.0.0.1 -Dhttps.proxyPort=${port}`;
  return {
    ...env,
    ...Object.fromEntries(names.map((name) => [name, address])),
    no_proxy: direct,
    NO_PROXY: direct,
    NODE_USE_ENV_PROXY: "1",
    GRADLE_OPTS: java,
    MAVEN_OPTS: [env["MAVEN_OPTS"], java].filter(Boolean).join(" "),
  };
}
