import { z } from 'zod'
import type { GrantRules } from '../clients/rules.ts'
import { documentSchema } from './schemas.ts'

/** The JSON Schema (draft 2020-12) of a document as it is written, for editors and checks without the service. */
export function documentJsonSchema(grants: readonly GrantRules[]): object {
  const schema = z.toJSONSchema(documentSchema(grants, 'references'), {
    io: 'input',
    unrepresentable: 'any',
    // Names of components belong to the description of the API.
    override: ({ jsonSchema }) => void delete jsonSchema.component,
  })
  return { title: 'Configuration of an organisation of Gatehouse', ...schema }
}
