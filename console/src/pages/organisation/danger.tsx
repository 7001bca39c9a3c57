import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { answerOf, api, conditionOf } from '../../api/client.ts'
import { invalidate } from '../../api/keys.ts'
import type { Organisation, OrganisationWithTag } from '../../api/organisation-record.ts'
import { useProfile } from '../../api/profile.ts'
import { useStatistics } from '../../api/statistics.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { formatNumber } from '../../parts/format.ts'
import { Picker } from '../../parts/pickers.tsx'
import { useMayChange, useWhyNot } from '../../parts/use-change.ts'
import { organisationTexts as t } from '../../texts/organisation.ts'
import { shellTexts } from '../../texts/shell.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { useToast } from '../../ui/toast.tsx'
import styles from './organisation.module.css'
import { useOwnerName } from './use-owner-name.ts'

/** Irreversible actions, which only the owner can take. */
export function Danger({ record: { body: organisation, tag } }: { record: OrganisationWithTag }) {
  return (
    <>
      <Transfer organisation={organisation} />
      <Deletion organisation={organisation} tag={tag} />
    </>
  )
}

/** The reason why the user cannot act as the owner; undefined for the owner. */
function useWhyNotOwner({ ownerId }: Organisation): string | undefined {
  const { isOwner } = useProfile()
  const name = useOwnerName(isOwner ? null : ownerId)
  if (isOwner) return undefined
  return name ? t.onlyOwner(name) : t.onlyOwnerUnknown
}

function Transfer({ organisation }: { organisation: Organisation }) {
  const queries = useQueryClient()
  const toast = useToast()
  const [chosen, setChosen] = useState<{ value: string; label: string }[]>([])
  const [isAsked, setAsked] = useState(false)
  const whyNotOwner = useWhyNotOwner(organisation)
  const reasonOf = useWhyNot()
  const whyNot = whyNotOwner ?? reasonOf('POST /v1/admin/organisation/transfer-ownership')
  const heir = chosen[0]
  return (
    <Panel title={t.transfer} description={t.transferHint} danger>
      {whyNot ? (
        <p>{whyNot}</p>
      ) : (
        <div className={styles.fields}>
          <Picker of="users" label={t.newOwner} value={chosen} onValueChange={(users) => setChosen(users.slice(-1))} />
          <Button variant="danger" disabledReason={heir ? undefined : shellTexts.chooseFirst} onClick={() => setAsked(true)}>
            {heir ? t.transferTo(heir.label) : t.transfer}
          </Button>
        </div>
      )}
      {heir && (
        <Confirm
          open={isAsked}
          onOpenChange={setAsked}
          title={t.transferTitle(organisation.name, heir.label)}
          action={t.transferTo(heir.label)}
          danger
          typeToConfirm={organisation.name}
          onConfirm={async () => {
            await answerOf(api.POST('/v1/admin/organisation/transfer-ownership', { body: { userId: heir.value } }))
            setChosen([])
            await Promise.all((['organisation', 'users'] as const).map((subject) => invalidate(queries, subject)))
            toast.show({ title: t.transferred(heir.label), tone: 'success' })
          }}
        >
          <p>{t.transferWarning}</p>
        </Confirm>
      )}
    </Panel>
  )
}

function Deletion({ organisation, tag }: { organisation: Organisation; tag: string | undefined }) {
  const [isAsked, setAsked] = useState(false)
  const mayChange = useMayChange()('DELETE /v1/admin/organisation')
  const whyNot = useWhyNot()('DELETE /v1/admin/organisation')
  const whyNotOwner = useWhyNotOwner(organisation)
  const { users, sessions, clients } = useStatistics() ?? {}
  return (
    <Panel title={t.delete} description={t.deleteHint} danger>
      {mayChange && !whyNotOwner ? (
        <Button variant="danger" onClick={() => setAsked(true)}>
          {t.delete}
        </Button>
      ) : (
        <p>{whyNotOwner ?? whyNot}</p>
      )}
      <Confirm
        open={isAsked}
        onOpenChange={setAsked}
        title={t.deleteTitle(organisation.name)}
        action={t.delete}
        danger
        asksReason
        typeToConfirm={organisation.name}
        onConfirm={async ({ reason }) => {
          await answerOf(api.DELETE('/v1/admin/organisation', { params: { header: conditionOf(tag) }, body: { reason } }))
          // The session ended with all others.
          location.assign('/logged-out')
        }}
      >
        {users && sessions && clients && (
          <Notice tone="danger">
            {t.deleteNumbers(
              t.users(users.total, formatNumber(users.total)),
              formatNumber(sessions.active),
              t.clients(clients.active, formatNumber(clients.active)),
            )}
          </Notice>
        )}
      </Confirm>
    </Panel>
  )
}
