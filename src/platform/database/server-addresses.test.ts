import { describe, expect, it } from 'vitest'
import { mistakeOfHosts, serverName, serverUrls } from './server-addresses.ts'

describe('the address of several servers', () => {
  it.each([
    ['postgres://u:p@a:5432,b:5433/db?target_session_attrs=read-write', ['a:5432', 'b:5433']],
    ['postgres://a,b:5433,c/db', ['a:5432', 'b:5433', 'c:5432']],
    ['postgresql://u:p%2C%40@[::1]:5433,[2001:db8::1],10.0.0.1/db', ['[::1]:5433', '[2001:db8::1]:5432', '10.0.0.1:5432']],
    // A comma of the password separates nothing.
    ['postgres://u:p,w@a,b/db', ['a:5432', 'b:5432']],
    ['postgres://u:p,w@a/db?options=x,y', ['a:5432']],
    ['postgres://%2Frun%2Fpostgresql,b/db', ['/run/postgresql:5432', 'b:5432']],
  ])('%s names each with its port', (url, names) => {
    const urls = serverUrls(url)
    expect(urls.map(serverName)).toEqual(names)
    expect(mistakeOfHosts(url)).toBeUndefined()
    // Whatever is not the host is that of all.
    const [first, ...others] = urls.map((one) => Object.assign(new URL(one), { host: 'same:1' }).href)
    for (const other of others) expect(other).toBe(first)
  })

  it('is left as it is where it names one', () => {
    for (const url of [
      'postgres://u:p@a:5432/db',
      'postgres:///db?host=/run/postgresql',
      'postgres://a/db?target_session_attrs=any',
      'no URL',
    ])
      expect([serverUrls(url), url === 'no URL' ? undefined : mistakeOfHosts(url)]).toEqual([[url], undefined])
  })

  it.each([
    ['postgres://a,,b/db', /empty host/],
    ['postgres://a,/db', /empty host/],
    ['postgres://a,b:5432,A:5432/db', /each of its hosts once/],
    ['postgres://a,b/db?host=c', /before the slash/],
    ['postgres://a,b/db?port=1,2', /before the slash/],
    ['postgres://a,b/db?target_session_attrs=any', /read-write or primary/],
    ['postgres://a,b/db?target_session_attrs=standby', /read-write or primary/],
  ])('%s is a mistake', (url, expected) => {
    expect(mistakeOfHosts(url)).toMatch(expected)
  })
})
