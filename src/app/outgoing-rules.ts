import type { OutgoingRules } from '../platform/http/outgoing.ts'
import type { Config } from './config.ts'

/** Which addresses the service may call. */
export const outgoingRules = ({
  outgoingPrivateHosts,
  production,
}: Pick<Config, 'outgoingPrivateHosts' | 'production'>): OutgoingRules => ({
  what: 'requests of the service',
  allowPrivateAddresses: false,
  allowLoopback: !production,
  privateHosts: outgoingPrivateHosts,
  setting: 'OUTGOING_PRIVATE_HOSTS=<this host>',
})
