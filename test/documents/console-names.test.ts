import { glob, readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'

const read = async (patterns: string[]) =>
  Promise.all((await Array.fromAsync(glob(patterns))).sort().map(async (file) => [file, await readFile(file, 'utf8')] as const))

it('guides name what is in the console as the console does', async () => {
  const shown = (await read(['console/src/texts/en/*.ts'])).map(([, text]) => text).join('\n')
  const guides = await read(['README.md', 'docs/*.md', 'docs/kit/*.md', 'examples/*/README.md'])
  const named = guides.flatMap(([file, text]) =>
    [...text.matchAll(/\*\*([^*\n]+)\*\*(?:\]\([^)]*\))? in the console/g)].flatMap(([, name = '']) =>
      name.split(' → ').map((part) => ({ file, part })),
    ),
  )

  expect(named.length).toBeGreaterThan(10)
  expect(named.filter(({ part }) => !shown.includes(part))).toEqual([])
})
