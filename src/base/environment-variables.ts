/** The type of a program's environment, as `process.env` holds it. */

export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;
