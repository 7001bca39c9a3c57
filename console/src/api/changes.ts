/** Calls that look at something, though they are sent with POST. */
const looking = /\/(impact|refresh|permission-checks|authorization-checks|check)$/

export const isChange = ({ method, url }: Request): boolean => !['GET', 'HEAD'].includes(method) && !looking.test(new URL(url).pathname)

let made = 0

/** How many changes the API has made for this page. */
export const changes = {
  made: () => made,
  wasMade: () => {
    made++
  },
}
