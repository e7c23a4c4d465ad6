/** What a shell keeps from one command to the next: variables of all kinds, arguments, aliases, descriptors, files. */

import { type Maker, removal } from "./making.ts";

/** The words of a removal, each to be put where its shell finds it again. */
function removed(make: (words: { name: string; target: string; other: string }) => string): Maker {
  return (making) => {
    making.next += 1;
    const other = making.random.pick(["ls", "mv", "true", "git"]);
    return make({ name: "rm", target: String(making.next), other });
  };
}

export const remembering: readonly Maker[] = [
  removed(({ name, target }) => `declare -n r=v; v='${name} ${target}'; $r`),
  removed(({ name, target }) => `declare -n r=v; r='${name} ${target}'; $v`),
  removed(({ name, target, other }) => `v=${other}; f() { local -n w=$1; w=${name}; }; f v; $v ${target}`),
  removed(({ name, target, other }) => `v=${name}; f() { local v=${other}; }; f; $v ${target}`),
  removed(({ name, target, other }) => `f() { local v; v=${other}; }; v=${name}\nf\n$v ${target}`),
  removed(({ name, target }) => `f() { local -a w=(${name} ${target}); "\${w[@]}"; }; f`),
  removed(({ name, target, other }) => `readonly v=${name}\nv=${other}\n$v ${target}`),
  removed(({ name, target }) => `v[1]=${target}; v[0]=${name}; "\${v[@]}"`),
  removed(({ name, target, other }) => `v=(${other} ${target}); v[0]=${name}; "\${v[@]}"`),
  removed(({ name, target }) => `v=([1]=${target} [0]=${name}); \${v[*]}`),
  removed(({ name, target, other }) => `v=(${other} ${name} ${target}); "\${v[@]:1}"`),
  removed(({ name, target, other }) => `v=(${other} ${name} ${target}); unset 'v[0]'; "\${v[@]}"`),
  removed(({ name, target, other }) => `set -- ${other} ${name} ${target}; "\${@:2}"`),
  removed(({ name, target, other }) => `set -- ${other} ${name}; "\${@: -1}" ${target}`),
  removed(({ name, target, other }) => `set -- ${other}; set -e ${name} ${target}; "$@"`),
  removed(({ name, target, other }) => `set -- ${other} ${name} ${target}; shift; "$@"`),
  removed(({ name, target, other }) => `REPLY=${other}; read <<< '${name} ${target}'; $REPLY`),
  removed(({ name, target, other }) => `MAPFILE=${other}; mapfile -t <<< ${name}; $MAPFILE ${target}`),
  removed(({ name, target }) => `read -ra v <<< '${name} ${target}'; "\${v[@]}"`),
  removed(({ name, target }) => `read -r v w <<< '${name} ${target}'; $v $w`),
  removed(({ name, target }) => `IFS=: read -r v w <<< ${name}:${target}; $v $w`),
  removed(({ name, target }) => `mapfile -t v < <(printf '%s\\n' ${name} ${target}); "\${v[@]}"`),
  removed(({ name, target, other }) => `shopt -s expand_aliases; alias ${other}=${name}\n${other} ${target}`),
  removed(({ name, target }) => `echo '${name} ${target}' >s; echo true >>s; sh s`),
  removed(({ name, target }) => `echo '${name} ${target}' >s; sh -c "$(<s)"`),
  removed(({ name, target }) => `{ echo '${name} ${target}' >&3; } 3>s; sh s`),
  removed(({ name, target }) => `exec 3>s; echo '${name} ${target}' >&3; sh s`),
  removed(({ name, target }) => `exec 3<<< '${name} ${target}'; sh <&3`),
  removed(({ name, target }) => `sh /dev/fd/3 3<<< '${name} ${target}'`),
  removed(({ name, target }) => `echo '"$@"' >s; . ./s ${name} ${target}`),
  removed(({ name, target }) => `bash +c '${name} ${target}'`),
  (making) => `(exec <<< '${removal(making).replaceAll("'", "'\\''")}'; sh)`,
];
