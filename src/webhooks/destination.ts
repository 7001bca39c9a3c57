import type { OutgoingRules, PrivateHosts } from '../platform/http/outgoing.ts'
import { findLocalReceiver } from './local-receiver.ts'

export interface WebhookDestinations {
  /** Whether every loopback and private address may be called. */
  webhookAllowPrivateAddresses: boolean
  /** Single private destinations that may be called. */
  outgoingPrivateHosts: PrivateHosts
  /** The folder where `gatehouse webhooks listen` announces itself. Undefined in production, which sends nothing to it. */
  localReceivers: string | undefined
}

export const webhookRules = ({
  webhookAllowPrivateAddresses,
  outgoingPrivateHosts,
  localReceivers,
}: WebhookDestinations): OutgoingRules => ({
  what: 'webhooks',
  allowPrivateAddresses: webhookAllowPrivateAddresses,
  privateHosts: outgoingPrivateHosts,
  localReceiver: localReceivers === undefined ? undefined : (port) => findLocalReceiver(localReceivers, port),
  setting: 'OUTGOING_PRIVATE_HOSTS=<this host>, or WEBHOOK_ALLOW_PRIVATE_ADDRESSES=true for all',
})
