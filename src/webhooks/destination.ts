import type { OutgoingRules, PrivateHosts } from '../platform/http/outgoing.ts'

export interface WebhookDestinations {
  /** Whether every loopback and private address may be called. */
  webhookAllowPrivateAddresses: boolean
  /** Single ones that may be. */
  outgoingPrivateHosts: PrivateHosts
}

/** Where webhooks may go. */
export const webhookRules = ({ webhookAllowPrivateAddresses, outgoingPrivateHosts }: WebhookDestinations): OutgoingRules => ({
  what: 'webhooks',
  allowPrivateAddresses: webhookAllowPrivateAddresses,
  privateHosts: outgoingPrivateHosts,
  setting: 'WEBHOOK_ALLOW_PRIVATE_ADDRESSES=true',
})
