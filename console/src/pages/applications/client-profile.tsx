import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ShieldCheck, ShieldOff } from 'lucide-react'
import { useState } from 'react'
import { type Client, type ClientProfile as Comparison, changeClient, clientProfileQuery } from '../../api/clients.ts'
import { invalidate } from '../../api/keys.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { useWhyNot } from '../../parts/use-change.ts'
import { clientSecurityTexts as t } from '../../texts/client-security.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Cell, ColumnHeader, Table, TableBody, TableHead, TableRow } from '../../ui/table.tsx'

/** The FAPI 2.0 profile: which of its clauses the application meets, before and after it is held to them. */
export function ClientProfile({ client }: { client: Client }) {
  const queries = useQueryClient()
  const whyNot = useWhyNot()('PATCH /v1/admin/clients/{id}')
  const [asked, ask] = useState<'apply' | 'remove'>()
  const comparison = useQuery(clientProfileQuery(client.id)).data
  const isHeld = client.profile !== null
  const close = () => ask(undefined)
  const change = async (profile: Client['profile']) => {
    await changeClient(client.id, { profile })
    await invalidate(queries, 'clients')
  }
  return (
    <Panel
      title={t.profile}
      description={t.profileHint}
      actions={
        <Button icon={isHeld ? ShieldOff : ShieldCheck} disabledReason={whyNot} onClick={() => ask(isHeld ? 'remove' : 'apply')}>
          {isHeld ? t.leaveProfile : t.holdToProfile}
        </Button>
      }
    >
      {comparison && <Clauses comparison={comparison} />}
      {/* One question for each: while a dialog closes, the client has changed already. */}
      <Confirm
        open={asked === 'apply'}
        onOpenChange={close}
        title={t.holdToProfileQuestion}
        action={t.holdToProfile}
        onConfirm={() => change('fapi2')}
      >
        <p>{t.holdToProfileEffect}</p>
        {comparison?.isInUse && <Notice tone="warning">{t.holdToProfileInUse}</Notice>}
      </Confirm>
      <Confirm
        open={asked === 'remove'}
        onOpenChange={close}
        title={t.leaveProfileQuestion}
        action={t.leaveProfile}
        onConfirm={() => change(null)}
      >
        <p>{t.leaveProfileEffect}</p>
      </Confirm>
    </Panel>
  )
}

function Clauses({ comparison: { clauses } }: { comparison: Comparison }) {
  return (
    <Table label={t.profile} flush>
      <TableHead>
        <ColumnHeader>{t.profileDemand}</ColumnHeader>
        <ColumnHeader>§</ColumnHeader>
        <ColumnHeader>{t.profileState}</ColumnHeader>
      </TableHead>
      <TableBody>
        {clauses.map(({ clause, field, isMet, isSetByProfile }) => (
          <TableRow key={field}>
            <Cell rowHeader>{t.profileDemands[field]}</Cell>
            <Cell label="§">{clause ?? t.profileOurs}</Cell>
            <Cell label={t.profileState}>
              {isMet ? (
                <Badge tone="success">{t.profileMet}</Badge>
              ) : (
                <Badge tone={isSetByProfile ? 'neutral' : 'warning'}>{isSetByProfile ? t.profileSets : t.profileNotMet}</Badge>
              )}
            </Cell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  )
}
