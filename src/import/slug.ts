const slugLengthMax = 255

/** A name of another system as a slug of ours. */
export const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, slugLengthMax) || 'unnamed'

/**
 * Makes slugs of names that may differ by case or punctuation alone there: a second one of the same slug ends in `-2`.
 *
 * @param others slugs that none of them gets
 */
export function createDistinctSlugs(others: readonly string[] = []): (name: string) => string {
  const taken = new Set(others)
  return (name) => {
    const slug = slugOf(name)
    let distinct = slug
    for (let number = 2; taken.has(distinct); number++) distinct = `${slug.slice(0, slugLengthMax - 1 - String(number).length)}-${number}`
    taken.add(distinct)
    return distinct
  }
}
