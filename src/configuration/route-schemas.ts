import { z } from 'zod'
import { LastChange } from '../audit/schemas.ts'
import { isSecret, text } from '../platform/http/fields.ts'

const value = () => z.unknown().optional()

const FieldChange = z.object({
  field: z
    .string()
    .meta({ description: 'The field; of an object that is changed by member, with the member', example: 'signInPolicy.emailCode' }),
  before: value().meta({ description: 'What it is; absent where there is nothing', example: 'off' }),
  after: value().meta({ description: 'The new value; absent if the object would be deleted', example: 'allowed' }),
})

const changed = {
  section: z.string().meta({ description: 'The section of the document', example: 'clients' }),
  object: z.string().nullable().meta({ description: 'The key of the object; null for the settings', example: 'customer-portal' }),
  action: z.enum(['create', 'update', 'delete']).meta({ description: 'What has to be done' }),
}

const named = {
  section: changed.section,
  object: z.string().meta({ description: 'The key of the object', example: 'customer-portal' }),
}

const ConfigurationChange = z
  .object({
    ...changed,
    fields: z.array(FieldChange).meta({ description: 'The fields that change' }),
    effects: z
      .array(z.string())
      .meta({ description: 'The effects, as text; none in the response to `apply`', example: ['ends 3 refresh tokens of 2 users'] }),
  })
  .meta({ component: 'ConfigurationChange' })

const basis = z.string().meta({ description: 'The state that the plan was made from, for `apply`', example: '5f2a6c…' })
const changes = z.array(ConfigurationChange).meta({ description: 'In the order of the document' })

export const ConfigurationPlan = z.object({ basis, changes }).meta({ component: 'ConfigurationPlan' })

export const AppliedConfiguration = z
  .object({
    basis,
    changes,
    secrets: z
      .array(
        z.object({
          ...named,
          secret: z
            .string()
            .meta({ ...isSecret, description: 'Shown only in this response', example: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk' }),
        }),
      )
      .meta({ description: 'Secrets that were made with new objects' }),
    ids: z
      .array(
        z.object({
          ...named,
          id: z.string().meta({ description: 'Its id, which no document has', example: 'cli_01k2z8t7x3q9v5n4m6r1w0y8da' }),
        }),
      )
      .meta({ description: 'The ids of the objects that the document names, such as the `client_id` of a new client' }),
  })
  .meta({ component: 'AppliedConfiguration' })

export const ConfigurationDrift = z
  .object({
    changes: z
      .array(
        z.object({
          ...changed,
          ended: LastChange.nullable().meta({ description: 'Who ended an object that would be created; null as for `lastChange`' }),
          fields: z
            .array(
              FieldChange.extend({
                lastChange: LastChange.nullable().meta({
                  description: 'Who changed it last; null if the audit log does not say, and without the permission `audit:read`',
                }),
              }),
            )
            .meta({ description: 'The fields that differ' }),
        }),
      )
      .meta({ description: 'What would have to change, in the order of the document' }),
  })
  .meta({ component: 'ConfigurationDrift' })

const document = z.record(z.string(), z.unknown())

/** A document is free-form here: its schema is large, and loaded with the first request. */
export const ExportedConfiguration = document.meta({
  component: 'ConfigurationDocument',
  description: 'The document: docs/organisation.schema.json',
  example: { teams: { europe: { name: 'Europe' } } },
})

export const AskedConfiguration = z
  .object({
    document: document.meta({
      description: 'The document, of docs/organisation.schema.json, but with secrets in place of the names of their variables',
      example: { teams: { europe: { name: 'Europe' } } },
    }),
    prune: z
      .boolean()
      .default(false)
      .meta({ description: 'Whether to delete objects that the document does not name, in the sections that it has', example: false }),
  })
  .meta({ component: 'AskedConfiguration' })

export const ConfigurationToApply = AskedConfiguration.extend({
  basis: text()
    .optional()
    .meta({ description: 'The basis of the plan to apply: refused if anything has changed since', example: '5f2a6c…' }),
}).meta({ component: 'ConfigurationToApply' })
export type ConfigurationToApply = z.infer<typeof ConfigurationToApply>
