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

  it('shows of an error what it knows, and nothing else that a library has hung on it', () => {
    const command = { name: 'auth', args: ['hidden'] }
    const refused = Object.assign(new Error('WRONGPASS'), {
      command,
      detail: 'Key (email)=(hidden)',
      parameters: ['hidden'],
      constraint: 'users_email_key',
    })
    const err = new AggregateError([refused], 'all of them')

    expect(logged({ err })).toMatchObject({
      err: { type: 'AggregateError', aggregateErrors: [{ message: 'WRONGPASS', constraint: 'users_email_key' }] },
    })
    expect(JSON.stringify(logged({ err }))).not.toContain('hidden')
  })

  it('shows no address of a person in an error or its cause', () => {
    const cause = new Error('550 <zoë.müller+a@mail.büro.example> unknown')
    const err = Object.assign(new Error('ada@acme.test was rejected', { cause }), { response: '550 ada@acme.test' })
    const text = JSON.stringify(logged({ err }))

    expect(text).toContain('*** was rejected: 550 <***> unknown')
    expect(text).not.toMatch(/ada@|@mail/)
  })

  it.each(['parameters', 'query', 'body'])("masks OAuth's code among the %s", (name) => {
    expect(logged({ [name]: { code: 'secret' } })).toMatchObject({ [name]: { code: '***' } })
    expect(logged({ request: { [name]: { code: 'secret' } } })).toMatchObject({ request: { [name]: { code: '***' } } })
  })

  it.each(['password', 'token', 'clientSecret', 'authorization'])('masks %s anywhere', (name) => {
    expect(JSON.stringify(logged({ [name]: 'hidden-1', a: { [name]: 'hidden-2', b: { [name]: 'hidden-3' } } }))).not.toContain('hidden')
  })
})
