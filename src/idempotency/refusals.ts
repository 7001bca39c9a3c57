import { fieldRefusal, refusal, retryAfter } from '../platform/http/problem.ts'

export const idempotencyKeyInvalid = fieldRefusal(
  'idempotency-key-invalid',
  ['Idempotency-Key'],
  'Must be 1 to 255 visible characters of ASCII',
)
export const idempotencyKeyReused = refusal(
  'idempotency-key-reused',
  'unprocessable-content',
  'Another request was sent with this Idempotency-Key: use a new key for each request',
)
export const idempotencyKeyInUse = refusal(
  'idempotency-key-in-use',
  'conflict',
  'The first request with this Idempotency-Key is still being answered',
  () => retryAfter(1),
)
