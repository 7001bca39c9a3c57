import { AppWindow } from 'lucide-react'
import { useCallback } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { useMay } from '../../api/profile.ts'
import type { UserDetails } from '../../api/users.ts'
import { type Consent, Consents } from '../../parts/consents.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { consentsTexts as t } from '../../texts/consents.ts'
import { usersTexts } from '../../texts/users.ts'
import { Link } from '../../ui/link.tsx'

/** The applications that have access to the account of a user. */
export function UserApplications({ user }: { user: UserDetails }) {
  const mayOpen = useMay()('GET /v1/admin/clients/{id}')
  const linkOf = useCallback(
    ({ clientId, name }: Consent) =>
      mayOpen ? (
        <Link to="/applications/$id/{-$tab}" params={{ id: clientId }}>
          {name}
        </Link>
      ) : (
        name
      ),
    [mayOpen],
  )
  return (
    <Consents
      label={usersTexts.applications}
      queryKey={['users', user.id, 'consents']}
      load={async (query, signal) => {
        const found = await answerOf(api.GET('/v1/admin/users/{id}/consents', { params: { path: { id: user.id }, query }, signal }))
        const data = found.data.map(({ clientName, ...allowed }) => ({
          ...allowed,
          id: allowed.clientId,
          userId: user.id,
          name: clientName,
        }))
        return { ...found, data }
      }}
      subject={t.application}
      linkOf={linkOf}
      endQuestion={t.endOfApplicationQuestion}
      empty={<EmptyState icon={AppWindow} title={t.noApplications} description={t.noApplicationsDescription} />}
    />
  )
}
