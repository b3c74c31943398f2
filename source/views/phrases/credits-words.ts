import type { Credits } from '../../fleet/computers/account.ts';
import type { Runway } from '../../fleet/computers/runway.ts';
import { durationText } from '../../foundation/duration.ts';
import { decimalText } from '../../foundation/number-text.ts';

/** The words beside the balance on the screen, and a sentence of its own. */
type CreditsWords = { state?: 'tooFew' | 'low'; screen: string; line: string };

export function creditsWords(credits: Credits | undefined, runway: Runway | null): CreditsWords {
	if (!credits) return { screen: 'not read yet', line: 'Credits not read yet' };
	const balance = credits.balance === null ? undefined : decimalText(credits.balance);
	const begin = balance === undefined ? 'Credits' : `Credits ${balance}`;
	if (credits.canRun === false) {
		const screen = 'too few to run a computer';
		return { state: 'tooFew', screen, line: `${begin}: ${screen}` };
	}
	if (runway && runway.timeLeftMs !== null) {
		const time = durationText(runway.timeLeftMs);
		const screen = `${time} left`;
		if (!runway.isLow) return { screen, line: `${begin}, enough for ${time}` };
		const line = `Credits run low: ${balance ?? 'few'} left, enough for ${time}`;
		return { state: 'low', screen, line };
	}
	if (credits.balance === null)
		return { screen: 'not reported', line: 'The platform does not report credits' };
	const screen = runway ? 'not being spent' : 'burn rate not known yet';
	return { screen, line: `${begin}, ${screen}` };
}
