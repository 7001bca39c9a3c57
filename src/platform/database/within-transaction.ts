import type { Database, Tenant } from './database.ts'

/**
 * The database for an operation that is one of several in a transaction: its changes commit or roll back with the others. It reaches only
 * the data of the organisation.
 */
export function withinTransaction({ clock, isEmbedded }: Database, tenant: Tenant): Database {
  const own = (organisationId: string): Tenant => {
    if (organisationId !== tenant.organisationId) throw new Error('The transaction is one of another organisation')
    return tenant
  }
  // On the embedded database this would wait for the end of this very transaction.
  const outside = () => {
    throw new Error('An operation within a transaction reaches nothing but the data of its organisation')
  }
  return {
    clock,
    isEmbedded,
    tenant: own,
    pointReads: own,
    listReads: own,
    pointListReads: own,
    transaction: async (organisationId, work) => work(own(organisationId)),
    rehearse: outside,
    holdCommit: outside,
    afterCommit: outside,
    pointRead: outside,
    keyedWrite: outside,
    system: outside,
    counting: outside,
    systemListReads: outside,
    systemTransaction: outside,
    listen: outside,
    close: outside,
  }
}
