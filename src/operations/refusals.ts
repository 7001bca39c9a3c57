import { refusal, retryAfter } from '../platform/http/problem.ts'

export const notReady = refusal('not-ready', 'service-unavailable', 'Not ready', () => retryAfter(1))
export const mailOnThisMachineOnly = refusal(
  'mail-on-this-machine-only',
  'forbidden',
  'The mails of development are shown on the machine of the service alone, at its localhost',
)
export const mailNotFound = refusal('mail-not-found', 'not-found', 'No such mail')
export const problemNotFound = refusal('problem-not-found', 'not-found', 'There is no such problem')
