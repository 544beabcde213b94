import projects from '../../jest.config.mjs';

/*
 * Tests with whole agents, installed from npm at the first run; hence no part of `npm test`.
 */
const [unit] = projects.projects;

/** @type {import('jest').Config} */
export default {
  ...unit,
  displayName: 'agents',
  rootDir: '../..',
  testMatch: ['<rootDir>/test/agents/**/*.agents-spec.ts'],
  // An agent takes seconds to start, and may be installed first.
  testTimeout: 120_000,
};
