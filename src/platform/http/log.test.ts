import { describe, expect, it } from 'vitest'
import { createLogger } from './log.ts'

function logged(fields: object): Record<string, unknown> {
  let line = ''
  createLogger({ level: 'info' }, { write: (text: string) => (line = text) }).info(fields, 'said')
  return JSON.parse(line)
}

describe('a log line', () => {
  it('shows the code of an error, of a refusal and of whatever else has one', () => {
    const err = Object.assign(new Error('No'), { code: 'ECONNREFUSED' })
    expect(logged({ err })).toMatchObject({ err: { code: 'ECONNREFUSED' } })
    expect(logged({ code: 'not-ready', problem: { code: 'not-ready' } })).toMatchObject({
      code: 'not-ready',
      problem: { code: 'not-ready' },
    })
  })

  it.each(['parameters', 'query', 'body'])("masks OAuth's code among the %s", (name) => {
    expect(logged({ [name]: { code: 'secret' } })).toMatchObject({ [name]: { code: '***' } })
    expect(logged({ request: { [name]: { code: 'secret' } } })).toMatchObject({ request: { [name]: { code: '***' } } })
  })

  it.each(['password', 'token', 'clientSecret', 'authorization'])('masks %s anywhere', (name) => {
    expect(JSON.stringify(logged({ [name]: 'hidden-1', a: { [name]: 'hidden-2', b: { [name]: 'hidden-3' } } }))).not.toContain('hidden')
  })
})
