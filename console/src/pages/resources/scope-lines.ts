interface Scope {
  name: string
  description: string | null
}

/** One scope a line: its name, and after a space what it allows. */
export const linesOf = (scopes: readonly Scope[]): string =>
  scopes.map(({ name, description }) => (description ? `${name} ${description}` : name)).join('\n')

export const scopesIn = (text: string): Scope[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const [name = ''] = line.split(/\s/, 1)
      return { name, description: line.slice(name.length).trim() || null }
    })
