/** What all commands have in common before they open a database, over the built command. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { kinds } from '../../src/cli/records/kinds.ts'
import { builtService } from '../support/built-service.ts'
import { allCommands, helpOf, runProcess, startCommand } from '../support/command.ts'
import { needs } from '../support/needs.ts'

const commands = await allCommands()
const groupOf = (words: string) => words.split(' ')[0]

describe('gatehouse', () => {
  it('prints its release', async () => {
    expect(await runProcess({}, '--version')).toEqual({ status: 0, stdout: `${packageJson.version}\n`, stderr: '' })
  })

  it.each(['version', '-v'])('prints it for %s, too', async (word) => {
    expect((await runProcess({}, word)).stdout).toBe(`${packageJson.version}\n`)
  })

  it('prints its help when it is given nothing, and that of a command for `help`', async () => {
    expect(await runProcess({}, '')).toEqual(await runProcess({}, '--help'))
    expect(await runProcess({}, 'help user block')).toEqual(await runProcess({}, 'user block --help'))
  })

  it('reads variables from a file, which those of the environment precede', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-command-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const file = join(folder, 'environment')
    await writeFile(file, 'PORT=4711\nHOST=::1\n')
    const { stdout } = await runProcess({ HOST: '::' }, ['config', 'print', '--given', '--json', '--env-file', file])
    expect(stdout).toMatch(/"PORT","value":"4711"/)
    expect(stdout).toMatch(/"HOST","value":"::"/)
    // Node itself reads this option, too, and may be the first to miss the file.
    const missed = await runProcess({}, ['config', 'print', '--env-file', join(folder, 'none')])
    expect(missed.stderr).toContain('none')
    expect(missed.stdout).toBe('')
  })

  it('reads variables from several files, of which the later ones precede', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-command-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const [first, second] = [join(folder, 'environment'), join(folder, 'database')]
    await writeFile(first, 'PORT=4711\nHOST=::1\nWORKERS=2\n')
    await writeFile(second, 'PORT=4712\nHOST=::2\nMAIL_FROM=Help #1 <help@acme.test>\n')
    const command = ['config', 'print', '--given', '--json']
    const { stdout, stderr } = await runProcess({ HOST: '::' }, ['--env-file', first, ...command, `--env-file=${second}`])
    expect(stderr).toBe('')
    const given = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { name: string; value: string })
    expect(Object.fromEntries(given.map(({ name, value }) => [name, value]))).toEqual({
      PORT: '4712',
      HOST: '::',
      WORKERS: '2',
      MAIL_FROM: 'Help #1 <help@acme.test>',
    })
    const missed = await runProcess({}, ['--env-file', first, '--env-file', join(folder, 'none'), ...command])
    expect(missed.stderr).toContain('none')
    expect(missed.stdout).toBe('')
  })

  it.each([
    ['with a byte order mark', '\uFEFFPORT=4711\n', { PORT: '4711' }],
    ['with the ends of lines of Windows', 'PORT=4711\r\nHOST=::1\r\n', { PORT: '4711', HOST: '::1' }],
    [
      'with a number sign in a value',
      'MAIL_FROM=Help #1 <help@acme.test>\nPORT=4711\n',
      { MAIL_FROM: 'Help #1 <help@acme.test>', PORT: '4711' },
    ],
    ['with comments', '# PORT=1\n; PORT=2\n  # PORT=3\nPORT=4711\n', { PORT: '4711' }],
    [
      'with quotes',
      `HOST='::1'\nMAIL_FROM="\\"Acme \\$1\\" <a@acme.test>"\nPORT = 4711 \n`,
      { HOST: '::1', MAIL_FROM: '"Acme $1" <a@acme.test>', PORT: '4711' },
    ],
    ['with an apostrophe in a value', "MAIL_FROM=Olive's <a@acme.test>\nPORT=4711\n", { MAIL_FROM: "Olive's <a@acme.test>", PORT: '4711' }],
    ['with a variable twice', 'PORT=1\nPORT=4711\n', { PORT: '4711' }],
  ])('reads a file %s as systemd does', async (_, content, expected) => {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-command-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const file = join(folder, 'environment')
    await writeFile(file, content)
    const { stdout, stderr } = await runProcess({}, ['config', 'print', '--given', '--json', '--env-file', file])
    expect(stderr).toBe('')
    const given = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { name: string; value: string })
    expect(Object.fromEntries(given.map(({ name, value }) => [name, value]))).toEqual(expected)
  })

  it('lists its commands in groups', async () => {
    const { status, stdout } = await runProcess({}, '--help')
    expect(status).toBe(0)
    expect(stdout).toMatch(/^Organisations and their users:\n {2}organisation /m)
    for (const { words } of commands) expect(stdout).toMatch(new RegExp(`^  ${words.split(' ')[0]}\\b`, 'm'))
  })

  it.each([
    ['nonsense', "Unknown command 'nonsense'", ''],
    ['webhooks nonsense', "Unknown command 'nonsense'", 'webhooks'],
    ['serve now', 'Too many arguments', 'serve'],
    ['migrate up --nonsense', "Unknown option '--nonsense'", 'migrate up'],
    ['user block', "Missing required argument 'user'", 'user block'],
  ])('refuses %s and names what is wrong, and the help of the command', async (line, message, words) => {
    const { status, stdout, stderr } = await runProcess({}, line)
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(stderr).toContain(message)
    expect(stderr).toContain(`Run \`gatehouse${words === '' ? '' : ` ${words}`} --help\``)
  })
})

describe('each command', () => {
  it.each(commands)('explains itself with an example: $words', ({ words, command }) => {
    expect(helpOf(command)).toMatch(new RegExp(`Examples?:\\n(?:.*\\n)*?.*gatehouse ${words}`))
  })

  // Those of one group are loaded together.
  const ofEachGroup = commands.filter(({ words }, index) => commands.findIndex((one) => groupOf(one.words) === groupOf(words)) === index)
  it.each(ofEachGroup)('prints its help when it is asked: $words', async ({ words, command }) => {
    expect(await runProcess({}, `${words} --help`)).toEqual({ status: 0, stdout: helpOf(command), stderr: '' })
  })

  it('takes no secret as an argument: other users of the machine can read it', () => {
    for (const { words, command } of commands)
      for (const { long, required, optional } of command.options)
        if (required || optional) expect(`${words} ${long}`).not.toMatch(/--(?:.*-)?(?:password|secret)$/)
  })
})

describe('docs/cli.md', () => {
  it('names each kind of record that has commands', async () => {
    const page = await readFile('docs/cli.md', 'utf8')
    const [, named = ''] = /^## Records of an organisation\n\n([\s\S]*?) do what the \[API\]/m.exec(page) ?? []
    expect([...named.matchAll(/`([^`]+)`/g)].map(([, word]) => word).sort()).toEqual(Object.keys(kinds).sort())
  })
})

describe('a command', () => {
  it('makes no database where there is none', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-command-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const { status, stderr } = await runProcess({ DATA_DIR: join(folder, 'data') }, 'organisation list')
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringMatching(/^There is no database in .*: set DATA_DIR or .*\n$/) })
    expect(await readdir(folder)).toEqual([])
  })

  it.each([
    [
      { DATABASE_URL: 'postgres://gatehouse:secret@127.0.0.1:1/gatehouse' },
      /^DATABASE_URL is "postgres:\/\/gatehouse@127\.0\.0\.1:1\/gatehouse": .*\n$/,
    ],
    [{ DATABASE_URL: 'mysql://127.0.0.1/x' }, /^DATABASE_URL .*\n$/],
  ])('says what is wrong with %j, and what mends it', async (environment, line) => {
    const { status, stdout, stderr } = await runProcess(environment, 'organisation list')
    expect({ status, stdout, stderr }).toEqual({ status: 1, stdout: '', stderr: expect.stringMatching(line) })
    expect(stderr).not.toContain('secret')
  })

  it.each([
    ['apply --organisation acme --plan FOLDER/none', 'none cannot be read: there is no such file (ENOENT)'],
    ['apply --organisation acme --plan FOLDER', ' cannot be read: it is a folder (EISDIR)'],
    ['verify isolation --check FOLDER', ' cannot be read: it is a folder (EISDIR)'],
    ['organisation recipient-key FOLDER/none/key.jwk', 'none/key.jwk cannot be written: there is no such folder (ENOENT)'],
    ['organisation import FOLDER/none --untrusted', 'none cannot be read: there is no such file (ENOENT)'],
    ['client list --url https://localhost:2 --api-key-file FOLDER', ', which cannot be read: it is a folder (EISDIR)'],
  ])('says in words why it cannot use a file: %s', async (line, expected) => {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-command-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const { status, stdout, stderr } = await runProcess({}, line.replace('FOLDER', folder))
    expect({ status, stdout, stderr }).toEqual({ status: 1, stdout: '', stderr: expect.stringMatching(/^[^\n]*\n$/) })
    expect(stderr.trimEnd().endsWith(expected)).toBe(true)
  })

  it('says in words why it cannot reach a service', async () => {
    const environment = { GATEHOUSE_API_KEY: 'gk_1' }
    expect((await runProcess(environment, 'client list --url https://localhost:2')).stderr).toBe(
      'https://localhost:2 cannot be reached: nothing listens there (ECONNREFUSED)\n',
    )
  })

  const json = 'content-type: application/json\r\n'
  it.each([
    [
      'that breaks off',
      `HTTP/1.1 200 OK\r\n${json}content-length: 500\r\n\r\n{"data":[`,
      'broke off its response: it closed the connection (UND_ERR_SOCKET)',
    ],
    ['of a page', 'HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 6\r\n\r\n<html>', 'responded 200 without JSON'],
    ['without a document', `HTTP/1.1 200 OK\r\n${json}content-length: 4\r\n\r\nnull`, 'responded 200 without JSON'],
    [
      'that leads elsewhere',
      'HTTP/1.1 301 Moved\r\nlocation: https://id.acme.test/v1/admin/clients\r\ncontent-length: 0\r\n\r\n',
      'redirects to https://id.acme.test: --url names the address where the service is without a redirect',
    ],
  ])('says of a response %s what is wrong with it', async (_kind, response, said) => {
    const server = createServer((socket) => void socket.on('error', () => {}).once('data', () => socket.end(response)))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const { status, stderr } = await runProcess({ GATEHOUSE_API_KEY: 'gk_1' }, `client list --url ${url}`)
    expect({ status, stderr }).toEqual({ status: 1, stderr: `${url} ${said}\n` })
  })

  /** Runs a command against a server that answers each request by writing this to its connection, which then ends. */
  async function against(response: string, command: string) {
    let requests = 0
    const server = createServer((socket) => {
      socket
        .on('error', () => {})
        .once('data', () => {
          requests++
          socket.end(response)
        })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const { stderr } = await runProcess({ GATEHOUSE_API_KEY: 'gk_1' }, `${command} --url ${url}`)
    return { stderr, requests }
  }

  it.each([
    ['breaks off', `HTTP/1.1 201 Created\r\n${json}content-length: 500\r\n\r\n{"id":`, /broke off its response: .*\. /],
    ['does not come', '', /cannot be reached: it closed the connection \(UND_ERR_SOCKET\)\. /],
    ['is that of a proxy', 'HTTP/1.1 504 Gateway Timeout\r\ncontent-length: 0\r\n\r\n', /responded 504 without JSON\. /],
    [
      'says that the database went away',
      `HTTP/1.1 503 Service Unavailable\r\n${json}connection: close\r\n\r\n{"code":"x","detail":"Away just now"}`,
      /Away just now\. /,
    ],
  ])('sends a change again whose response %s, and says in the end that it may have been made', async (_how, response, said) => {
    const { stderr, requests } = await against(response, 'team create --name Sales --slug sales')
    expect(stderr).toMatch(new RegExp(`${said.source}What was asked for may have been done: look before you repeat it\\n$`))
    expect(requests).toBe(4)
  })

  it('says that its output cannot be written', needs('/dev/full', existsSync('/dev/full')), async () => {
    const full = openSync('/dev/full', 'w')
    onTestFinished(() => closeSync(full))
    const child = spawn(process.execPath, [builtService, 'config', 'print'], {
      stdio: ['ignore', full, 'pipe'],
      env: { PATH: process.env.PATH },
    })
    const stderr = await text(child.stderr as Readable)
    expect([child.exitCode ?? (await once(child, 'exit'))[0], stderr]).toEqual([
      1,
      'The output cannot be written: its disk is full (ENOSPC)\n',
    ])
  })

  it('has its own exit status when the reader of its output has ended', async () => {
    const child = startCommand({ PORT: 'x' }, 'config check')
    child.stdout.destroy()
    expect(await once(child, 'exit')).toEqual([1, null])
  })

  it('has its own exit status when the reader of its notices has ended', async () => {
    const child = startCommand({}, 'nonsense')
    child.stderr.destroy()
    expect(await once(child, 'exit')).toEqual([2, null])
  })

  it('says which variable is wrong', async () => {
    const { status, stderr } = await runProcess({ PORT: 'x' }, 'organisation list')
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringMatching(/^PORT .*\n$/) })
  })
})

