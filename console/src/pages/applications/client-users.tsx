import { Users } from 'lucide-react'
import { useCallback } from 'react'
import { answerOf, api } from '../../api/client.ts'
import type { Client } from '../../api/clients.ts'
import { useMay } from '../../api/profile.ts'
import { type Consent, Consents } from '../../parts/consents.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { applicationTexts } from '../../texts/application.ts'
import { consentsTexts as t } from '../../texts/consents.ts'
import { Link } from '../../ui/link.tsx'

/** The users who have let the application in. */
export function ClientUsers({ client }: { client: Client }) {
  const mayOpen = useMay()('GET /v1/admin/users/{id}')
  const linkOf = useCallback(
    ({ userId, name }: Consent) =>
      mayOpen ? (
        <Link to="/users/$id/{-$tab}" params={{ id: userId }}>
          {name}
        </Link>
      ) : (
        name
      ),
    [mayOpen],
  )
  return (
    <Consents
      label={applicationTexts.users}
      queryKey={['clients', client.id, 'consents']}
      load={async (query, signal) => {
        const found = await answerOf(api.GET('/v1/admin/clients/{id}/consents', { params: { path: { id: client.id }, query }, signal }))
        const data = found.data.map(({ user, ...allowed }) => ({
          ...allowed,
          id: user.id,
          userId: user.id,
          clientId: client.id,
          name: user.email,
        }))
        return { ...found, data }
      }}
      subject={t.user}
      linkOf={linkOf}
      endQuestion={t.endForUserQuestion}
      empty={<EmptyState icon={Users} title={t.noUsers} description={t.noUsersDescription} />}
    />
  )
}
