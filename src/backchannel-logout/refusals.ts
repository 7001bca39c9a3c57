import { refusal } from '../platform/http/problem.ts'

export { clientNotFound } from '../clients/refusals.ts'
export { deliveryNotFound } from '../webhooks/refusals.ts'

export const logoutIsOff = refusal('backchannel-logout-off', 'conflict', 'Needs OAUTH_EXTENSIONS to hold backchannel_logout')
export const withoutLogoutUri = refusal('client-without-logout-uri', 'conflict', 'The client has no backchannelLogoutUri')
