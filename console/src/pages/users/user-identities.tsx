import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Cable } from 'lucide-react'
import { useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { invalidate } from '../../api/keys.ts'
import { useOrganisation } from '../../api/organisation.ts'
import { useMay, useProfile } from '../../api/profile.ts'
import type { components } from '../../api/schema.d.ts'
import { type UserDetails, userIdentitiesQuery } from '../../api/users.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ListSkeleton } from '../../parts/list-skeleton.tsx'
import { ProblemPanel } from '../../parts/problem-panel.tsx'
import { Time } from '../../parts/time.tsx'
import { useMayChange } from '../../parts/use-change.ts'
import { shellTexts } from '../../texts/shell.ts'
import { usersTexts as t } from '../../texts/users.ts'
import { Button } from '../../ui/button.tsx'
import { Link } from '../../ui/link.tsx'
import { Cell, ColumnHeader, Table, TableBody, TableHead, TableRow, TwoLines } from '../../ui/table.tsx'

type Identity = components['schemas']['Identity']

const nameOf = ({ email, subject }: Identity) => email ?? subject

/** The accounts at identity providers that sign a user in. */
export function UserIdentities({ user }: { user: UserDetails }) {
  const query = useQuery(userIdentitiesQuery(user.id))
  const queries = useQueryClient()
  const mayUnlink = useMayChange()('DELETE /v1/admin/users/{id}/identities/{identityId}')
  const mayOpen = useMay()('GET /v1/admin/connections/{id}')
  const [unlinking, setUnlinking] = useState<Identity>()
  const isOthersOwner = [useOrganisation()?.ownerId === user.id, useProfile().id !== user.id].every(Boolean)
  if (query.error && !query.data) return <ProblemPanel error={query.error} onRetry={() => void query.refetch()} />
  if (query.isPending) return <ListSkeleton columns={4} rows={3} />
  if (query.data.data.length === 0) return <EmptyState icon={Cable} title={t.noIdentities} description={t.noIdentitiesDescription} />
  return (
    <>
      <Table label={t.identities}>
        <TableHead>
          <ColumnHeader>{t.identities}</ColumnHeader>
          <ColumnHeader>{t.connection}</ColumnHeader>
          <ColumnHeader>{t.lastUsed}</ColumnHeader>
          <ColumnHeader priority={2}>{t.linked}</ColumnHeader>
          {mayUnlink && <ColumnHeader control />}
        </TableHead>
        <TableBody>
          {query.data.data.map((identity) => {
            const { id, connection, subject, email, createdAt, lastUsedAt } = identity
            const name = connection.isActive ? connection.name : t.isOff(connection.name)
            return (
              <TableRow key={id}>
                <Cell rowHeader>
                  <TwoLines title={nameOf(identity)} detail={email && subject} />
                </Cell>
                <Cell label={t.connection}>
                  {mayOpen ? (
                    <Link to="/connections/$id/{-$tab}" params={{ id: connection.id }}>
                      {name}
                    </Link>
                  ) : (
                    name
                  )}
                </Cell>
                <Cell label={t.lastUsed}>{lastUsedAt ? <Time at={lastUsedAt} /> : shellTexts.never}</Cell>
                <Cell label={t.linked} priority={2}>
                  <Time at={createdAt} />
                </Cell>
                {mayUnlink && (
                  <Cell card="end">
                    <Button
                      small
                      aria-label={`${t.unlink}: ${nameOf(identity)}`}
                      disabledReason={isOthersOwner ? t.ownersOnly : undefined}
                      onClick={() => setUnlinking(identity)}
                    >
                      {t.unlink}
                    </Button>
                  </Cell>
                )}
              </TableRow>
            )
          })}
        </TableBody>
      </Table>
      <Confirm
        open={unlinking !== undefined}
        onOpenChange={() => setUnlinking(undefined)}
        title={t.unlinkQuestion(unlinking ? nameOf(unlinking) : '')}
        action={t.unlink}
        danger
        asksReason
        onConfirm={async (body) => {
          if (!unlinking) return
          const path = { id: user.id, identityId: unlinking.id }
          await answerOf(api.DELETE('/v1/admin/users/{id}/identities/{identityId}', { params: { path }, body }))
          await invalidate(queries, 'users')
        }}
      >
        <p>{t.unlinkEffect}</p>
      </Confirm>
    </>
  )
}
