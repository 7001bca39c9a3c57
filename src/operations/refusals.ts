import { refusal, retryAfter } from '../platform/http/problem.ts'

export const notReady = refusal('not-ready', 'service-unavailable', 'Not ready', () => retryAfter(1))
export const poolerNotNamed = refusal(
  'pooler-not-named',
  'service-unavailable',
  'DATABASE_URL leads through a pooler in transaction mode: set DATABASE_POOLER=transaction and start again',
)
export const mailOnThisMachineOnly = refusal(
  'mail-on-this-machine-only',
  'forbidden',
  'The mails of development are shown on the machine of the service alone, at its localhost',
)
export const mailNotFound = refusal('mail-not-found', 'not-found', 'No such mail')
export const problemNotFound = refusal('problem-not-found', 'not-found', 'There is no such problem')
export const metricsTokenRequired = refusal(
  'metrics-token-required',
  'unauthorized',
  'Send METRICS_TOKEN as Authorization: Bearer',
  () => ({
    headers: { 'www-authenticate': 'Bearer' },
  }),
)
export const metricsFromInsideOnly = refusal(
  'metrics-from-inside-only',
  'forbidden',
  'Without METRICS_TOKEN only loopback and private addresses may read the metrics',
)
