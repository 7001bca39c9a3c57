import { useQueryClient } from '@tanstack/react-query'
import type { Variant } from '../../../../shared/webhook-signature.ts'
import { answerWithTag, api } from '../../api/client.ts'
import { invalidate } from '../../api/keys.ts'
import type { components } from '../../api/schema.d.ts'
import { type Webhook, webhookQuery } from '../../api/webhooks.ts'
import { ApiTextField } from '../../parts/api-field.tsx'
import { EditForm, useEdit } from '../../parts/edit-form.tsx'
import { LockedFacts } from '../../parts/locked-facts.tsx'
import { Time } from '../../parts/time.tsx'
import { useMayChange } from '../../parts/use-change.ts'
import { shellTexts } from '../../texts/shell.ts'
import { webhooksTexts as t } from '../../texts/webhooks.ts'
import { Facts } from '../../ui/definition-list.tsx'
import { Link } from '../../ui/link.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Switch } from '../../ui/switch.tsx'
import { EventChoice } from './event-choice.tsx'
import { VariantChoice } from './variant-choice.tsx'

const operation = 'PATCH /v1/admin/webhooks/{id}'

interface Values {
  url: string
  events: string[]
  variant: Variant
  standardSignature: boolean
}

const valuesOf = ({ url, events, variant, standardSignature }: Webhook): Values => ({ url, events, variant, standardSignature })

export function WebhookSettings({ webhook, tag }: { webhook: Webhook; tag: string | undefined }) {
  const { clientId, lastTriggeredAt, createdAt, updatedAt } = webhook
  return (
    <>
      <Panel title={t.settings}>
        {useMayChange()(operation) ? <SettingsForm webhook={webhook} tag={tag} /> : <SettingsFacts webhook={webhook} />}
      </Panel>
      <Panel title={t.about}>
        <Facts
          items={[
            {
              term: t.onlyOfApplication,
              value: clientId ? (
                <Link to="/applications/$id/{-$tab}" params={{ id: clientId }}>
                  {clientId}
                </Link>
              ) : (
                t.ofAllApplications
              ),
            },
            { term: t.lastAttempt, value: lastTriggeredAt ? <Time at={lastTriggeredAt} /> : shellTexts.never },
            { term: t.created, value: <Time at={createdAt} /> },
            { term: t.changed, value: <Time at={updatedAt} /> },
          ]}
        />
      </Panel>
    </>
  )
}

function SettingsForm({ webhook, tag }: { webhook: Webhook; tag: string | undefined }) {
  const queries = useQueryClient()
  const path = { id: webhook.id }
  const edit = useEdit(valuesOf(webhook), tag)
  const { values, set, field } = edit
  return (
    <EditForm
      edit={edit}
      targetId={webhook.id}
      labels={{ url: t.url, events: t.events, variant: t.variant, standardSignature: t.standardSignature }}
      save={async (changes, header) => {
        const body = changes as components['schemas']['WebhookChanges']
        const saved = await answerWithTag(api.PATCH('/v1/admin/webhooks/{id}', { params: { path, header }, body }))
        await invalidate(queries, 'webhooks')
        return saved
      }}
      readAgain={async () => {
        const now = await answerWithTag(api.GET('/v1/admin/webhooks/{id}', { params: { path } }))
        queries.setQueryData(webhookQuery(webhook.id).queryKey, now)
        return { values: valuesOf(now.body), tag: now.tag }
      }}
    >
      <ApiTextField of={operation} {...field('url')} type="url" label={t.url} hint={t.urlHint} required mono />
      <EventChoice value={values.events} onValueChange={(events) => set('events', events)} />
      <VariantChoice value={values.variant} onValueChange={(variant) => set('variant', variant)} />
      <Switch
        name="standardSignature"
        label={t.standardSignature}
        hint={t.standardSignatureHint}
        checked={values.standardSignature}
        onCheckedChange={(value) => set('standardSignature', value)}
      />
    </EditForm>
  )
}

function SettingsFacts({ webhook: { url, events, variant, standardSignature } }: { webhook: Webhook }) {
  return (
    <LockedFacts
      of={operation}
      items={[
        { term: t.url, value: url },
        { term: t.events, value: events.includes('*') ? t.allEvents : events.join(', ') },
        { term: t.variant, value: variant },
        { term: t.standardSignature, value: standardSignature ? shellTexts.yes : shellTexts.no },
      ]}
    />
  )
}
