import type { Command } from 'commander'
import { clientNamedBy } from '../../connections/assertions/client-named-by.ts'
import { AskedAssertionCheck, type AssertionCheck, type InspectedCheck } from '../../connections/assertions/inspection-schemas.ts'
import { findNamedClient } from '../../oauth/protocol/queries.ts'
import type { Database } from '../../platform/database/database.ts'
import { cliActor } from '../actor.ts'
import { type CommonOptions, wrongUse } from '../add-command.ts'
import { CommandFailure } from '../failures.ts'
import { getOrganisationOfAnyStatus } from '../organisation/get-organisation.ts'
import { show } from '../output.ts'
import { readNamedFileOrInput } from '../read-named-file.ts'
import { withServices } from '../with-services.ts'

interface AssertionOptions extends CommonOptions {
  file: string
  organisation?: string
  client?: string
  resource?: string[]
  scope?: string
}

export async function explainAssertion(options: AssertionOptions, command: Command): Promise<void> {
  const { file, organisation, client: clientId, resource, scope } = options
  const assertion = await readNamedFileOrInput(file, { named: '--file' })
  const parsed = AskedAssertionCheck.safeParse({ assertion, clientId, resource, scope })
  if (!parsed.success)
    wrongUse(command, parsed.error.issues.map(({ path, message }) => `${optionOf(path[0])} is wrong: ${message}`).join('; '))
  const asked = parsed.data
  await withServices(options, async ({ services }) => {
    const { database } = services
    const organisationId = await organisationOf(database, organisation, clientId ?? clientNamedBy(asked.assertion))
    const { inspectAssertion } = await import('../../connections/assertions/inspect-assertion.ts')
    const check = await inspectAssertion(services, { organisationId, actor: cliActor() }, asked)
    show(options, check, textOf(check))
  })
}

const optionOf = (field: PropertyKey | undefined) => ({ assertion: '--file', clientId: '--client' })[String(field)] ?? `--${String(field)}`

/** @throws CommandFailure when neither the option nor the application says of which organisation the assertion is */
async function organisationOf(database: Database, slugOrId: string | undefined, clientId: string | undefined): Promise<string> {
  if (slugOrId !== undefined) return (await getOrganisationOfAnyStatus(database, slugOrId)).id
  const client = clientId === undefined ? undefined : await findNamedClient(database, clientId)
  if (client) return client.organisationId
  throw new CommandFailure('The assertion names no registered application, which says of which organisation it is: give --organisation')
}

const states = { met: 'ok', not_met: 'no', not_reached: '--' } as const

const textOf = ({ allowed, createsUser, resources, scope, checks }: AssertionCheck): string =>
  [
    `The assertion ${allowed ? 'earns an access token' : 'is refused'}`,
    ...checks.flatMap(linesOf),
    ...(allowed ? [`for ${resources.join(' ')}, with ${scope.join(' ')}`] : []),
    ...(createsUser ? ['its first use creates the user'] : []),
  ].join('\n')

const linesOf = ({ check, state, error, expected, received }: InspectedCheck) => [
  `  ${states[state]}  ${check}${state === 'met' && received !== null ? `: ${received}` : ''}`,
  ...(state === 'not_met' ? [`      ${error}: expected ${expected ?? 'anything'}, received ${received}`] : []),
]
