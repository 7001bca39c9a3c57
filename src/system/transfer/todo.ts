/** A task that has to be repeated in the new installation, and the records that it concerns. */
export interface Todo {
  what: string
  count: number
  note: string
  /** The first of the records. */
  names: string[]
}

const namesShown = 1_000

export function createTodos() {
  const todos = new Map<string, Todo>()
  return {
    /** The same task with the same note is one entry. */
    add(what: string, note: string, name?: string): void {
      const key = `${what} ${note}`
      const todo = todos.get(key) ?? { what, count: 0, note, names: [] }
      todo.count++
      if (name !== undefined && todo.names.length < namesShown) todo.names.push(name)
      todos.set(key, todo)
    },
    list: () => [...todos.values()],
  }
}
export type Todos = ReturnType<typeof createTodos>
