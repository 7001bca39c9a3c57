/** A variable of OpenTelemetry that holds a number; what cannot be used is taken for unset, as the standard says. */
export function numberOf(value: string | undefined, otherwise: number, least = 0): number {
  const number = Number(value?.trim() || Number.NaN)
  return Number.isFinite(number) && number >= least && number <= timerMax ? number : otherwise
}

/** Node's timers take no more. */
const timerMax = 2 ** 31 - 1
