import type { Snippet } from './framework.ts'

const commentMarks: Record<string, string> = {
  js: '//',
  ts: '//',
  java: '//',
  csharp: '//',
  go: '//',
  python: '#',
  yaml: '#',
  toml: '#',
  apache: '#',
  ini: ';',
}

/** Joins all snippets into one text: commands can be pasted into a terminal, other files are named in a comment. */
export function copyOfAll(snippets: readonly Snippet[], environment: string | undefined): string {
  const files = snippets.map(({ file, language, code }) => {
    const mark = commentMarks[language]
    return mark ? `${mark} ${file}\n${code}` : code
  })
  const isForTerminal = snippets.every(({ language }) => language === 'sh')
  return [...(environment ? [isForTerminal ? environment : `# .env\n${environment}`] : []), ...files].join(isForTerminal ? '' : '\n')
}
