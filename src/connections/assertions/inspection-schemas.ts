import { z } from 'zod'
import { SaidPhrase } from '../../oauth/endpoints/diagnostic-schemas.ts'
import { type CheckName, checkNames } from '../../oauth/protocol/checks.ts'
import { isSecret, pastedText, plainText, recordId } from '../../platform/http/fields.ts'

const assertionMax = 65_536
/** That of an address of a client ID metadata document. */
export const clientIdMax = 512
const uriMax = 2_048
const resourcesMax = 20
const scopeMax = 4_096

/** Every check of an assertion, in the order of the token endpoint. */
export const inspectedChecks = [
  'client_id',
  'client_state',
  'grant_type',
  'organisation',
  'client_type',
  'assertion',
  'assertion_type',
  'assertion_algorithm',
  'assertion_issuer',
  'assertion_tenant',
  'assertion_audience',
  'assertion_client',
  'assertion_lifetime',
  'assertion_signature',
  'resource',
  'scope',
  'assertion_subject',
  'acr_values',
  'max_age',
  'assertion_id',
] as const satisfies readonly CheckName[]

export const AskedAssertionCheck = z
  .object({
    assertion: pastedText()
      .min(1)
      .max(assertionMax)
      .meta({
        ...isSecret,
        description: 'The identity assertion (ID-JAG), as the application presents it. It is neither stored nor used up',
        example: 'eyJhbGciOiJFZERTQSIsInR5cCI6Im9hdXRoLWlkLWphZytqd3QifQ.eyJpc3MiOiJodHRwczovL2lkcC5hY21lLnRlc3QifQ.c2lnbmF0dXJl',
      }),
    clientId: plainText().min(1).max(clientIdMax).optional().meta({
      description: 'The application that presents it; by default the one that the assertion names as `client_id`',
      example: 'cli_01kahm3z9n4v7f2t8q6w5r1y0x',
    }),
    resource: z
      .array(plainText().min(1).max(uriMax))
      .max(resourcesMax)
      .default([])
      .meta({ description: 'The `resource` parameters of its request', example: ['https://api.acme.test/orders'] }),
    scope: plainText()
      .max(scopeMax)
      .optional()
      .meta({ description: 'The `scope` parameter of its request; by default all of the assertion', example: 'orders:read' }),
  })
  .meta({ component: 'AskedAssertionCheck' })
export type AskedAssertionCheck = z.infer<typeof AskedAssertionCheck>

const InspectedCheck = z
  .object({
    check: z.enum(checkNames).meta({ description: 'What is checked, named as in diagnostics', example: 'assertion_audience' }),
    state: z.enum(['met', 'not_met', 'not_reached']).meta({
      description: '`not_reached`: it cannot be judged, because of another check that is not met',
      example: 'not_met',
    }),
    error: z.string().nullable().meta({ description: 'The error code of the protocol, if it is not met', example: 'invalid_grant' }),
    expected: z.string().nullable().meta({ description: 'What was expected; null if anything is', example: 'https://login.acme.test' }),
    received: z
      .string()
      .nullable()
      .meta({ description: 'What came; the assertion itself is masked. null if it was not reached', example: 'https://login.books.test' }),
    phrases: z
      .object({ expected: SaidPhrase, received: SaidPhrase })
      .meta({ description: 'Which of the two are phrases of the service', example: { expected: null, received: null } }),
  })
  .meta({ component: 'InspectedCheck' })
export type InspectedCheck = z.infer<typeof InspectedCheck>

export const AssertionCheck = z
  .object({
    allowed: z.boolean().meta({ description: 'Whether the application would get an access token now', example: false }),
    clientId: z.string().nullable().meta({
      description: 'The application; null if the organisation has none that the assertion or the request names',
      example: 'cli_01kahm3z9n4v7f2t8q6w5r1y0x',
    }),
    connectionId: recordId('con').nullable().meta({ description: 'The connection of its issuer; null if none accepts it' }),
    userId: recordId('usr').nullable().meta({ description: 'The user; null for one who is unknown, or would be created' }),
    createsUser: z.boolean().meta({ description: 'Whether its first use would create the user', example: false }),
    resources: z.array(z.string()).meta({ description: 'The APIs that the token would be for', example: ['https://api.acme.test/orders'] }),
    scope: z.array(z.string()).meta({ description: 'The scopes that it would have', example: ['orders:read'] }),
    checks: z.array(InspectedCheck).meta({ description: 'Every check, in the order of the token endpoint' }),
  })
  .meta({ component: 'AssertionCheck' })
export type AssertionCheck = z.infer<typeof AssertionCheck>
