import { refusal } from '../platform/http/problem.ts'

export const signingKeyPending = refusal(
  'signing-key-pending',
  'conflict',
  'The latest signing key does not sign yet: GET /v1/system/signing-keys tells when it will',
)
