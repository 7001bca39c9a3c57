import { findUserAnywhere } from '../../accounts/queries.ts'
import type { Database } from '../../platform/database/database.ts'
import { checkSignInAnywhere } from '../../sign-in-checks/check-anywhere.ts'
import { AskedSignInCheck, type SignInStep, type SystemSignInCheck, type WayTaken } from '../../sign-in-checks/schemas.ts'
import { cliActor } from '../actor.ts'
import type { CommonOptions } from '../add-command.ts'
import { CommandFailure } from '../failures.ts'
import { ambiguous, missing, refuseUnknownPermission } from '../known-names.ts'
import { show } from '../output.ts'
import { withServices } from '../with-services.ts'

interface SignInOptions extends CommonOptions {
  client?: string
  connection?: string
  redirectUri?: string
  permission?: string
}

export const explainSignIn = (typed: string, { client, connection, redirectUri, permission, ...options }: SignInOptions) =>
  withServices(options, async ({ services }) => {
    const { database } = services
    const { data: email } = AskedSignInCheck.shape.email.safeParse(typed)
    if (email === undefined) throw new CommandFailure(`"${typed}" is not an e-mail address`)
    if (permission !== undefined) await refuseUnknownPermission(database, permission)
    const user = await findUserAnywhere(database, email)
    const organisationId = user?.organisationId
    // Without a user there are no applications and connections to look up: the unknown user is the result.
    const clientId = organisationId && client ? await idOfClient(database, organisationId, client) : undefined
    const connectionId = organisationId && connection ? await idOfConnection(database, organisationId, connection) : undefined
    const check = await checkSignInAnywhere(services, cliActor(), { email, clientId, connectionId, redirectUri, permission })
    show(options, check, textOf(email, check))
  })

async function idOfClient(database: Database, organisationId: string, name: string): Promise<string> {
  const clients = await database
    .tenant(organisationId)
    .selectFrom('clients')
    .select(['id', 'name'])
    .where('deletedAt', 'is', null)
    .orderBy('name')
    .execute()
  if (clients.some(({ id }) => id === name)) return name
  const named = clients.filter((one) => one.name.toLowerCase() === name.toLowerCase())
  if (named.length > 1) throw ambiguous(named.length, 'applications', name)
  if (named[0]) return named[0].id
  throw missing(
    `application "${name}" in the organisation of the user`,
    name,
    clients.map((one) => one.name),
  )
}

async function idOfConnection(database: Database, organisationId: string, name: string): Promise<string> {
  const connections = await database.tenant(organisationId).selectFrom('connections').select(['id', 'slug']).orderBy('slug').execute()
  const found = connections.find(({ id, slug }) => id === name || slug === name)
  if (found) return found.id
  throw missing(
    `connection "${name}" in the organisation of the user`,
    name,
    connections.map(({ slug }) => slug),
  )
}

const ways = {
  password: 'by password',
  passkey: 'by passkey',
  email_code: 'by a code that is mailed',
  connection: 'by the connection',
} as const
const ends = {
  session: 'signs in',
  confirmation: 'asks to confirm the linked account',
  enrolment: 'asks to set up a second factor or passkey first',
  new_password: 'asks for a new password first',
  refusal: 'is refused',
} as const

function textOf(email: string, { allowed, ways: taken, steps }: SystemSignInCheck): string {
  const isOf =
    ({ way, connectionId }: WayTaken) =>
    (step: SignInStep) =>
      step.way === way && step.connectionId === connectionId
  const shared = steps.filter(isOf({ way: null, connectionId: null }))
  return [
    `${email} ${allowed ? 'can sign in' : 'cannot sign in'}`,
    ...shared.flatMap(linesOf),
    ...taken.flatMap(({ leadsTo, ...of }) => [
      `${ways[of.way]}${of.connectionId === null ? '' : ` ${of.connectionId}`}: ${ends[leadsTo]}`,
      ...steps.filter(isOf(of)).flatMap(linesOf),
    ]),
  ].join('\n')
}

const linesOf = ({ met, code, why, remedy }: SignInStep) => [
  `  ${met ? 'ok' : 'no'}  ${code}: ${why}`,
  ...(remedy === null ? [] : [`      ${remedy}`]),
]
