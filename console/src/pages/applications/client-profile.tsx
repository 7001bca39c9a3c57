import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ShieldCheck, ShieldOff } from 'lucide-react'
import { useState } from 'react'
import { type Client, type ClientProfile as Comparison, changeClient, clientProfileQuery } from '../../api/clients.ts'
import { invalidate } from '../../api/keys.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { ProblemPanel } from '../../parts/problem-panel.tsx'
import { useWhyNot } from '../../parts/use-change.ts'
import { clientSecurityTexts as t } from '../../texts/client-security.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Cell, ColumnHeader, Table, TableBody, TableHead, TableRow } from '../../ui/table.tsx'

interface ClientProfileProps {
  client: Client
  tag: string | undefined
  /** Why the profile cannot be changed while a form of the page has changes. */
  unsaved: string | undefined
}

/** The FAPI 2.0 profile: which of its clauses the application meets, before and after it is held to them. */
export function ClientProfile({ client, tag, unsaved }: ClientProfileProps) {
  const queries = useQueryClient()
  const whyNot = useWhyNot()('PATCH /v1/admin/clients/{id}') ?? unsaved
  const [asked, ask] = useState<'apply' | 'remove'>()
  const { data: comparison, error, refetch } = useQuery(clientProfileQuery(client.id))
  const isHeld = client.profile !== null
  const close = () => ask(undefined)
  const change = async (profile: Client['profile']) => {
    try {
      await changeClient(client.id, { profile }, tag)
    } finally {
      await invalidate(queries, 'clients')
    }
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
      {comparison ? <Clauses comparison={comparison} /> : error && <ProblemPanel error={error} onRetry={() => void refetch()} />}
      {/* One question for each: while a dialog closes, the client has changed already. */}
      <Confirm
        open={asked === 'apply'}
        onOpenChange={close}
        title={t.holdToProfileQuestion}
        action={t.holdToProfile}
        onConfirm={() => change('fapi2')}
      >
        <p>{t.holdToProfileEffect}</p>
        {comparison?.isInUse && <Notice tone="warning">{t.inUse}</Notice>}
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
