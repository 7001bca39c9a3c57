import type { RouteOptions } from 'fastify'
import type { RouteDescription } from '../platform/http/openapi.ts'
import { takesIdempotencyKey } from './repeat-answers.ts'

const header = {
  'Idempotency-Key': {
    description:
      'A new random value for each change: the same request with the same key is answered as the first one was, for 24 hours, and changes nothing twice',
    example: '8e03978e-40d5-43dd-bc93-6894a57f9324',
  },
}

/** Adds the `Idempotency-Key` to the description of a route that takes one. */
export function describeIdempotencyKey(route: RouteOptions, description: RouteDescription): RouteDescription {
  if (!takesIdempotencyKey(route)) return description
  const { headers, problems } = description
  return { ...description, headers: { ...headers, ...header }, problems: [...problems, 'bad-request', 'conflict', 'unprocessable-content'] }
}
