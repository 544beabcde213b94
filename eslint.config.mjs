import js from '@eslint/js';
import simpleImportSort from 'eslint-plugin-simple-import-sort';
import globals from 'globals';
import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['dist', 'dist-tools', 'data', 'coverage', 'node_modules'] },
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [...tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      // Imports that only carry types for decorated constructors must stay values, or injection breaks.
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      '@typescript-eslint/require-await': 'off',
    },
  },
  {
    plugins: { 'simple-import-sort': simpleImportSort },
    rules: {
      // One block: Node's own modules, packages, then files from far to near.
      'simple-import-sort/imports': [
        'error',
        { groups: [['^\\u0000', '^node:', '^@?\\w', '^', '^\\.\\.(?!/?$)', '^\\.\\./?$', '^\\./']] },
      ],
      eqeqeq: 'error',
      curly: 'error',
      'no-console': 'error',
      // The left side is read before the wait, which may change it: the cursor of a parser, for one.
      'no-restricted-syntax': [
        'error',
        {
          selector: 'AssignmentExpression[operator=/^[-+]=$/] YieldExpression',
          message: 'Wait first, then assign.',
        },
      ],
      'max-lines': ['error', { max: 250, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/upstream/web/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        { paths: [{ name: 'puppeteer', message: 'Only src/upstream/web drives a browser.' }] },
      ],
    },
  },
  {
    files: ['**/*.spec.ts', '**/*.e2e-spec.ts', 'test/**'],
    rules: {
      'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    files: ['client/**/*.js'],
    languageOptions: {
      globals: globals.browser,
    },
  },
  {
    files: ['client/**/*.mjs'],
    languageOptions: {
      globals: globals.node,
    },
  },
  {
    files: ['scripts/**', '*.mjs', '*.cjs'],
    languageOptions: {
      globals: globals.node,
    },
    rules: { 'no-console': 'off' },
  },
);
