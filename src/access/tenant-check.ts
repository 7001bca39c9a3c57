import type { FastifyRequest } from 'fastify'
import type { OrganisationStatus } from '../platform/database/column-types.ts'
import type { Database } from '../platform/database/database.ts'
import { findOrganisationNamed } from './queries.ts'
import { missingTenantHeader, organisationMismatch, organisationNotFound, organisationSuspended } from './refusals.ts'

const readMethods = new Set(['GET', 'HEAD'])

export interface CallersOrganisation {
  organisationId: string
  organisationSlug: string
  organisationStatus: OrganisationStatus
  allowedOrigins: string[]
}

/** Compares the tenant header with the organisation of the caller. */
export async function checkTenant(
  request: FastifyRequest,
  { organisationId, organisationSlug }: CallersOrganisation,
  { database, tenantHeader }: { database: Database; tenantHeader: 'optional' | 'required' },
): Promise<void> {
  const named = request.headers['x-org-domain']
  if (named === undefined || named === '') {
    if (tenantHeader === 'required') throw missingTenantHeader()
    return
  }
  if (named === organisationSlug || named === organisationId) return
  const tenant = await findOrganisationNamed(database, String(named))
  if (!tenant) throw organisationNotFound()
  if (tenant.id !== organisationId) throw organisationMismatch()
}

/** A suspended organisation can be read, even by a POST that changes nothing, but it cannot be changed. */
export function refuseWhileSuspended(request: FastifyRequest, { organisationStatus }: CallersOrganisation): void {
  if (organisationStatus !== 'suspended' || request.routeOptions.config.readsOnly) return
  if (!readMethods.has(request.method)) throw organisationSuspended()
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether a POST only reads, because its input would not fit into a URL. */
    readsOnly?: boolean
  }
}
