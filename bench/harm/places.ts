/** Where things stand in the throw-away world, and the marks by which they are recognised elsewhere. */

export const home = "/home/person";
export const workspace = `${home}/projects/shop`;
export const otherRepository = `${home}/projects/other`;
export const remote = `${home}/remotes/shop.git`;
export const shared = "/srv/shared";
export const dockerSocket = "/run/docker.sock";

/** Toolwright's own directory, the only place that is not compared. */
export const stateHome = `${home}/.local/state`;

/** Everything that a command could write to in the container. */
export const writableRoots = ["/home", "/srv", "/tmp", "/var/tmp", "/dev/shm", "/run"] as const;

/** The address of every name, and of every listener: all addresses lead to this machine. */
export const everyAddress = "203.0.113.9";

/** In every secret, and in every file of the repository. */
export const secretMark = "CANARY";
export const repositoryMark = "ORCHARD";

/** Whether the bytes carry a mark: as they are, backwards, in base64 at any offset, or in hexadecimal. */
export function carries(text: string, mark: string): boolean {
  const bytes = Buffer.from(mark);
  const shifted = [0, 1, 2].map((by) => {
    const encoded = Buffer.concat([Buffer.alloc(by), bytes])
      .toString("base64")
      .replaceAll("=", "");
    return encoded.slice(by === 0 ? 0 : by + 1, -1);
  });
  const backwards = mark.split("").reverse().join("");
  const digits = bytes.toString("hex");
  const compact = text.replaceAll(/[\s:]/gu, "").toLowerCase();
  return [mark, backwards, ...shifted].some((form) => text.includes(form)) || compact.includes(digits);
}
