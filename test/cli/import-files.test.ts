import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCommand } from '../support/command.ts'
import { databaseKind } from '../support/database.ts'
import { type ProcessHome, processHome } from '../support/service-process.ts'

let home: ProcessHome
const gatehouse = (line: string, more: Record<string, string> = {}) => runCommand({ ...home.environment, ...more }, line)
const inFile = async (name: string, content: string | Uint8Array) => {
  const path = join(home.folder, name)
  await writeFile(path, content)
  return path
}
const imported = async (name: string, content: string | Uint8Array, options = '') =>
  gatehouse(`import users ${await inFile(name, content)} --organisation globex ${options}`)
const latin1 = (text: string) => Buffer.from(text, 'latin1')
const line = (email: string, more = {}) => `${JSON.stringify({ email, firstName: 'Anna', lastName: 'Berg', ...more })}\n`
const header = 'email,firstName,lastName\n'

// What is said of a file is the same on either database. A command is done sooner with this one.
const isHere = databaseKind() === 'postgres'
const ofFiles = describe.runIf(isHere)

beforeAll(async () => {
  if (!isHere) return
  home = await processHome()
  for (const words of ['create --name Globex --slug globex --email it@globex.test --owner-email owner@globex.test', 'activate globex'])
    expect(await gatehouse(`organisation ${words}`)).toMatchObject({ status: 0 })
})
afterAll(() => home?.remove())

