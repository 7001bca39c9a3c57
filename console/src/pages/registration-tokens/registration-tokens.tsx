import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { Plus, Ticket } from 'lucide-react'
import { type ReactNode, Suspense, useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { invalidate } from '../../api/keys.ts'
import type { components } from '../../api/schema.d.ts'
import { lazyNamed } from '../../base/lazy-named.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ListPage } from '../../parts/list-page.tsx'
import { Permitted } from '../../parts/no-permission.tsx'
import type { Column } from '../../parts/resource-list.tsx'
import { SecretOnce } from '../../parts/secret-once.tsx'
import { Time } from '../../parts/time.tsx'
import { useMayChange } from '../../parts/use-change.ts'
import { useCreation } from '../../parts/use-creation.tsx'
import { registrationTokensTexts as t } from '../../texts/registration-tokens.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'

const CreateRegistrationToken = lazyNamed(() => import('./create-registration-token.tsx'), 'CreateRegistrationToken')

type RegistrationToken = components['schemas']['RegistrationToken']

/** The list, and the form for a new token, which does not require permission to read. */
export function RegistrationTokens() {
  const { button, ...form } = useCreation('POST /v1/admin/registration-tokens', { label: t.create, icon: Plus })
  const [made, setMade] = useState<{ name: string; token: string }>()
  return (
    <>
      <Permitted to="GET /v1/admin/registration-tokens" action={button}>
        <TokenList createButton={button} />
      </Permitted>
      {form.open && (
        <Suspense>
          <CreateRegistrationToken onClose={() => form.onOpenChange(false)} onMade={setMade} />
        </Suspense>
      )}
      <SecretOnce
        title={made ? t.made(made.name) : ''}
        description={t.madeDescription}
        secret={made?.token}
        onStored={() => setMade(undefined)}
      />
    </>
  )
}

function TokenList({ createButton }: { createButton: ReactNode }) {
  const queries = useQueryClient()
  const mayEnd = useMayChange()('DELETE /v1/admin/registration-tokens/{id}')
  const [ending, setEnding] = useState<RegistrationToken>()
  return (
    <>
      <ListPage
        title={t.title}
        count={t.count}
        actions={createButton}
        queryKey={queryKey}
        load={load}
        columns={mayEnd ? [...columns, endColumn(setEnding)] : columns}
        nameOf={nameOf}
        empty={<EmptyState icon={Ticket} title={t.empty} description={t.emptyDescription} action={createButton} />}
      />
      {ending && (
        <Confirm
          open
          onOpenChange={() => setEnding(undefined)}
          title={t.endQuestion(nameOf(ending))}
          action={t.endName(nameOf(ending))}
          danger
          asksReason
          onConfirm={async (body) => {
            await answerOf(api.DELETE('/v1/admin/registration-tokens/{id}', { params: { path: { id: ending.id } }, body }))
            await invalidate(queries, 'registration-tokens')
          }}
        >
          <p>{t.endEffect}</p>
        </Confirm>
      )}
    </>
  )
}

const queryKey: QueryKey = ['registration-tokens']
const nameOf = ({ name }: RegistrationToken) => name ?? t.unnamed
const load = (query: object, signal: AbortSignal) => answerOf(api.GET('/v1/admin/registration-tokens', { params: { query }, signal }))

const columns: readonly Column<RegistrationToken>[] = [
  { key: 'name', header: t.name, cell: nameOf },
  { key: 'state', header: '', card: 'end', cell: (token) => <State of={token} /> },
  { key: 'uses', header: t.uses, cell: ({ uses, maxUses }) => t.usesOf(uses, maxUses) },
  { key: 'scopes', header: t.scopes, priority: 3, cell: ({ allowedScopes }) => allowedScopes.join(' ') },
  { key: 'lastUsedAt', header: t.lastUsed, cell: ({ lastUsedAt }) => (lastUsedAt ? <Time at={lastUsedAt} /> : t.never) },
  { key: 'expiresAt', header: t.expires, priority: 2, cell: ({ expiresAt }) => (expiresAt ? <Time at={expiresAt} /> : t.never) },
  { key: 'createdAt', header: t.created, priority: 3, cell: ({ createdAt }) => <Time at={createdAt} /> },
]

const endColumn = (onEnd: (token: RegistrationToken) => void): Column<RegistrationToken> => ({
  key: 'end',
  header: '',
  cell: (token) => (
    <Button small onClick={() => onEnd(token)} aria-label={t.endName(nameOf(token))}>
      {t.end}
    </Button>
  ),
})

/** Why a token registers nothing any more. */
function State({ of: { expiresAt, uses, maxUses } }: { of: RegistrationToken }) {
  if (expiresAt && new Date(expiresAt).getTime() <= Date.now()) return <Badge tone="danger">{t.expired}</Badge>
  if (maxUses !== null && uses >= maxUses) return <Badge tone="warning">{t.usedUp}</Badge>
  return null
}
