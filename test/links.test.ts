import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'

const documents = [...globSync('*.md'), ...globSync('{deploy,docs,examples,packages,src}/**/*.md', { exclude: ['**/node_modules/**'] })]

/** The name that a page gives to a heading. */
const anchorOf = (heading: string) =>
  heading
    .trim()
    .toLowerCase()
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

const anchorsOf = (file: string) =>
  new Set([...readFileSync(file, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading)))

/** What a link between our documents leads to: a file, and a heading in it. */
const linksOf = (file: string) =>
  [
    ...readFileSync(file, 'utf8')
      .replace(/```.*?```/gs, '')
      .matchAll(/\]\(([^)\s]+)\)/g),
  ]
    .map(([, link = '']) => link)
    .filter((link) => !/^(https?:|mailto:|<)/.test(link))
    .map((link) => {
      const [path, anchor] = link.split('#')
      return { link, target: path ? join(dirname(file), path) : file, anchor }
    })

describe('links between documents', () => {
  it('lead to files and headings that are there', () => {
    const links = documents.flatMap((file) => linksOf(file).map((link) => ({ file, ...link })))
    expect(links.length).toBeGreaterThan(300)
    const isBroken = ({ target, anchor }: { target: string; anchor: string | undefined }) =>
      !existsSync(target) || (anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).has(anchor))
    expect(links.filter(isBroken)).toEqual([])
  })
})
