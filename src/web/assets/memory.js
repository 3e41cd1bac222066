// What a phone remembers from one visit to the next.

/** Without a place to keep it, it is remembered until the page is closed. */
export const memory = {
  /** @type {Record<string, string>} */
  here: {},
  /** @param {string} key */
  get(key) {
    try {
      return localStorage.getItem(`casino-${key}`) ?? this.here[key] ?? "";
    } catch {
      return this.here[key] ?? "";
    }
  },
  /** @type {(key: string, value: string) => void} */
  set(key, value) {
    this.here[key] = value;
    try {
      localStorage.setItem(`casino-${key}`, value);
    } catch {
      // It is kept in `here`.
    }
  },
};
