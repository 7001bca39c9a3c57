import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { Plus, Send } from 'lucide-react'
import { useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { useOrganisation } from '../../api/organisation.ts'
import type { paths } from '../../api/schema.d.ts'
import { type CatalogueEvent, eventsQuery, webhooksQuery } from '../../api/webhooks.ts'
import { CopyButton } from '../../parts/copy.tsx'
import { JsonView } from '../../parts/json-view.tsx'
import { useListState } from '../../parts/list-state.ts'
import { LoadingPanel } from '../../parts/loading-panel.tsx'
import { Permitted } from '../../parts/no-permission.tsx'
import { PageTitle } from '../../parts/page-title.tsx'
import { ProblemPanel } from '../../parts/problem-panel.tsx'
import { useShortcut } from '../../parts/shortcuts.ts'
import { useMayChange } from '../../parts/use-change.ts'
import { focusSearch } from '../../parts/use-list-keys.ts'
import { useAction } from '../../parts/use-submit.ts'
import { WebhookTabs } from '../../parts/webhook-tabs.tsx'
import { eventMeanings } from '../../texts/event-meanings.ts'
import { shellTexts } from '../../texts/shell.ts'
import { webhooksTexts as t } from '../../texts/webhooks.ts'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Link, LinkButton } from '../../ui/link.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Select } from '../../ui/select.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { envelopeOf, headersOf } from './envelopes.ts'
import styles from './events.module.css'

const route = getRouteApi('/shell/events')

export function Events() {
  return (
    <Permitted to="GET /v1/admin/events">
      <PageTitle>{t.catalogue}</PageTitle>
      <PageHead title={t.catalogue} />
      <WebhookTabs />
      <Catalogue />
    </Permitted>
  )
}

function Catalogue() {
  const { event: chosen, q = '' } = route.useSearch()
  const { set } = useListState()
  const query = useQuery(eventsQuery)
  useShortcut('/', shellTexts.keySearch, focusSearch)
  if (query.error) return <ProblemPanel error={query.error} onRetry={() => void query.refetch()} />
  if (!query.data) return <LoadingPanel />
  // The whole catalogue is loaded, so it is searched here.
  const wanted = q.toLowerCase()
  const found = query.data.data.filter((event) => `${event.name} ${eventMeanings.meaningOf(event)}`.toLowerCase().includes(wanted))
  // Show one event at first, so that the page explains itself.
  const event = query.data.data.find(({ name }) => name === chosen) ?? found[0]
  return (
    <div className={styles.columns}>
      <div className={styles.catalogue}>
        <search data-list-search>
          <TextField
            name="q"
            type="search"
            label={t.searchEvents}
            labelHidden
            placeholder={t.searchEvents}
            value={q}
            onValueChange={(text) => set({ q: text || undefined }, { replace: true })}
          />
        </search>
        <nav aria-label={t.catalogue} className={styles.list}>
          {[...Map.groupBy(found, ({ name }) => name.split('.')[0] as string)].map(([category, members]) => (
            <div key={category} className={styles.group}>
              <h2 className={styles.groupName}>{category}</h2>
              <ul className={styles.names}>
                {members.map(({ name, description }) => (
                  <li key={name}>
                    <Link
                      to="/events"
                      search={{ event: name, ...(q && { q }) }}
                      subtle
                      className={styles.name}
                      resetScroll={false}
                      {...(name === event?.name && { 'aria-current': 'true' as const })}
                    >
                      <span>{name}</span>
                      <span className={styles.meaning}>{eventMeanings.meaningOf({ name, description })}</span>
                    </Link>
                  </li>
                ))}
              </ul>
            </div>
          ))}
          {found.length === 0 && <p>{t.noEvent}</p>}
        </nav>
      </div>
      {event && <EventDetail key={event.name} event={event} />}
    </div>
  )
}

function EventDetail({ event: { name, description, variants, data } }: { event: CatalogueEvent }) {
  const organisationId = useOrganisation()?.id ?? ''
  const [at] = useState(() => new Date())
  const mayCreate = useMayChange()('POST /v1/admin/webhooks')
  return (
    <div className={styles.detail}>
      <Panel
        title={name}
        description={eventMeanings.meaningOf({ name, description })}
        actions={
          mayCreate && (
            <LinkButton to="/webhooks" search={{ create: 'yes', event: name }} variant="primary" icon={Plus}>
              {t.subscribe}
            </LinkButton>
          )
        }
      >
        <p>
          {variants.length === 1 ? t.formats(variants.join()) : t.bothFormats}. {t.anyMaySubscribe}
        </p>
      </Panel>
      <Panel title={t.wouldReceive} description={t.exampleHint}>
        <div className={styles.examples}>
          {(['B', 'A'] as const).map((variant) => {
            const headers = headersOf(variant, name, 'dlv_…', t.yourSecretSigns)
            const lines = Object.entries(headers)
              .map(([header, value]) => `${header}: ${value}`)
              .join('\n')
            return (
              <section key={variant} className={styles.stack} aria-label={t.exampleOf(variant)}>
                <h3>{t.exampleOf(variant)}</h3>
                <CodeBlock code={lines} label={`${t.exampleOf(variant)}: ${t.headers}`} wrap copyButton={<CopyButton text={lines} />} />
                <JsonView
                  value={envelopeOf(variant, { name, data, organisationId, at }, 'evt_…')}
                  label={`${t.exampleOf(variant)}: ${t.body}`}
                />
              </section>
            )
          })}
        </div>
      </Panel>
      <SendExample event={name} />
    </div>
  )
}

/** Sends the example to an endpoint of one's own, to see the result. */
function SendExample({ event }: { event: string }) {
  const navigate = useNavigate()
  const maySend = useMayChange()('POST /v1/admin/webhooks/test')
  const { data } = useQuery({ ...webhooksQuery, enabled: maySend })
  const [chosen, setChosen] = useState('')
  const webhook = data?.data.find(({ id }) => id === chosen) ?? data?.data[0]
  const send = useAction(async (webhookId: string) => {
    const body = { webhookId, event } as paths['/v1/admin/webhooks/test']['post']['requestBody']['content']['application/json']
    const { deliveryId } = await answerOf(api.POST('/v1/admin/webhooks/test', { body }))
    await navigate({ to: '/webhooks/$id/deliveries/$deliveryId', params: { id: webhookId, deliveryId } })
  })
  if (!maySend || !data || !webhook) return null
  const isSubscribed = webhook.events.includes('*') || webhook.events.includes(event)
  return (
    <Panel title={t.tryIt} description={t.tryItHint}>
      <div className={styles.stack}>
        <div className={styles.sending}>
          <Select
            label={t.endpoint}
            value={webhook.id}
            options={data.data.map(({ id, url }) => ({ value: id, label: url }))}
            onValueChange={setChosen}
          />
          <Button icon={Send} busy={send.busy} onClick={() => void send.run(webhook.id)}>
            {t.send}
          </Button>
        </div>
        <p>
          {isSubscribed ? t.subscribed : t.notSubscribed} {t.receivesAs(webhook.variant)}
        </p>
      </div>
    </Panel>
  )
}
