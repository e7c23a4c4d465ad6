/** What the oldest supported VS Code lacks on a remote machine (Node 20) and our client uses. */

if (!("withResolvers" in Promise)) Object.defineProperty(Promise, "withResolvers", { value: withResolvers });

function withResolvers(): object {
  const made = {};
  const promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }));
  return Object.assign(made, { promise });
}
