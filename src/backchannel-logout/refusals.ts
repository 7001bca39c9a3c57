import { refusal } from '../platform/http/problem.ts'

export { clientNotFound } from '../clients/refusals.ts'
export { deliveryNotFound } from '../webhooks/refusals.ts'

export const withoutLogoutUri = refusal('client-without-logout-uri', 'conflict', 'The client has no backchannelLogoutUri')