ofFiles('gatehouse import users, of a file with mistakes', () => {
  const mebibytes = 'x'.repeat(10_000_000)
  it.each<[what: string, name: string, content: string | Uint8Array, mistakes: string[], counted: string]>([
    [
      'bytes that are not UTF-8',
      'latin.jsonl',
      latin1(line('a@globex.test') + line('b@globex.test', { firstName: 'Jürgen' }) + line('c@globex.test', { phone: '\u0000' })),
      ['line 2: it is not UTF-8: its byte 40 is 0xfc', 'line 3: phone: Must not contain control characters'],
      '2 mistakes in 3 users',
    ],
    [
      'bytes that are not UTF-8',
      'latin.csv',
      latin1(`${header}a@globex.test,Anna,Berg\nb@globex.test,J\u00fcrgen,Berg\n`),
      ['line 3: it is not UTF-8: its byte 16 is 0xfc; nothing after it was read'],
      '1 mistake in 2 users',
    ],
    [
      'a character of replacement before such a byte',
      'replaced.jsonl',
      Buffer.concat([Buffer.from('"\uFFFD"'), Buffer.from([0xff])]),
      ['line 1: it is not UTF-8: its byte 6 is 0xff'],
      '1 mistake in 1 user',
    ],
    [
      'UTF-16',
      'utf16.csv',
      Buffer.from(`\uFEFF${header}`, 'utf16le'),
      ['line 1: it is not UTF-8: its byte 1 is 0xff; nothing after it was read'],
      '1 mistake',
    ],
    [
      'NUL bytes',
      'nul.jsonl',
      '{"email":"\0"}\n',
      ['line 1: its byte 11 is NUL, as in files of UTF-16: UTF-8 is read'],
      '1 mistake in 1 user',
    ],
    [
      'NUL bytes',
      'nul.csv',
      `${header}a@globex.test,An\0na,Berg\n`,
      ['line 2: its byte 17 is NUL, as in files of UTF-16: UTF-8 is read; nothing after it was read'],
      '1 mistake in 1 user',
    ],
    [
      'a quote that is not closed',
      'unclosed.csv',
      `${header}a@globex.test,Anna,Berg\n\nb@globex.test,"Anna,Berg\nc@globex.test,Anna,Berg\n`,
      ['line 4: firstName: its quote is not closed; nothing after it was read'],
      '1 mistake in 2 users',
    ],
    [
      'a quote that is not closed for long',
      'long-quote.csv',
      `${header}b@globex.test,"Anna,Berg\n${'c@globex.test,Anna,Berg\n'.repeat(60_000)}`,
      ['line 2: firstName: its quote is not closed within 1 MiB; nothing after it was read'],
      '1 mistake in 1 user',
    ],
    [
      'quotes in the wrong place, and too few fields',
      'quotes.csv',
      `${header}a@globex.test,"Anna"x,Berg\nb@globex.test,Anna,Be"rg\nc@globex.test\nd@globex.test,Anna,\n`,
      [
        'line 2: firstName: text follows its closing quote',
        'line 3: lastName: a quote stands in it, and it does not begin with one',
        'line 4: it has 1 field, and the header names 3',
        'line 5: lastName is missing',
      ],
      '4 mistakes in 4 users',
    ],
    [
      'a line of 10 MB',
      'long.jsonl',
      line('a@globex.test') + line('b@globex.test', { firstName: mebibytes }) + line('c'),
      ['line 2: it has more than 1 MiB', 'line 3: email: Invalid email'],
      '2 mistakes in 3 users',
    ],
    [
      'a line of 10 MB',
      'long.csv',
      `${header}b@globex.test,${mebibytes},Berg\n`,
      ['line 2: it has more than 1 MiB; nothing after it was read'],
      '1 mistake in 1 user',
    ],
    [
      'one document of JSON',
      'realm.json',
      JSON.stringify({ realm: 'acme', users: [{ username: 'a' }] }, null, 2),
      [
        'line 1: it is one document of JSON, and has not one user a line: `gatehouse import keycloak` takes a realm, `gatehouse import auth0` a list of Auth0',
      ],
      '1 mistake',
    ],
    [
      'semicolons between the fields',
      'semicolons.csv',
      'email;firstName;lastName\na@globex.test;Anna;Berg\n',
      ['line 1: its fields are separated by semicolons: the separator is a comma'],
      '1 mistake',
    ],
    [
      'columns that are nearly called as the fields',
      'nearly.csv',
      'Email,First Name,lastName\na@globex.test,Anna,Berg\n',
      [
        'line 1: there is no field "Email": --map Email=email gives email, --map Email= leaves it out',
        'line 1: there is no field "First Name": --map "First Name=firstName" gives firstName, --map "First Name=" leaves it out',
        'line 1: no column gives email',
        'line 1: no column gives firstName',
      ],
      '4 mistakes',
    ],
    ['nothing', 'empty.jsonl', '', ['line 1: the file is empty'], '1 mistake'],
    ['nothing', 'empty.csv', '\uFEFF\r\n\r\n', ['line 1: the file is empty'], '1 mistake'],
    ['only a header', 'header.csv', header, ['line 1: no user follows the header'], '1 mistake'],
    [
      'a header that names a field twice, an unknown one, and not all that it has to',
      'header.csv',
      'email,mail,email,nickname,firstName\na@globex.test,a@globex.test,b@globex.test,a,Anna\n',
      [
        'line 1: email is there twice',
        'line 1: there is no field "mail": --map mail=… names the one that it gives, --map mail= leaves it out',
        'line 1: there is no field "nickname": --map nickname=… names the one that it gives, --map nickname= leaves it out',
        'line 1: no column gives lastName',
      ],
      '4 mistakes',
    ],
    [
      'what is not JSON, or not an object',
      'other.jsonl',
      '{"email": 1,}\n[]\nnull\n{"constructor": 1, "toString": 2}\n',
      [
        'line 1: not a JSON object, at character 13',
        'line 2: it is not an object',
        'line 3: it is not an object',
        'line 4: email is missing',
        'line 4: firstName is missing',
        'line 4: lastName is missing',
        'line 4: there is no field "constructor"',
        'line 4: there is no field "toString"',
      ],
      '8 mistakes in 4 users',
    ],
    [
      'a user with very many mistakes',
      'lists.jsonl',
      line('a@globex.test', { roles: Array.from({ length: 900 }, (_, index) => `role-${index}`) }),
      [...Array.from({ length: 10 }, (_, index) => `line 1: roles: there is no role role-${index}`), 'line 1: 890 more mistakes'],
      '11 mistakes in 1 user',
    ],
    [
      'a name that moves the cursor, and is too long to be shown',
      'escape.jsonl',
      line('a@globex.test', { [`\u001b[2J${'k'.repeat(100_000)}`]: 1 }),
      [`line 1: there is no field "\uFFFD[2J${'k'.repeat(477)}…`],
      '1 mistake in 1 user',
    ],
  ])('names the line of %s (%s)', async (_, name, content, mistakes, counted) => {
    expect(await imported(name, content)).toEqual({
      status: 1,
      stdout: [...mistakes, `Nothing was written: ${counted}`, ''].join('\n'),
      stderr: '',
    })
  })

  it('has written none of the users of those files', async () => {
    for (const name of ['a', 'b', 'c']) expect(await gatehouse(`user find ${name}@globex.test`)).toMatchObject({ status: 1, stdout: '' })
  })

  it('shows the first mistakes of 100,000 wrong lines, says how many more there are, and needs little memory', async () => {
    const wrong = Array.from({ length: 100_000 }, (_, index) => line(`nobody-${index}`)).join('')

    const { status, stdout, stderr } = await gatehouse(`import users ${await inFile('wrong.jsonl', wrong)} --organisation globex`, {
      NODE_OPTIONS: '--max-old-space-size=64',
    })

    // Progress is said every ten seconds.
    expect({ status, stderr: stderr.replace(/^[\d,]+ users checked.*\n/gm, '') }).toEqual({ status: 1, stderr: '' })
    const lines = stdout.split('\n')
    expect(lines).toHaveLength(1_003)
    expect(lines.at(999)).toBe('line 1000: email: Invalid email')
    expect(lines.slice(1_000)).toEqual(['… and 99,000 more', 'Nothing was written: 100,000 mistakes in 100,000 users', ''])
  })

  it('refuses a folder', async () => {
    expect(await gatehouse(`import users ${home.folder} --organisation globex`)).toEqual({
      status: 1,
      stdout: '',
      stderr: `${home.folder} is not a file\n`,
    })
  })

  it('refuses two columns or members that give the same field, and a field that there is not', async () => {
    const twice = { stdout: expect.stringContaining('line 1: email and mail both give email\n'), status: 1 }
    expect(await imported('twice.csv', `${header.trim()},mail\na@globex.test,A,B,b@globex.test\n`, '--map mail=email')).toMatchObject(twice)
    expect(await imported('twice.jsonl', line('a@globex.test', { mail: 'b@globex.test' }), '--map mail=email')).toMatchObject(twice)
    expect(await imported('one.jsonl', line('a@globex.test'), '--map mail=emial')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('--map gives emial, which is not a field'),
    })
  })
})

