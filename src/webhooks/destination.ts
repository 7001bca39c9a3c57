import type { OutgoingRules } from '../platform/http/outgoing.ts'

/** Where webhooks may go. */
export const webhookRules = (allowPrivateAddresses: boolean): OutgoingRules => ({
  what: 'webhooks',
  allowPrivateAddresses,
  setting: 'WEBHOOK_ALLOW_PRIVATE_ADDRESSES=true',
})
