/** Ends Jest's output with one line that people and machines read alike. */
export default class TotalReporter {
  onRunComplete(_contexts, { numPassedTests, numFailedTests, numRuntimeErrorTestSuites, numPendingTests }) {
    // A file that could not be loaded holds tests that did not pass.
    const failed = numFailedTests + numRuntimeErrorTestSuites;
    const skipped = numPendingTests > 0 ? `, ${numPendingTests} skipped` : '';
    // Jest's own summary comes after all other reporters.
    process.once('exit', () =>
      process.stdout.write(`\n${numPassedTests} passed, ${failed} failed${skipped}\n`),
    );
  }
}
