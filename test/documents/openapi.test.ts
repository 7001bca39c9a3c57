import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, it } from 'vitest'

describe('docs/openapi.json', () => {
  it('is a valid description by the schema of OpenAPI 3.1', async () => {
    const validator = new Validator()

    expect(await validator.validate('docs/openapi.json')).toEqual({ valid: true })
    expect(validator.version).toBe('3.1')
  })
})
