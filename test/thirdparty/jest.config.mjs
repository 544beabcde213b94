import projects from '../../jest.config.mjs';

/*
 * Tests against software that this project neither contains nor depends on; they install it, so that they are no part
 * of `npm test`.
 */
const [unit] = projects.projects;

/** @type {import('jest').Config} */
export default {
  ...unit,
  displayName: 'thirdparty',
  rootDir: '../..',
  testMatch: ['<rootDir>/test/thirdparty/**/*.thirdparty-spec.ts'],
  // The pages of these sites take seconds to load.
  testTimeout: 120_000,
};
