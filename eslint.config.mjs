// How the page's scripts and the tests in a browser are linted; scripts/check-page.sh runs it.

import js from "@eslint/js";
import globals from "globals";

export default [
  { ignores: ["bots/", "target/"] },
  js.configs.recommended,
  {
    rules: {
      eqeqeq: ["error", "always", { null: "ignore" }],
      "max-lines": ["error", 500],
      "max-lines-per-function": ["error", 70],
      "no-implicit-globals": "error",
      "no-var": "error",
      "prefer-const": "error",
      "object-shorthand": "error",
    },
  },
  { files: ["src/web/assets/*.js"], languageOptions: { globals: globals.browser } },
  { files: ["scripts/*.js"], languageOptions: { globals: globals.node } },
  { files: ["tests/browser/*.mjs"], languageOptions: { globals: { ...globals.node, ...globals.browser } } },
];
