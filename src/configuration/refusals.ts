import { fieldMistake, refusal } from '../platform/http/problem.ts'

export const configurationChanged = refusal(
  'configuration-changed',
  'conflict',
  'The organisation has changed since the plan was made, or the plan is of another document: make a new plan',
)
export const tooManyChanges = refusal(
  'too-many-changes',
  'bad-request',
  (section: string) => `More than 1,000 objects of ${section} would be created or changed: apply the document in parts`,
)
export const documentOfAnother = refusal(
  'document-of-another-organisation',
  'bad-request',
  (named: string) => `The document is of the organisation "${named}", which is not this one`,
)
export const cannotBeChanged = fieldMistake('field-cannot-be-changed', 'Cannot be changed: give the new object another key')
export const oneDefaultRole = fieldMistake('one-default-role', 'Only one role can be the default')
export const tokenNotInDocument = fieldMistake(
  'token-not-in-document',
  'A token is shown once, and no document has it: create it by gatehouse directory create-token, by the API or in the console',
)
export const apiKeyNotMade = fieldMistake(
  'api-key-not-made',
  'There is no API key of this name, and a document makes none: create it by the API or the console, which show the key once',
)
