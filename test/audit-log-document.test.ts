import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import * as ofActions from '../src/audit/refusals.ts'
import * as ofEntries from '../src/undo/refusals.ts'

it('docs/audit-log.md says of each code why such an entry is not undone', () => {
  const refusals = [...Object.values(ofActions), ...Object.values(ofEntries)]
  const codes = refusals.filter(({ code, slug }) => code.startsWith('undo-') && slug === 'bad-request').map(({ code }) => code)
  const listed = [...readFileSync('docs/audit-log.md', 'utf8').matchAll(/^\| `(undo-[a-z-]+)` \|/gm)].map(([, code]) => code)
  expect(listed.toSorted()).toEqual(codes.toSorted())
})
