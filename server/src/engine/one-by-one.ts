/** Runs one task at a time, in the order in which they come. One that fails stops none after it. */
export function createOneByOne() {
  let last: Promise<unknown> = Promise.resolve();
  return <Result>(task: () => Promise<Result>): Promise<Result> => {
    const done = last.then(task);
    last = done.catch(() => {});
    return done;
  };
}
