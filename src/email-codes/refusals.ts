import { ofField, refusal } from '../platform/http/problem.ts'

/** The text is the same for a wrong code and an expired one: two texts would reveal whether the address has an account. */
export const invalidEmailCode = refusal('invalid-email-code', 'bad-request', 'Invalid or expired code', ofField('code'))
