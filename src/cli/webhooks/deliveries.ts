import type { Command } from 'commander'
import { listDeliveries, presentDelivery } from '../../webhooks/delivery/queries.ts'
import { AllDeliveriesQuery } from '../../webhooks/endpoints/schemas.ts'
import type { CommonOptions } from '../add-command.ts'
import { parseOptions } from '../input.ts'
import { getOrganisationOfAnyStatus } from '../organisation/get-organisation.ts'
import { showList } from '../output.ts'
import { withServices } from '../with-services.ts'

interface DeliveriesOptions extends CommonOptions {
  organisation: string
  webhook?: string
}

export async function deliveries({ organisation, webhook, ...options }: DeliveriesOptions, command: Command): Promise<void> {
  const { limit, cursor: _, ...filters } = parseOptions(command, AllDeliveriesQuery, { webhookId: webhook })
  await withServices(options, async ({ services: { database } }) => {
    const { id } = await getOrganisationOfAnyStatus(database, organisation)
    const found = await listDeliveries(database.listReads(id), filters, limit, undefined)
    showList(
      options,
      found.map(presentDelivery),
      ['createdAt', 'event', 'status', 'attemptCount', 'nextAttemptAt', 'lastError', 'webhookId', 'id'],
      'deliveries',
    )
  })
}
