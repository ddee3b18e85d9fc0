// Lint rules for the scripts of the page and of its tests. .ci/run starts eslint in the repository root.
import js from "@eslint/js";
import globals from "globals";

const rules = { "no-unused-vars": ["error", { varsIgnorePattern: "^_$" }], "no-var": "error", "prefer-const": "error" };

export default [
  js.configs.recommended,
  { files: ["src/web/page/**/*.js"], languageOptions: { globals: globals.browser }, rules },
  {
    files: ["package/worker/page/*.js"],
    languageOptions: { globals: { ...globals.worker, ...globals.serviceworker } },
    rules,
  },
  // Functions passed to the browser run in the page.
  { files: ["tests/browser/**/*.mjs"], languageOptions: { globals: { ...globals.node, ...globals.browser } }, rules },
];
