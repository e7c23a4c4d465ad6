/** The part of picomatch that is used here; the package has no types of its own. */
declare module "picomatch" {
  type Options = { dot?: boolean; nocase?: boolean; noextglob?: boolean };
  export default function picomatch(
    glob: string | readonly string[],
    options?: Options,
  ): (path: string) => boolean;
}
