/** Runs work whenever some may be pending. */
export interface Worker {
  /** Runs now rather than at the next poll. */
  wake(): void
  /** Runs now, and resolves when nothing is running any more. */
  finish(): Promise<void>
  /** Lets the running work finish. */
  stop(): Promise<void>
}

/**
 * Runs `work` when it is woken, and at every poll in case a notice was lost. It never runs twice at a time in this process.
 *
 * @param work resolves to whether there may be more to do now
 */
export function startWorker(
  work: () => Promise<boolean>,
  options: { pollMilliseconds: number; onError: (error: unknown) => void },
): Worker {
  let stopped = false
  let running: Promise<void> | undefined
  let wokenAgain = false

  const run = async () => {
    do {
      wokenAgain = false
      try {
        if (await work()) wokenAgain = true
      } catch (error) {
        options.onError(error)
        break
      }
    } while (wokenAgain && !stopped)
    running = undefined
  }
  const wake = () => {
    if (stopped) return
    if (running) wokenAgain = true
    else running = run()
  }

  const timer = setInterval(wake, options.pollMilliseconds)
  timer.unref()
  wake()
  return {
    wake,
    async finish() {
      wake()
      while (running) await running
    },
    async stop() {
      stopped = true
      clearInterval(timer)
      await running
    },
  }
}
