import { refusal, retryAfter } from '../../platform/http/problem.ts'

export const tooManyMessages = refusal(
  'too-many-messages',
  'service-unavailable',
  'Too many messages of identity providers are being read, try again in a moment',
  () => retryAfter(5),
)
