/** A variable of OpenTelemetry that holds a number; an unusable value counts as unset, as the standard requires. */
export function numberOf(value: string | undefined, otherwise: number, least = 0): number {
  const number = Number(value?.trim() || Number.NaN)
  return Number.isFinite(number) && number >= least && number <= timerMax ? number : otherwise
}

/** The longest delay of Node's timers. */
const timerMax = 2 ** 31 - 1
