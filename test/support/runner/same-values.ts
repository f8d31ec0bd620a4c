import fc from 'fast-check';

/**
 * Properties are tried on the same values in every run: a change is judged by what it changes, not by luck. Another
 * TEST_SEED tries others; what one finds becomes an example in a test of its own.
 */
fc.configureGlobal({ seed: Number(process.env['TEST_SEED'] ?? 1) });
