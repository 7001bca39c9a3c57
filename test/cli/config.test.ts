import { describe, expect, it } from 'vitest'
import { variableNames } from '../../src/app/variables.ts'
import { recordsOf, runProcess } from '../support/command.ts'

const key = Buffer.alloc(32, 7).toString('base64')
const secrets = {
  SECRET_KEY: key,
  SYSTEM_API_KEY: 'very-secret-and-longer-than-that-is',
  DATABASE_URL: 'postgres://gatehouse:very-secret@db:5432,[::1]:5433/gatehouse?password=very-secret',
  REDIS_URL: 'redis://:very-secret@redis:6379',
}

describe('gatehouse config print', () => {
  it('prints every variable with value, origin and default, and no secret', async () => {
    const environment = { ...secrets, NODE_ENV: 'production', PUBLIC_URL: 'https://id.example.com', PORT: '8080' }
    const result = await runProcess(environment, 'config print --json')
    expect({ status: result.status, stderr: result.stderr }).toEqual({ status: 0, stderr: '' })
    const rows = recordsOf(result)
    expect(rows.map(({ name }) => name)).toEqual(variableNames)
    const row = (name: string) => rows.find((one) => one.name === name)
    expect(row('PORT')).toEqual({ name: 'PORT', value: '8080', origin: 'environment', default: '3000' })
    expect(row('HOST')).toEqual({ name: 'HOST', value: '0.0.0.0', origin: 'default', default: '0.0.0.0' })
    expect(row('OAUTH_EXTENSIONS')).toEqual({ name: 'OAUTH_EXTENSIONS', value: null, origin: 'unset', default: null })
    expect(row('PROBLEMS_HOST')).toMatchObject({ value: 'id.example.com', origin: 'default' })
    expect(row('SECRET_KEY')).toMatchObject({ value: '********', origin: 'environment' })
    expect(row('DATABASE_URL')?.value).toBe('postgres://gatehouse:********@db:5432,[::1]:5433/gatehouse?********')
    expect(row('REDIS_URL')?.value).toBe('redis://:********@redis:6379')
    expect(result.stdout).not.toContain('very-secret')
    expect(result.stdout).not.toContain(key)
  })

  it('prints what the environment sets alone, also where it cannot be used', async () => {
    const { status, stdout } = await runProcess({ PORT: 'http', DATABASE_URL: 'postgres://a:very-secret#x@db' }, 'config print --given')
    expect(status).toBe(0)
    expect(stdout).toMatch(/^NAME +VALUE +ORIGIN +DEFAULT\nPORT +http +environment +3000\nDATABASE_URL +\*{8} +environment +-\n$/)
  })
})

describe('gatehouse config check', () => {
  it('says all that would stop a start, with 1', async () => {
    const mistakes = [
      'PORT is "http" and must be a whole number from 0 to 65535',
      'SECRET_KEY is not set and must be set in production: 32 bytes in base64, as `openssl rand -base64 32` prints them',
    ]
    const environment = { NODE_ENV: 'production', PUBLIC_URL: 'https://id.example.com', PORT: 'http' }
    expect(await runProcess(environment, 'config check')).toEqual({
      status: 1,
      stdout: mistakes.map((line) => `Mistake: ${line}\n`).join(''),
      stderr: '',
    })
    const { status, stdout } = await runProcess(environment, 'config check --json')
    expect([status, JSON.parse(stdout)]).toEqual([1, { mistakes, warnings: [] }])
    expect(
      await runProcess({ PASSKEY_RP_ID: 'co.uk', PUBLIC_URL: 'https://x.co.uk', ALLOW_DEVELOPMENT_ON: 'x.co.uk' }, 'config check'),
    ).toMatchObject({
      status: 1,
      stdout: expect.stringMatching(/^Mistake: PASSKEY_RP_ID is "co\.uk" and must be /),
    })
  })

  it('warns of what contradicts itself, with 0', async () => {
    const environment = {
      SECRET_KEY: key,
      SECRET_KEY_PREVIOUS: key,
      RATE_LIMIT: 'off',
      SMS_FROM: 'Gate',
      SMTP_URI: 'x',
      ...{ REDIS_URL: secrets.REDIS_URL },
    }
    const { status, stdout } = await runProcess(environment, 'config check')
    expect([status, stdout.trim().split('\n')]).toEqual([
      0,
      [
        'Warning: SMS_FROM has no effect without SMS_GATEWAY_URL',
        'Warning: SECRET_KEY_PREVIOUS is the same as SECRET_KEY: it has to be the key before, or unset',
        'Warning: REDIS_URL has no effect while RATE_LIMIT is off',
        'Warning: SMTP_URI is set and means nothing here: if SMTP_URL is meant, rename it',
      ],
    ])
    expect(await runProcess({}, 'config check')).toEqual({ status: 0, stdout: 'Nothing is wrong\n', stderr: '' })
  })
})
