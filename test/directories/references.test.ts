import { describe, expect, it } from 'vitest'
import { type GivenDirectory, givenDirectory } from '../support/directories.ts'
import { unique } from '../support/given.ts'
import { useService } from '../support/service.ts'
import { entra } from './entra.ts'
import { okta } from './okta.ts'
import type { Step } from './steps.ts'

const service = useService()

const filled = <T>(value: T, variables: Record<string, string>): T =>
  JSON.parse(
    JSON.stringify(value).replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => variables[name] ?? expect.fail(`${name} is not known yet`)),
  )

/** Sends the requests in their order, each with what the former have made known. */
async function play({ scim, domain }: GivenDirectory, steps: readonly Step[]): Promise<void> {
  const variables: Record<string, string> = { run: unique(), domain }
  for (const { name, method, path, body, status, has, stores = {} } of steps) {
    const [address = '', query] = filled(path, variables).split('?')
    const parameters = new URLSearchParams(query).toString()
    const answer = await scim.request(
      method,
      `${address}${parameters === '' ? '' : `?${parameters}`}`,
      body === undefined ? {} : { body: filled(body, variables) },
    )
    expect({ name, status: answer.status, body: answer.body }).toMatchObject({
      name,
      status,
      ...(has !== undefined && { body: filled(has, variables) }),
    })
    for (const [variable, member] of Object.entries(stores)) variables[variable] = answer.body[member]
  }
}

describe('the requests of published references', () => {
  it.each([
    ['Entra ID, then of Okta', [entra, okta]],
    ['Okta, then of Entra ID', [okta, entra]],
  ] as const)('are understood, those of %s, and twice', async (_, sequences) => {
    const directory = await givenDirectory(service())
    for (const steps of [...sequences, ...sequences]) await play(directory, steps)
  })
})
