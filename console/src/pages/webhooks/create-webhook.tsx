import { useQueryClient } from '@tanstack/react-query'
import { type ComponentProps, useState } from 'react'
import type { Variant } from '../../../../shared/webhook-signature.ts'
import { answerOf, api } from '../../api/client.ts'
import { invalidate } from '../../api/keys.ts'
import { useMay } from '../../api/profile.ts'
import type { components } from '../../api/schema.d.ts'
import { ApiTextField } from '../../parts/api-field.tsx'
import { FormFoot } from '../../parts/confirm.tsx'
import { Drawer } from '../../parts/drawer.tsx'
import { Picker } from '../../parts/pickers.tsx'
import { loadSecretOnce } from '../../parts/secret-once-later.ts'
import { useSubmit } from '../../parts/use-submit.ts'
import { webhooksTexts as t } from '../../texts/webhooks.ts'
import { Form } from '../../ui/form.tsx'
import { Switch } from '../../ui/switch.tsx'
import { EventChoice } from './event-choice.tsx'
import { VariantChoice } from './variant-choice.tsx'

interface CreateWebhookProps {
  /** The event to subscribe to, from the catalogue. */
  event: string | undefined
  onClose: () => void
  onMade: (made: { id: string; url: string; secret: string }) => void
}

export function CreateWebhook({ event, onClose, onMade }: CreateWebhookProps) {
  const queries = useQueryClient()
  const mayChooseClient = useMay()('GET /v1/admin/clients')
  const [events, setEvents] = useState<string[]>(event ? [event] : ['*'])
  const [variant, setVariant] = useState<Variant>('B')
  const [standardSignature, setStandardSignature] = useState(true)
  const [client, setClient] = useState<ComponentProps<typeof Picker>['value']>([])
  const submission = useSubmit({
    fields: ['url', 'events', 'variant', 'standardSignature', 'clientId'],
    work: async (form) => {
      const url = String(form.get('url')).trim()
      const clientId = client[0]?.value ?? null
      const body = { url, events, variant, standardSignature, clientId } as components['schemas']['NewWebhook']
      await loadSecretOnce()
      // Only the page holds it until it was stored.
      const { secret, ...rest } = await answerOf(api.POST('/v1/admin/webhooks', { body }))
      onClose()
      onMade({ id: 'webhook' in rest ? rest.webhook.id : rest.id, url, secret })
      await invalidate(queries, 'webhooks')
    },
  })
  return (
    <Drawer open onOpenChange={(open) => !open && onClose()} title={t.create}>
      <Form errors={submission.errors} onSubmit={submission.onSubmit}>
        <ApiTextField
          of="POST /v1/admin/webhooks"
          name="url"
          type="url"
          label={t.url}
          hint={t.urlHint}
          placeholder="https://"
          mono
          autoFocus
        />
        <EventChoice value={events} onValueChange={setEvents} />
        <VariantChoice value={variant} onValueChange={setVariant} />
        <Switch
          name="standardSignature"
          label={t.standardSignature}
          hint={t.standardSignatureHint}
          checked={standardSignature}
          onCheckedChange={setStandardSignature}
        />
        {mayChooseClient && (
          <Picker
            of="clients"
            name="clientId"
            label={t.onlyOfApplication}
            hint={t.onlyOfApplicationHint}
            value={client}
            onValueChange={(items) => setClient(items.slice(-1))}
          />
        )}
        <FormFoot of={submission} onCancel={onClose} action={t.create} disabledReason={events.length === 0 ? t.chooseEvents : undefined} />
      </Form>
    </Drawer>
  )
}
