import { refusal } from '../platform/http/problem.ts'

/** One refusal for whatever is wrong: a stranger learns neither which keys there are nor what they expect. */
export const exchangeRefused = refusal('exchange-refused', 'unauthorized', 'The token cannot be exchanged for this API key', () => ({
  members: { hint: 'An administrator finds the reason among the diagnostics of the organisation' },
}))
