/** Runs an action once, after some real time; @returns a function that cancels it */
export type StartTimer = (milliseconds: number, action: () => void) => () => void

/** A timer of Node that does not prevent the process from exiting. */
export const startTimer: StartTimer = (milliseconds, action) => {
  const timer = setTimeout(action, milliseconds).unref()
  return () => clearTimeout(timer)
}
