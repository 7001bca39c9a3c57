import { useQueryClient } from '@tanstack/react-query'
import { answerOf, api } from '../../api/client.ts'
import type { Directory } from '../../api/directories.ts'
import { useMay } from '../../api/profile.ts'
import { namesQuery } from '../../parts/pickers.tsx'

/** A directory may have a team for each of 5,000 groups. */
const namedMax = 10

/** Asks what users would gain and lose if the groups of a directory had another effect; with names, as far as the user may read them. */
export function useGroupsImpact() {
  const queries = useQueryClient()
  const may = useMay()
  return async ({ id }: Directory, groups: Directory['groups']) => {
    const impact = await answerOf(api.POST('/v1/admin/directories/{id}/impact', { params: { path: { id } }, body: { groups } }))
    const named = (of: 'roles' | 'teams') =>
      Promise.all(
        impact[of].slice(0, namedMax).map(async (change) => ({
          ...change,
          name: may(`GET /v1/admin/${of}`) ? await queries.fetchQuery(namesQuery(of, change.id)) : change.id,
        })),
      )
    const [roles, teams] = [await named('roles'), await named('teams')]
    return { roles, teams, further: impact.roles.length + impact.teams.length - roles.length - teams.length }
  }
}
