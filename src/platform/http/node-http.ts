import process from 'node:process'

/** Values of `node:http`. Importing them would also load Node's `fetch`, which few processes need. */
export const { ServerResponse, STATUS_CODES } = process.getBuiltinModule('node:http')
