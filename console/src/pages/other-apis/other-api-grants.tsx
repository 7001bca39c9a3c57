import { useQueryClient } from '@tanstack/react-query'
import { Handshake, Pencil, Plus, Trash2 } from 'lucide-react'
import { Suspense, useState } from 'react'
import type { AuthorizationServer } from '../../api/authorization-servers.ts'
import { answerOf, answerWithTag, api, conditionOf } from '../../api/client.ts'
import { invalidate } from '../../api/keys.ts'
import { Problem } from '../../api/problem.ts'
import { lazyNamed } from '../../base/lazy-named.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { useMayChange, useWhyNot } from '../../parts/use-change.ts'
import { useNames } from '../../parts/use-names.ts'
import { otherApisTexts as t } from '../../texts/other-apis.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { type Grant, GrantMatrix } from './grant-matrix.tsx'

const GrantForm = lazyNamed(() => import('./grant-form.tsx'), 'GrantForm')

const operation = 'PATCH /v1/admin/resource-authorization-servers/{id}'

/** What was opened, for which grant, and the record as it was then: a place in the list counts only there. */
interface Opened {
  what: 'form' | 'question'
  index: number
  server: AuthorizationServer
  tag: string | undefined
}

/**
 * What was opened, in the record as it is now, so that the user can save what they have entered once they were told. A grant that was
 * itself changed or removed stays in the former record, and is refused again: the user has not seen what they would overwrite.
 */
function inRecord(opened: Opened, server: AuthorizationServer, tag: string | undefined): Opened {
  const meant = grantTexts(opened.server)[opened.index]
  const index = meant === undefined ? server.grants.length : grantTexts(server).indexOf(meant)
  return index === -1 ? opened : { ...opened, index, server, tag }
}

const grantTexts = ({ grants }: AuthorizationServer) => grants.map((grant) => JSON.stringify(grant))

/** Which application may do what at the APIs of the other company, and for whom. */
export function OtherApiGrants({ server, tag }: { server: AuthorizationServer; tag: string | undefined }) {
  const queries = useQueryClient()
  const mayChange = useMayChange()(operation)
  const why = useWhyNot()(operation)
  const shown = (field: 'roleIds' | 'teamIds') => server.grants.flatMap((grant) => grant[field])
  const names = {
    clients: useNames(
      'clients',
      server.grants.map(({ clientId }) => clientId),
    ),
    roles: useNames('roles', shown('roleIds')),
    teams: useNames('teams', shown('teamIds')),
  }
  const [opened, setOpened] = useState<Opened>()
  const { grants } = server
  const hasScopes = server.resources.some(({ scopes }) => scopes.length > 0)
  const nameOf = ({ clientId }: Grant) => names.clients.itemOf(clientId).label
  const open = (what: Opened['what'], index: number) => setOpened({ what, index, server, tag })
  const close = () => setOpened(undefined)
  /** Puts a grant in place of the opened one, or none. All grants are sent, so that without the condition those of others would be lost. */
  const save = async ({ index, ...from }: Opened, ...grant: Grant[]) => {
    const path = { id: server.id }
    const body = { grants: from.server.grants.toSpliced(index, 1, ...grant) }
    try {
      const params = { path, header: conditionOf(from.tag) }
      await answerOf(api.PATCH('/v1/admin/resource-authorization-servers/{id}', { params, body }))
    } catch (error) {
      if (error instanceof Problem && error.status === 412) {
        const now = await answerWithTag(api.GET('/v1/admin/resource-authorization-servers/{id}', { params: { path } }))
        setOpened((former) => former && inRecord(former, now.body, now.tag))
      }
      throw error
    } finally {
      await invalidate(queries, 'resource-authorization-servers')
    }
  }
  const allow = mayChange && hasScopes && (
    <Button variant="primary" icon={Plus} onClick={() => open('form', grants.length)}>
      {t.allow}
    </Button>
  )
  const removed = opened?.what === 'question' ? opened.server.grants[opened.index] : undefined
  return (
    <>
      {why && <Notice tone="neutral">{why}</Notice>}
      {grants.length === 0 ? (
        <EmptyState icon={Handshake} title={t.noGrants} description={hasScopes ? t.grantsDescription : t.noResources} action={allow} />
      ) : (
        <>
          <p>{t.grantsDescription}</p>
          <GrantMatrix
            server={server}
            names={names}
            actionsOf={
              mayChange
                ? (grant, index) => (
                    <>
                      <IconButton icon={Pencil} label={t.changeOf(nameOf(grant))} onClick={() => open('form', index)} />
                      <IconButton icon={Trash2} label={t.takeAwayFrom(nameOf(grant))} onClick={() => open('question', index)} />
                    </>
                  )
                : undefined
            }
          />
          {allow && <div>{allow}</div>}
        </>
      )}
      {opened?.what === 'form' && (
        <Suspense>
          <GrantForm server={opened.server} names={names} index={opened.index} save={(grant) => save(opened, grant)} onClose={close} />
        </Suspense>
      )}
      {opened && removed && (
        <Confirm
          open
          onOpenChange={close}
          title={t.takeAwayQuestion(nameOf(removed))}
          action={t.takeAwayFrom(nameOf(removed))}
          danger
          onConfirm={() => save(opened)}
        >
          <p>{t.takeAwayEffect}</p>
        </Confirm>
      )}
    </>
  )
}
