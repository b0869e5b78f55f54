/** The client alone: the package's own entry also names a native one, which nothing here has. */
declare module 'pg/lib/client.js' {
  import { Client } from 'pg'
  export = Client
}
