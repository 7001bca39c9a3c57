const minuteSeconds = 60
const daySeconds = 24 * 60 * minuteSeconds

/** After this many consecutive wrong codes the user gets a mail, and codes are refused for a while. */
export const wrongCodesBeforeWait = 10
const wrongCodesBetweenWaits = 5
const firstWaitSeconds = 15 * minuteSeconds

/** How long codes are refused after this many consecutive wrong ones. Every five more double it, up to a day. */
export function secondsToWaitAfter(wrongCodes: number): number {
  const further = wrongCodes - wrongCodesBeforeWait
  if (further < 0 || further % wrongCodesBetweenWaits !== 0) return 0
  return Math.min(firstWaitSeconds * 2 ** (further / wrongCodesBetweenWaits), daySeconds)
}
