/// Calls that may come faster than they can be served.

/** Calls `work` at once, and again at the end of each `wait` milliseconds in which there were more calls. */
export const atMost = (wait: number, work: () => void): () => void => {
  let timer = 0;
  let isAsked = false;
  const run = (): void => {
    isAsked = false;
    work();
    timer = window.setTimeout(() => {
      timer = 0;
      if (isAsked) run();
    }, wait);
  };
  return () => {
    isAsked = true;
    if (!timer) run();
  };
};
