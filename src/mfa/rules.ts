const minuteSeconds = 60
const daySeconds = 24 * 60 * minuteSeconds

/** The wrong code in a row of which the user is told, and after which no code is judged for a while. */
export const wrongCodesBeforeWait = 10
const wrongCodesBetweenWaits = 5
const firstWaitSeconds = 15 * minuteSeconds

/** How long no code is judged after this many wrong ones in a row: twice as long with every further five, at most a day. */
export function secondsToWaitAfter(wrongCodes: number): number {
  const further = wrongCodes - wrongCodesBeforeWait
  if (further < 0 || further % wrongCodesBetweenWaits !== 0) return 0
  return Math.min(firstWaitSeconds * 2 ** (further / wrongCodesBetweenWaits), daySeconds)
}
