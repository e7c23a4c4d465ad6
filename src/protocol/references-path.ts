/** The path under which undo knows the references of a repository (branches, tags, stashed work), as if it were a file. */

/** `directory`: of the working tree, relative to the workspace. Git has no file of this name. */
export const referencesIn = (directory: string): string => `${directory === "" ? "" : `${directory}/`}${own}`;
const own = ".git/references";

export const isReferencesPath = (path: string): boolean => path === own || path.endsWith(`/${own}`);
