import { useQuery, useQueryClient } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { invalidate } from '../../api/keys.ts'
import { useOrganisation } from '../../api/organisation.ts'
import { useProfile } from '../../api/profile.ts'
import type { components } from '../../api/schema.d.ts'
import { type UserDetails, userPasskeysQuery } from '../../api/users.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ListSkeleton } from '../../parts/list-skeleton.tsx'
import { ProblemPanel } from '../../parts/problem-panel.tsx'
import { Time } from '../../parts/time.tsx'
import { useMayChange } from '../../parts/use-change.ts'
import { passkeysTexts as t } from '../../texts/passkeys.ts'
import { shellTexts } from '../../texts/shell.ts'
import { usersTexts } from '../../texts/users.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Cell, ColumnHeader, Table, TableBody, TableHead, TableRow, TwoLines } from '../../ui/table.tsx'
import { useToast } from '../../ui/toast.tsx'

type Passkey = components['schemas']['Passkey']

/** The passkeys of a user: the purpose of each, and whether it can be deleted. A user has at most twenty. */
export function UserPasskeys({ user }: { user: UserDetails }) {
  const query = useQuery(userPasskeysQuery(user.id))
  const mayDelete = useMayChange()('DELETE /v1/admin/users/{id}/passkeys/{passkeyId}')
  const [deleting, setDeleting] = useState<Passkey>()
  const isMe = useProfile().id === user.id
  const isOwner = useOrganisation()?.ownerId === user.id
  if (query.error && !query.data) return <ProblemPanel error={query.error} onRetry={() => void query.refetch()} />
  if (query.isPending) return <ListSkeleton columns={5} rows={3} />
  if (query.data.data.length === 0) return <EmptyState icon={KeyRound} title={t.empty} description={t.emptyDescription} />
  return (
    <>
      <Table label={usersTexts.passkeys}>
        <TableHead>
          <ColumnHeader>{t.name}</ColumnHeader>
          <ColumnHeader>{t.use}</ColumnHeader>
          <ColumnHeader priority={3}>{t.copies}</ColumnHeader>
          <ColumnHeader>{t.lastUsed}</ColumnHeader>
          <ColumnHeader priority={2}>{t.created}</ColumnHeader>
          {mayDelete && <ColumnHeader control />}
        </TableHead>
        <TableBody>
          {query.data.data.map((passkey) => (
            <TableRow key={passkey.id}>
              <Cell rowHeader>
                <TwoLines title={passkey.name} detail={passkey.provider ?? t.unknownProvider} />
              </Cell>
              <Cell label={t.use}>
                {passkey.canSignIn ? <Badge tone="success">{t.signsIn}</Badge> : <Badge tone="neutral">{t.secondFactorOnly}</Badge>}
              </Cell>
              <Cell label={t.copies} priority={3} wraps>
                {passkey.isSynced ? t.synced : t.notSynced}
              </Cell>
              <Cell label={t.lastUsed}>{passkey.lastUsedAt ? <Time at={passkey.lastUsedAt} /> : shellTexts.never}</Cell>
              <Cell label={t.created} priority={2}>
                <Time at={passkey.createdAt} />
              </Cell>
              {mayDelete && (
                <Cell card="end">
                  <Button
                    small
                    aria-label={t.deleteName(passkey.name)}
                    {...(isOwner && !isMe && { disabledReason: t.ownersOnly })}
                    onClick={() => setDeleting(passkey)}
                  >
                    {t.delete}
                  </Button>
                </Cell>
              )}
            </TableRow>
          ))}
        </TableBody>
      </Table>
      <DeletePasskey user={user} isMe={isMe} passkey={deleting} onClose={() => setDeleting(undefined)} />
    </>
  )
}

interface DeletePasskeyProps {
  user: UserDetails
  isMe: boolean
  passkey: Passkey | undefined
  onClose: () => void
}

function DeletePasskey({ user, isMe, passkey, onClose }: DeletePasskeyProps) {
  const queries = useQueryClient()
  const toast = useToast()
  return (
    <Confirm
      open={passkey !== undefined}
      onOpenChange={onClose}
      title={t.deleteQuestion(passkey?.name ?? '', user.name)}
      action={t.deleteName(passkey?.name ?? '')}
      danger
      onConfirm={async () => {
        if (!passkey) return
        const path = { id: user.id, passkeyId: passkey.id }
        await answerOf(api.DELETE('/v1/admin/users/{id}/passkeys/{passkeyId}', { params: { path } }))
        toast.show({ title: t.deleted(passkey.name), tone: 'success' })
        // The deletion of the last one may have ended a second factor.
        await invalidate(queries, 'users')
      }}
    >
      <p>{isMe ? t.effectOnYou : t.effect(user.name)}</p>
      <p>{t.lastOne}</p>
    </Confirm>
  )
}
