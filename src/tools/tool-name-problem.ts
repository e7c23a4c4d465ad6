/** Which names of tools all providers accept. */

const takenName = /^[A-Za-z_][\w-]{0,63}$/u;

/** Why providers would refuse the name. */
export const nameProblem = (name: string): string | undefined =>
  takenName.test(name)
    ? undefined
    : `The name ${JSON.stringify(name)} is refused by providers: letters, digits, "_" and "-", at most 64.`;
