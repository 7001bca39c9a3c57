import { createHmac } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { type EventDescription, events, testEvent } from '../../src/activity/events.ts'
import { codeIn, needsGo, needsPython, run } from '../support/languages.ts'

const webhooksPage = await readFile('docs/webhooks.md', 'utf8')
const eventsPage = await readFile('docs/events.md', 'utf8')
const folder = await mkdtemp(join(tmpdir(), 'gatehouse-documents-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

const codeOf = (language: string) => codeIn(webhooksPage, language)

const secret = 'whsec_the whole of it'
const body = '{"type":"user.created","data":{"name":"Zoë 🎉","n":1.50}}'
const good = createHmac('sha256', secret).update(body).digest('hex')
/** Signature headers, and whether the request is genuine. */
const cases: [string[], boolean][] = [
  [[good, ''], true],
  [['', good], true],
  [[good.toUpperCase(), ''], false],
  [[good.replace(/^./, (digit) => (digit === '0' ? '1' : '0')), ''], false],
  [['', ''], false],
  [['é', good.slice(1)], false],
]
const expected = cases.map(([, isGenuine]) => isGenuine)

describe('the verification code of docs/webhooks.md', () => {
  it('tells genuine requests from others in TypeScript', async () => {
    const file = join(folder, 'verify.ts')
    await writeFile(file, codeOf('ts'))
    const { isGenuine } = await import(/* @vite-ignore */ file)
    expect(cases.map(([signatures]) => isGenuine(Buffer.from(body), signatures, secret))).toEqual(expected)
  })

  it('tells genuine requests from others in Python', needsPython, async () => {
    const asked = JSON.stringify({ body, secret, cases: cases.map(([signatures]) => signatures) })
    const program = `${codeOf('python')}
import json, sys
asked = json.loads(sys.argv[1])
print(json.dumps([is_genuine(asked["body"].encode(), signatures, asked["secret"]) for signatures in asked["cases"]]))`
    const { stdout } = await run('python3', ['-c', program, asked])
    expect(JSON.parse(stdout)).toEqual(expected)
  })

  it('tells genuine requests from others in Go', needsGo, async () => {
    const asked = JSON.stringify({ body, secret, cases: cases.map(([signatures]) => signatures) })
    await writeFile(join(folder, 'go.mod'), 'module webhook\n\ngo 1.19\n')
    await writeFile(join(folder, 'webhook.go'), codeOf('go').replace('package webhook', 'package main'))
    await writeFile(
      join(folder, 'main.go'),
      `package main

import (
	"encoding/json"
	"os"
)

func main() {
	var asked struct {
		Body, Secret string
		Cases        [][]string
	}
	json.Unmarshal([]byte(os.Args[1]), &asked)
	answers := []bool{}
	for _, signatures := range asked.Cases {
		answers = append(answers, IsGenuine([]byte(asked.Body), signatures, asked.Secret))
	}
	json.NewEncoder(os.Stdout).Encode(answers)
}
`,
    )
    const { stdout } = await run('go', ['run', '.', asked], { cwd: folder })
    expect(JSON.parse(stdout)).toEqual(expected)
  })
})

describe('docs/events.md', () => {
  it('describes every event with its variants and an example of each form of its data, and no other', () => {
    const sections = eventsPage.split(/^## /m).slice(1)
    const described = sections.map((section) => {
      const [, name, text, examples = ''] = /^(\S+)\n\n(.*)\n\n```json\n([\s\S]*)```\n$/.exec(section.trimEnd().concat('\n')) ?? []
      return { name, text, forms: examples.split('```\n\nOr:\n\n```json\n').map((json) => JSON.parse(json)) }
    })

    const catalogue = Object.entries<EventDescription>({ ...events, 'webhook.test': testEvent }).map(
      ([name, { variants, description, data, otherForms = [] }]) => ({
        name,
        text: `${variants.length === 0 ? 'Neither variant' : `Variant ${variants.join(' and ')}`}. ${description}.`,
        forms: [data, ...otherForms],
      }),
    )
    expect(described).toEqual(catalogue.sort((left, right) => (left.name < right.name ? -1 : 1)))
  })
})
