/** What the oldest supported VS Code lacks on a remote machine (Node 20) and our client uses. */

Promise.withResolvers ??= function withResolvers<T>(): PromiseWithResolvers<T> {
  const made: Partial<PromiseWithResolvers<T>> = {};
  made.promise = new Promise<T>((resolve, reject) => {
    made.resolve = resolve;
    made.reject = reject;
  });
  return whole(made);
};

function whole<T>({ promise, resolve, reject }: Partial<PromiseWithResolvers<T>>): PromiseWithResolvers<T> {
  if (promise && resolve && reject) return { promise, resolve, reject };
  throw new TypeError("A promise runs its executor at once.");
}
