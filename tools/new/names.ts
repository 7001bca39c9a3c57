/** The forms of a name, by the place in which the house writes them. Templates name them in double braces. */
export function namesOf(kebab: string) {
  if (!/^[a-z]+(?:-[a-z]+)*$/.test(kebab)) throw new Error(`"${kebab}" is no name in lower case with hyphens, such as cost-centre`)
  const many = pluralOf(kebab)
  return {
    kebab,
    kebabs: many,
    camel: camelCase(kebab),
    camels: camelCase(many),
    Pascal: capitalised(camelCase(kebab)),
    Pascals: capitalised(camelCase(many)),
    snake: snakeCase(kebab),
    snakes: snakeCase(many),
    words: kebab.replaceAll('-', ' '),
    manyWords: many.replaceAll('-', ' '),
    Words: capitalised(kebab.replaceAll('-', ' ')),
    ManyWords: capitalised(many.replaceAll('-', ' ')),
    aWords: `${/^[aeiou]/.test(kebab) ? 'an' : 'a'} ${kebab.replaceAll('-', ' ')}`,
  }
}

/** Writes the forms of a name in the place of their tokens. */
export function fill(template: string, names: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{\{(\w+)\}\}/g, (token, form: string) => {
    const name = names[form]
    if (name === undefined) throw new Error(`${token} is no form of a name`)
    return name
  })
}

function pluralOf(name: string): string {
  if (/[^aeiou]y$/.test(name)) return `${name.slice(0, -1)}ies`
  return /(?:s|x|ch|sh)$/.test(name) ? `${name}es` : `${name}s`
}

const camelCase = (name: string) => name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
const snakeCase = (name: string) => name.replaceAll('-', '_')
const capitalised = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`
