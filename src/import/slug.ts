const slugLengthMax = 255

/** Turns a name of another system into a slug. */
export const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, slugLengthMax) || 'unnamed'

/**
 * Makes unique slugs from names that may differ only by case or punctuation: the second name with the same slug gets the suffix `-2`.
 *
 * @param others slugs that are already taken
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
