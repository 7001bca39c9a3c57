import { z } from 'zod'
import type { GrantRules } from '../clients/rules.ts'
import { documentSchema } from './schemas.ts'

/** The JSON Schema (draft 2020-12) of a document as it is written, for editors and checks without the service. */
export const documentJsonSchema = (grants: readonly GrantRules[]): object =>
  jsonSchemaOf(documentSchema(grants, 'references'), 'Configuration of an organisation of Gatehouse')

export function jsonSchemaOf(schema: z.ZodType, title: string): object {
  const described = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    // Names of components belong to the description of the API.
    override: ({ jsonSchema }) => void delete jsonSchema.component,
  })
  return { title, ...described }
}
