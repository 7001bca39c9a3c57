import { answerOf, api } from '../api/client.ts'
import type { operations } from '../api/schema.d.ts'
import { firstRoles } from '../texts/first-roles.ts'
import { asMade, roleName } from './role-words.ts'

type Query = NonNullable<operations['listRoles']['parameters']['query']>

/**
 * A page of the list of roles. The API searches the stored names: on the first page, this adds the roles that every organisation starts
 * with and whose translated name begins with the words.
 */
export async function searchRoles(query: Query, signal?: AbortSignal) {
  const load = (asked: Query) => answerOf(api.GET('/v1/admin/roles', { params: { query: asked }, ...(signal && { signal }) }))
  const words = query.q?.trim() ?? ''
  const slugs = words === '' || query.cursor !== undefined ? [] : translatedSlugs(words)
  const [page, ...found] = await Promise.all([load(query), ...slugs.map((slug) => load({ q: slug, limit: 100 }))])
  const added = found.flatMap(({ data }, index) =>
    data.filter(
      (role) =>
        role.slug === slugs[index] &&
        // A renamed role has no translated name.
        roleName(role).toLowerCase().startsWith(words.toLowerCase()) &&
        !page.data.some(({ id }) => id === role.id),
    ),
  )
  return added.length === 0 ? page : { ...page, data: [...added, ...page.data], total: page.total + added.length }
}

/** The slugs of the roles whose translated name begins with the words, while neither their stored name nor their slug does. */
export function translatedSlugs(words: string): string[] {
  const begins = (text: string) => text.toLowerCase().startsWith(words.toLowerCase())
  return (Object.keys(asMade) as (keyof typeof asMade)[]).filter(
    (slug) => begins(firstRoles.roles[slug].name) && !begins(slug) && !begins(asMade[slug].name),
  )
}
