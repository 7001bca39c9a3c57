import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { answerOf, api } from '../api/client.ts'
import type { components } from '../api/schema.d.ts'
import { consentsTexts as t } from '../texts/consents.ts'
import { Chip } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Confirm } from './confirm.tsx'
import { type Column, type Page, ResourceList } from './resource-list.tsx'
import { Time } from './time.tsx'
import { useMayChange } from './use-change.ts'

type Allowed = Pick<
  components['schemas']['Consent'],
  'scopes' | 'claims' | 'resources' | 'grantedAt' | 'expiresAt' | 'lastUsedAt' | 'managedBy'
>

/** A consent with the two whom it binds, of whom a list shows one. */
export type Consent = Allowed & { id: string; userId: string; clientId: string; name: string }

interface ConsentsProps {
  label: string
  queryKey: QueryKey
  load: (query: Record<string, string | number | undefined>, signal: AbortSignal) => Promise<Page<Consent>>
  /** The heading of the first column. */
  subject: string
  linkOf: (consent: Consent) => ReactNode
  endQuestion: (name: string) => string
  empty: ReactNode
}

/** The applications that a user has let in, or the users who have let an application in: what each may, since when, and until when. */
export function Consents({ subject, linkOf, endQuestion, ...list }: ConsentsProps) {
  const queries = useQueryClient()
  const mayEnd = useMayChange()('DELETE /v1/admin/users/{id}/consents/{clientId}')
  const [ending, setEnding] = useState<Consent>()
  const columns = useMemo(
    () => [
      { key: 'subject', header: subject, cell: linkOf },
      { key: 'mayDo', header: t.mayDo, wraps: true, cell: allows },
      { key: 'allowedFor', header: t.allowedFor, cell: allowedFor },
      ...(mayEnd ? [endColumn(setEnding)] : []),
    ],
    [subject, linkOf, mayEnd],
  )
  return (
    <>
      <ResourceList {...list} columns={columns} nameOf={nameOf} />
      <Confirm
        open={ending !== undefined}
        onOpenChange={() => setEnding(undefined)}
        title={endQuestion(ending?.name ?? '')}
        action={t.endAccess}
        danger
        onConfirm={async () => {
          if (!ending) return
          const { userId, clientId } = ending
          await answerOf(api.DELETE('/v1/admin/users/{id}/consents/{clientId}', { params: { path: { id: userId, clientId } } }))
          await queries.invalidateQueries({ queryKey: ['clients', clientId] })
          await queries.invalidateQueries({ queryKey: ['users', userId] })
        }}
      >
        <p>{ending?.managedBy ? t.endManagedAccessEffect(ending.managedBy.name) : t.endAccessEffect}</p>
      </Confirm>
    </>
  )
}

const nameOf = ({ name }: Consent) => name

/** What the application may do for the user, and when it last did. */
function allows({ scopes, resources, claims, lastUsedAt, managedBy }: Consent) {
  return (
    <>
      {[...scopes, ...resources.map(({ name }) => name)].map((name) => (
        <Chip key={name}>{name}</Chip>
      ))}
      {claims.map((claim) => (
        <Chip key={`claim ${claim}`}>{claim}</Chip>
      ))}
      {lastUsedAt && (
        <div>
          {t.lastUsed} <Time at={lastUsedAt} />
        </div>
      )}
      {managedBy && <div>{t.managedBy(managedBy.name)}</div>}
    </>
  )
}

function allowedFor({ grantedAt, expiresAt }: Consent) {
  return (
    <>
      <Time at={grantedAt} />
      {expiresAt && (
        <div>
          – <Time at={expiresAt} />
        </div>
      )}
    </>
  )
}

const endColumn = (end: (consent: Consent) => void): Column<Consent> => ({
  key: 'end',
  header: '',
  card: 'end',
  cell: (consent) => (
    <Button small onClick={() => end(consent)}>
      {t.endAccess}
    </Button>
  ),
})
