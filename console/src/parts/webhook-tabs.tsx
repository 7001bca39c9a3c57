import { shellTexts } from '../texts/shell.ts'
import { webhooksTexts as t } from '../texts/webhooks.ts'
import { TabLinks } from '../ui/tab-links.tsx'

/** The tabs of endpoints, of all deliveries, and of the events. */
export const WebhookTabs = () => (
  <TabLinks
    label={shellTexts.webhooks}
    tabs={[
      { to: '/webhooks', label: t.endpoints },
      { to: '/webhooks/deliveries', label: t.deliveries },
      { to: '/events', label: t.events },
    ]}
  />
)
