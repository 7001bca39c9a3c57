import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { CirclePlay, Link2Off } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { invalidate } from '../../api/keys.ts'
import { type SetupLink as SetupLinkRecord, setupLinkQuery } from '../../api/setup-links.ts'
import { lazyNamed } from '../../base/lazy-named.ts'
import { Refusal } from '../../parts/confirm.tsx'
import { OnDemand } from '../../parts/on-demand.tsx'
import { RecordPage } from '../../parts/record-page.tsx'
import { Time } from '../../parts/time.tsx'
import { useMayChange } from '../../parts/use-change.ts'
import { useSubmit } from '../../parts/use-submit.ts'
import { setupLinksTexts as t } from '../../texts/setup-links.ts'
import { Button } from '../../ui/button.tsx'
import { Facts } from '../../ui/definition-list.tsx'
import { Link } from '../../ui/link.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { decidedSettings } from './decided-settings.ts'
import { SetupLinkState } from './setup-link-state.tsx'

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
            <Facts items={madeBy(link)} />
          </Panel>
          <Panel title={t.decided} description={t.decidedDescription}>
            <Facts items={decidedSettings(link)} />
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

function madeBy({ domainId, connectionId, directoryId }: SetupLinkRecord): { term: string; value: ReactNode }[] {
  const items = [
    ...(domainId
      ? [
          {
            term: t.domain,
            value: (
              <Link to="/domains/$id" params={{ id: domainId }}>
                {t.open}
              </Link>
            ),
          },
        ]
      : []),
    ...(connectionId
      ? [
          {
            term: t.connection,
            value: (
              <Link to="/connections/$id/{-$tab}" params={{ id: connectionId, tab: undefined }}>
                {t.open}
              </Link>
            ),
          },
        ]
      : []),
    ...(directoryId
      ? [
          {
            term: t.directory,
            value: (
              <Link to="/directories/$id/{-$tab}" params={{ id: directoryId, tab: undefined }}>
                {t.open}
              </Link>
            ),
          },
        ]
      : []),
  ]
  return items.length > 0 ? items : [{ term: t.result, value: t.nothing }]
}

function Activation({ link: { id } }: { link: SetupLinkRecord }) {
  const queries = useQueryClient()
  const mayChange = useMayChange()('POST /v1/admin/setup-links/{id}/activate')
  const submission = useSubmit({
    work: async () => {
      await answerOf(api.POST('/v1/admin/setup-links/{id}/activate', { params: { path: { id } } }))
      await queries.invalidateQueries()
    },
  })
  return (
    <Notice
      tone="warning"
      title={t.activateTitle}
      actions={
        mayChange && (
          <Button icon={CirclePlay} variant="primary" busy={submission.busy} onClick={() => void submission.run()}>
            {t.activateAll}
          </Button>
        )
      }
    >
      {t.activateEffect}
      <Refusal of={submission} />
    </Notice>
  )
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
