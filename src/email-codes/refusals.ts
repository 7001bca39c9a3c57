import { ofField, refusal } from '../platform/http/problem.ts'

/** One text for a wrong code and for one that does not work any more: two would say whether the address has an account. */
export const invalidEmailCode = refusal('invalid-email-code', 'bad-request', 'Invalid or expired code', ofField('code'))
