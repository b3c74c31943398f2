import { type CreditSample, type Runway, runwayOf } from '../fleet/runway.ts';
import { remember } from './memory.ts';
import type { AccountState } from './state.ts';

/** The burn of an account and how long its credits last; null when too little was seen. */
export function createRunwayOf(): (account: AccountState) => Runway | null {
	const make = remember((samples: readonly CreditSample[]) => runwayOf(samples));
	return ({ samples }) => make(samples);
}
