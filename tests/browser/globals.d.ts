// What tests find in the window of a page besides what the page itself puts there.

import type axe from "axe-core";

declare global {
  interface Window {
    /** The accessibility checker, once it was let in. */
    axe: typeof axe;
    /** What a name that is shown as HTML would set. */
    pwned?: unknown;
  }
}