ofFiles('gatehouse import users, of a file as other programs write it', () => {
  it.each([
    ['a mark at its beginning', 'mark.jsonl', `\uFEFF${line('mark@globex.test')}`],
    ['lines that end as on Windows', 'windows.jsonl', line('windows@globex.test').replaceAll('\n', '\r\n')],
    ['lines that end as on Windows, the header not', 'mixed.csv', `${header}mixed@globex.test,Anna,Berg\r\n`],
    ['the header alone ends as on Windows', 'mixed-2.csv', `${header.trim()}\r\nmixed-2@globex.test,Anna,Berg`],
    [
      'separators of lines in a text',
      'separators.jsonl',
      line('separators@globex.test', { metadata: { note: 'one\u2028two\u2029three' } }),
    ],
  ])('reads %s', async (_, name, content) => {
    expect(await imported(name, content)).toEqual({ status: 0, stdout: 'Created 1 of 1 user in globex\n', stderr: '' })
  })
})

ofFiles('gatehouse import keycloak and auth0, of a file with mistakes', () => {
  it.each([
    ['keycloak', 'latin.json', latin1('{\n"realm":"Zürich"}'), 'latin.json is not JSON: line 2: it is not UTF-8: its byte 11 is 0xfc\n'],
    ['keycloak', 'broken.json', '{\n"realm":\n"x",}', 'broken.json is not JSON, at line 3, character 5\n'],
    ['keycloak', 'empty.json', '', 'empty.json is not JSON\n'],
    ['auth0', 'broken-array.json', '[\n{"email":]', 'broken-array.json is not JSON'],
  ])('says where it is none: %s %s', async (command, name, content, message) => {
    expect(await gatehouse(`import ${command} ${await inFile(name, content)} --organisation globex`)).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringContaining(message),
    })
  })

  it.each([
    ['', 'line 1: the file is empty', '1 mistake'],
    ['[]', 'line 1: the array is empty', '1 mistake'],
    ['null\n', 'line 1: it is not an object', '1 mistake in 1 user'],
    [latin1('{"email":"ü"}\n'), 'line 1: it is not UTF-8: its byte 11 is 0xfc', '1 mistake in 1 user'],
  ])('names the line of an export of Auth0: %j', async (content, mistake, counted) => {
    expect(await gatehouse(`import auth0 ${await inFile('auth0.ndjson', content)} --organisation globex`)).toEqual({
      status: 1,
      stdout: `${mistake}\nNothing was written: ${counted}\n`,
      stderr: '',
    })
  })

  it('names the line of the hashes of passwords', async () => {
    const users = await inFile('users.ndjson', '{"email":"hash@globex.test"}\n')
    const hashes = await inFile('hashes.ndjson', '{"_id":"1","passwordHash":"x"}\n{"_id":\n')
    expect(await gatehouse(`import auth0 ${users} --password-hashes ${hashes} --organisation globex`)).toEqual({
      status: 1,
      stdout: '',
      stderr: `${hashes}: line 2: not a JSON object\n`,
    })
  })

  it('reads a realm with a mark at its beginning', async () => {
    const file = await inFile('mark.json', '\uFEFF{"realm":"x"}')
    expect(await gatehouse(`import keycloak ${file} --organisation globex --dry-run`)).toMatchObject({ status: 0 })
  })
})
