import type { FastifyRequest } from 'fastify'
import { addedBytesMax } from '../../claims/evaluate.ts'
import { callerAddress } from '../../platform/http/addresses.ts'
import { type DiagnosisStore, storeRefusal } from './diagnostics.ts'
import type { ConcernedClient } from './errors.ts'
import { contextOf, endpointOf } from './request-context.ts'

/**
 * Stores, after the response, which claims mappings have not added since they would have been too large: the request itself succeeds. Every
 * token of the client tells the same, so at most one in five minutes is stored.
 */
export function noteLeftOut(store: DiagnosisStore, request: FastifyRequest, client: ConcernedClient, claims: readonly string[]): void {
  if (claims.length === 0) return
  const { parameters, signInId } = contextOf(request)
  const endpoint = endpointOf(request)
  const address = callerAddress(request)
  request.afterResponse(async () => {
    if (!(await store.quotas.claimsLeftOut.claim(client.id))) return
    await storeRefusal(store, address, {
      endpoint,
      error: 'claim_too_large',
      description: `claims were left out, with which mappings would have added more than ${addedBytesMax} bytes`,
      check: { name: 'claims', expected: `${addedBytesMax} B`, received: claims },
      client: { id: client.id, organisationId: client.organisationId },
      parameters,
      signInId,
    })
  }, 'claims that were too large could not be noted')
}
