import { describe, expect, it } from 'vitest'
import { createNameResolver } from './name-resolver.ts'

/** A resolver whose DNS refuses every name with this code, and whose system responds when the test tells it to. */
function resolverWith(code: string) {
  const asked: string[] = []
  const answers = new Map<string, (error?: Error) => void>()
  const refuse = (hostname: string) => Promise.reject(Object.assign(new Error(`query ${code} ${hostname}`), { code }))
  const resolve = createNameResolver({
    resolver: { resolve4: refuse, resolve6: refuse } as never,
    lookup: (hostname) => {
      asked.push(hostname)
      const { promise, resolve, reject } = Promise.withResolvers<{ address: string }[]>()
      answers.set(hostname, (error) => (error ? reject(error) : resolve([{ address: '10.0.0.1' }])))
      return promise
    },
  })
  return { resolve, asked, answer: (hostname: string, error?: Error) => answers.get(hostname)?.(error) }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('a name that DNS does not have', () => {
  it.each(['ENOTFOUND', 'ENODATA'])('is looked up in the system, one name after another, when DNS says %s', async (code) => {
    const { resolve, asked, answer } = resolverWith(code)
    const [one, same, other] = [resolve('one.test'), resolve('one.test'), resolve('other.test')]
    await turn()
    expect(asked).toEqual(['one.test'])
    answer('one.test')
    expect([await one, await same]).toEqual([['10.0.0.1'], ['10.0.0.1']])
    await turn()
    expect(asked).toEqual(['one.test', 'other.test'])
    answer('other.test', new Error('not there either'))
    await expect(other).rejects.toThrow('not there either')

    const again = resolve('one.test')
    await turn()
    answer('one.test')
    expect(await again).toEqual(['10.0.0.1'])
  })

  it.each(['ESERVFAIL', 'EREFUSED', 'ECONNREFUSED'])('is refused at once while another is looked up, when DNS says %s', async (code) => {
    const { resolve, asked, answer } = resolverWith(code)
    const [one, same] = [resolve('one.test'), resolve('one.test')]
    await turn()
    await expect(resolve('other.test')).rejects.toMatchObject({ code: 'EAI_AGAIN', message: 'DNS does not answer for other.test' })
    expect(asked).toEqual(['one.test'])
    answer('one.test')
    expect([await one, await same]).toEqual([['10.0.0.1'], ['10.0.0.1']])

    const other = resolve('other.test')
    await turn()
    answer('other.test')
    expect(await other).toEqual(['10.0.0.1'])
  })

  it('is not looked up in the system when DNS was not reached in time', async () => {
    const { resolve, asked } = resolverWith('ETIMEOUT')
    await expect(resolve('one.test')).rejects.toMatchObject({ code: 'ETIMEOUT' })
    expect(asked).toEqual([])
    expect(await resolve('db.localhost')).toEqual(['127.0.0.1', '::1'])
  })
})
