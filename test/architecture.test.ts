import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { floors } from '../tools/floors.ts'

/** The folders of the table, by the floor that it says they are on. */
function foldersOfPage(): string[][] {
  const found: string[][] = []
  let floor = 0
  for (const [, number, folder = ''] of readFileSync('docs/architecture.md', 'utf8').matchAll(/^\| (\d*) ?\| `([a-z-]+)` \|/gm)) {
    if (number) floor = Number(number)
    found[floor] = [...(found[floor] ?? []), folder]
  }
  return found
}

describe('the map of the source', () => {
  it('names every folder of src once, on its floor', () => {
    expect(foldersOfPage().map((folders) => folders.toSorted())).toEqual(floors.map((folders) => [...folders].toSorted()))
    expect(foldersOfPage().flat().toSorted()).toEqual(readdirSync('src').toSorted())
  })

  it('says what every larger folder is for, there or in a folder above', () => {
    const folders = globSync('{src,console/src}/**/').filter((folder) => globSync(`${folder}/*.{ts,tsx}`).length > 5)
    expect(folders.length).toBeGreaterThan(40)
    const isNamedIn = (above: string, name: string): boolean => {
      const text = existsSync(`${above}/README.md`) ? readFileSync(`${above}/README.md`, 'utf8') : ''
      return text.includes(`${name}/`) || text.includes(`## ${name}\n`) || (above.includes('/') && isNamedIn(dirname(above), name))
    }
    const isDescribed = (folder: string) => existsSync(`${folder}/README.md`) || isNamedIn(dirname(folder), basename(folder))
    expect(folders.filter((folder) => !isDescribed(folder))).toEqual([])
  })

  it.each(['docs/architecture.md', 'docs/style.md'])('names files that exist: %s', (page) => {
    const named = [...readFileSync(page, 'utf8').matchAll(/`((?:[\w-]+\/)+[\w.-]+\.ts)`/g)].map(([, path = '']) => path)
    expect(named.length).toBeGreaterThan(8)
    expect(named.filter((path) => !existsSync(path) && !existsSync(`src/${path}`))).toEqual([])
  })
})
