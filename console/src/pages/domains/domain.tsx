import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { type Domain as DomainRecord, domainQuery, nameOfDomain } from '../../api/domains.ts'
import { invalidate } from '../../api/keys.ts'
import { lazyNamed } from '../../base/lazy-named.ts'
import { Permitted } from '../../parts/no-permission.tsx'
import { OnDemand } from '../../parts/on-demand.tsx'
import { RecordPage } from '../../parts/record-page.tsx'
import { useMayChange } from '../../parts/use-change.ts'
import { useLeave } from '../../parts/use-leave.ts'
import { domainsTexts as t } from '../../texts/domains.ts'
import { shellTexts } from '../../texts/shell.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { DomainProof } from './domain-proof.tsx'
import { DomainSettings } from './domain-settings.tsx'
import { DomainState } from './domain-state.tsx'

const Confirm = lazyNamed(() => import('../../parts/confirm.tsx'), 'Confirm')

const route = getRouteApi('/shell/domains/$id')

export function Domain() {
  return (
    <Permitted to="GET /v1/admin/domains/{id}">
      <DomainRecordPage />
    </Permitted>
  )
}

function DomainRecordPage() {
  const query = useQuery(domainQuery(route.useParams().id))
  return (
    <RecordPage
      query={query}
      back={{ to: '/domains', label: shellTexts.domains }}
      titleOf={({ body }) => nameOfDomain(body)}
      badgeOf={({ body }) => <DomainState domain={body} />}
      idOf={({ body }) => body.id}
      actionsOf={({ body }) => <RemoveDomain domain={body} />}
    >
      {({ body: domain, tag }) => (
        <>
          {domain.foreignAccounts !== null && domain.foreignAccounts > 0 && (
            <Notice tone="neutral" title={t.foreignAccounts(domain.foreignAccounts)}>
              {t.foreignAccountsEffect}
            </Notice>
          )}
          <DomainProof domain={domain} />
          <DomainSettings domain={domain} tag={tag} />
        </>
      )}
    </RecordPage>
  )
}

function RemoveDomain({ domain: { id, domain, sso, status } }: { domain: DomainRecord }) {
  const queries = useQueryClient()
  const leave = useLeave()
  const [open, setOpen] = useState(false)
  if (!useMayChange()('DELETE /v1/admin/domains/{id}')) return null
  return (
    <>
      <Button icon={Trash2} onClick={() => setOpen(true)}>
        {t.remove}
      </Button>
      <OnDemand open={open}>
        <Confirm
          open={open}
          onOpenChange={setOpen}
          title={t.removeQuestion(domain)}
          action={t.removeName(domain)}
          danger
          asksReason
          onConfirm={async (body) => {
            await answerOf(api.DELETE('/v1/admin/domains/{id}', { params: { path: { id } }, body }))
            await leave('/domains')
            queries.removeQueries({ queryKey: ['domains', id] })
            await invalidate(queries, 'domains')
          }}
        >
          <p>{sso === 'required' && status === 'verified' ? t.removeRequired : t.removeEffect}</p>
        </Confirm>
      </OnDemand>
    </>
  )
}
