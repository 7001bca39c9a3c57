import { type FetchQueryOptions, type QueryClient, type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { CirclePlay, Link2Off } from 'lucide-react'
import { useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { connectionQuery } from '../../api/connections.ts'
import { directoryQuery } from '../../api/directories.ts'
import { domainQuery } from '../../api/domains.ts'
import { invalidate } from '../../api/keys.ts'
import { Problem } from '../../api/problem.ts'
import { useMay } from '../../api/profile.ts'
import { type SetupLink as SetupLinkRecord, setupLinkQuery } from '../../api/setup-links.ts'
import { lazyNamed } from '../../base/lazy-named.ts'
import { Refusal } from '../../parts/confirm.tsx'
import { OnDemand } from '../../parts/on-demand.tsx'
import { RecordPage } from '../../parts/record-page.tsx'
import { Time } from '../../parts/time.tsx'
import { useMayChange } from '../../parts/use-change.ts'
import { useSubmit } from '../../parts/use-submit.ts'
import { useTrustQuestion } from '../../parts/use-trust-question.tsx'
import { setupLinksTexts as t } from '../../texts/setup-links.ts'
import { Button } from '../../ui/button.tsx'
import { Facts } from '../../ui/definition-list.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { SetupLinkState } from './setup-link-state.tsx'

// Names of roles and teams are looked up by code that the page need not wait for.
const DecidedSettings = lazyNamed(() => import('./decided-settings.tsx'), 'DecidedSettings')
const MadeByLink = lazyNamed(() => import('./made-by-link.tsx'), 'MadeByLink')
const Confirm = lazyNamed(() => import('../../parts/confirm.tsx'), 'Confirm')

const route = getRouteApi('/shell/setup-links/$id')

/** All of a link: what was decided, what was made from where, and the one click that activates it. */
export function SetupLink() {
  const query = useQuery(setupLinkQuery(route.useParams().id))
  return (
    <RecordPage
      query={query}
      back={{ to: '/setup-links', label: t.title }}
      titleOf={({ name }) => name}
      badgeOf={(link) => <SetupLinkState link={link} />}
      idOf={({ id }) => id}
      actionsOf={(link) => <EndLink link={link} />}
    >
      {(link) => (
        <>
          {link.state === 'finished' && link.activatedAt === null && <Activation link={link} />}
          {link.endedBecause && <Notice tone="neutral">{t.endedBecause[link.endedBecause]}</Notice>}
          <Panel title={t.result} {...(link.lastIpAddress && { description: t.resultDescription(link.name, link.lastIpAddress) })}>
            <MadeByLink link={link} />
          </Panel>
          <Panel title={t.decided} description={t.decidedDescription}>
            <DecidedSettings {...link} />
          </Panel>
          <Panel title={t.state}>
            <Facts
              items={[
                { term: t.purposes, value: link.purposes.map((purpose) => t.purposeNames[purpose]).join(', ') },
                { term: t.expires, value: <Time at={link.expiresAt} /> },
                { term: t.firstUsed, value: timeOr(link.firstUsedAt) },
                { term: t.lastUsed, value: timeOr(link.lastUsedAt) },
                { term: t.lastAddress, value: link.lastIpAddress ?? t.never },
                ...(connects(link) ? [{ term: t.tested, value: timeOr(link.testedAt) }] : []),
                { term: t.created, value: <Time at={link.createdAt} /> },
              ]}
            />
          </Panel>
        </>
      )}
    </RecordPage>
  )
}

const connects = ({ purposes }: SetupLinkRecord) => purposes.includes('oidc') || purposes.includes('saml')

const timeOr = (at: string | null) => (at ? <Time at={at} /> : t.never)

function Activation({ link }: { link: SetupLinkRecord }) {
  const { id, name, domainId, connectionId, directoryId } = link
  const queries = useQueryClient()
  const may = useMay()
  const mayChange = useMayChange()
  const mayActivate =
    mayChange('POST /v1/admin/setup-links/{id}/activate') &&
    (!connectionId || mayChange('PATCH /v1/admin/connections/{id}')) &&
    (!directoryId || mayChange('PATCH /v1/admin/directories/{id}'))
  const { askAboutTrust, question } = useTrustQuestion()
  /** Whether what was confirmed is still what would be activated. */
  const isAsConfirmed = async () => {
    const made = await Promise.all([
      !domainId || !may('GET /v1/admin/domains/{id}') || isAsShown(queries, domainQuery(domainId)),
      !connectionId || !may('GET /v1/admin/connections/{id}') || isAsShown(queries, connectionQuery(connectionId)),
      !directoryId || !may('GET /v1/admin/directories/{id}') || isAsShown(queries, directoryQuery(directoryId)),
    ])
    return !made.includes(false)
  }
  const submission = useSubmit({
    work: async () => {
      // A domain alone lets no other party sign users in.
      const isTrusted = connectionId !== null || directoryId !== null
      const decided = (
        <>
          <MadeByLink link={link} />
          <DecidedSettings {...link} activate />
        </>
      )
      if (isTrusted) {
        if (!(await askAboutTrust({ of: 'setupLink', name, decided, action: t.activateAll }))) return
        if (!(await isAsConfirmed())) throw new Problem({ code: 'precondition-failed' }, { status: 412, headers: new Headers() })
      }
      await answerOf(api.POST('/v1/admin/setup-links/{id}/activate', { params: { path: { id } } }))
      await queries.invalidateQueries()
    },
  })
  return (
    <Notice
      tone="warning"
      title={t.activateTitle}
      actions={
        mayActivate && (
          <Button icon={CirclePlay} variant="primary" busy={submission.busy} onClick={() => void submission.run()}>
            {t.activateAll}
          </Button>
        )
      }
    >
      {t.activateEffect}
      <Refusal of={submission} />
      {question}
    </Notice>
  )
}

interface Tagged {
  tag: string | undefined
}

/** Whether a record is the one that the page shows, which shows the present one from then on. */
async function isAsShown<Read extends Tagged, Key extends QueryKey>(
  queries: QueryClient,
  query: FetchQueryOptions<Read, Error, Read, Key>,
): Promise<boolean> {
  const shown = queries.getQueryData<Tagged>(query.queryKey)?.tag
  const { tag } = await queries.fetchQuery({ ...query, staleTime: 0 })
  return tag === shown
}

function EndLink({ link: { id, name, state } }: { link: SetupLinkRecord }) {
  const queries = useQueryClient()
  const mayEnd = useMayChange()('DELETE /v1/admin/setup-links/{id}')
  const [open, setOpen] = useState(false)
  if (!mayEnd || (state !== 'open' && state !== 'in_use')) return null
  return (
    <>
      <Button icon={Link2Off} onClick={() => setOpen(true)}>
        {t.end}
      </Button>
      <OnDemand open={open}>
        <Confirm
          open={open}
          onOpenChange={setOpen}
          title={t.endQuestion(name)}
          action={t.end}
          danger
          asksReason
          onConfirm={async (body) => {
            await answerOf(api.DELETE('/v1/admin/setup-links/{id}', { params: { path: { id } }, body }))
            await invalidate(queries, 'setup-links')
          }}
        >
          <p>{t.endEffect}</p>
        </Confirm>
      </OnDemand>
    </>
  )
}
