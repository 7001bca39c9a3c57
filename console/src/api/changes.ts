/** Calls that look at something, though they are sent with POST. */
const looking = /\/(impact|refresh|permission-checks|authorization-checks|sign-in-checks|check)$/

export function isChange({ method, url }: Request): boolean {
  const { pathname, searchParams } = new URL(url)
  return !['GET', 'HEAD'].includes(method) && !looking.test(pathname) && searchParams.get('dryRun') !== 'true'
}

let made = 0

/** How many changes the API has made for this page. */
export const changes = {
  made: () => made,
  wasMade: () => {
    made++
  },
}
