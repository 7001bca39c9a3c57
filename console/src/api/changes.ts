/** Calls that only read, though they are sent with POST. */
const looking = /\/(impact|refresh|permission-checks|authorization-checks|sign-in-checks|assertion-checks|check|preview)$/

export function isChange({ method, url }: Request): boolean {
  const { pathname, searchParams } = new URL(url)
  return !['GET', 'HEAD'].includes(method) && !looking.test(pathname) && searchParams.get('dryRun') !== 'true'
}

let made = 0

/** Counts the changes that this page has made through the API. */
export const changes = {
  made: () => made,
  wasMade: () => {
    made++
  },
}