describe('gatehouse completion', () => {
  /** What bash offers after a line. */
  async function offeredBy(script: string, line: string): Promise<string[]> {
    const words = line.split(' ')
    const { stdout } = await promisify(execFile)('bash', [
      '-c',
      `${script}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _gatehouse; printf '%s\\n' "\${COMPREPLY[@]}"`,
      'bash',
      ...words,
    ])
    return stdout.split('\n').filter(Boolean)
  }

  it('completes commands and options in bash', async () => {
    const { stdout: script } = await runProcess({}, 'completion bash')
    expect(await offeredBy(script, 'gatehouse mig')).toEqual(['migrate'])
    expect(await offeredBy(script, 'gatehouse webhooks l')).toEqual(['listen'])
    expect(await offeredBy(script, 'gatehouse webhooks listen --port 8443 --f')).toEqual(['--forward'])
  })

  it.each(['zsh', 'fish', 'powershell'])('prints a script for %s that names every command', async (shell) => {
    const { status, stdout } = await runProcess({}, `completion ${shell}`)
    expect(status).toBe(0)
    for (const { words } of commands) expect(stdout).toContain(`'${words}'`)
  })

  it('completes in zsh', needs('zsh', existsSync('/usr/bin/zsh')), async () => {
    const { stdout: script } = await runProcess({}, 'completion zsh')
    const stubs = 'compdef() {}; _describe() { print -l -- $next }'
    const { stdout } = await promisify(execFile)('/usr/bin/zsh', [
      '-fc',
      `${stubs}\n${script}\nwords=(gatehouse user --json sessions ''); CURRENT=5; _gatehouse`,
    ])
    expect(stdout.split('\n')[0]).toMatch(/^end:Signs a user out everywhere/)
  })

  it('knows no other shell', async () => {
    const { status, stderr } = await runProcess({}, 'completion tcsh')
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining('bash, zsh, fish') })
  })
})
