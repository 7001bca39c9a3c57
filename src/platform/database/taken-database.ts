/** A command has had the database for itself while this process was not connected: its key may be a former one, its database moved. */
export class TakenDatabase extends Error {
  override readonly name = 'TakenDatabase'
  readonly code = takenDatabaseCode
  constructor() {
    super(
      'While the connection to the database was lost, a command has taken the database for itself: `gatehouse secret-key rotate` or `gatehouse database move`. Restart the service once the command has ended, with the new key or on the new database',
    )
  }
}

export const takenDatabaseCode = 'DATABASE_TAKEN'
