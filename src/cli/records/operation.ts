import operations from './operations.json' with { type: 'json' }

/** A field of a query or a body, as a command takes it. */
export interface Field {
  name: string
  /** `document` for a value that no option can hold: it comes from `--input`. */
  type: 'text' | 'number' | 'boolean' | 'texts' | 'document'
  description: string
  isRequired?: boolean
  /** Whether the field can be cleared. */
  isNullable?: boolean
  values?: readonly string[]
}

/** An operation of the API, from its description. */
export interface Operation {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path: string
  query: readonly Field[]
  body: readonly Field[]
}

export type OperationId = keyof typeof operations

export const operationOf = (id: OperationId): Operation => operations[id] as Operation
