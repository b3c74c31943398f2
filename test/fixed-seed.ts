import fc from 'fast-check';
import { runs } from './runs.ts';

// All runs use the same seed, so that a property that fails in `npm test` fails for everyone. `TEST_MINUTES` tries
// new cases.
fc.configureGlobal({ seed: runs(1).seed });
