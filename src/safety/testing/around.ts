/** The home directory and workspace in which tests judge commands. */

export const around = { home: "/home/dev", workspace: "/home/dev/proj", directory: "/home/dev/proj" };
