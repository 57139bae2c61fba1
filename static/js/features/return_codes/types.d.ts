/** What return codes add to a stored session. Types only: no page loads this. */

interface StoredResponse {
  /** The return code, until the request is acknowledged. */
  code?: string;
}
