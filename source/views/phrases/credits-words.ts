import type { Credits } from '../../fleet/computers/account.ts';
import type { Runway } from '../../fleet/computers/runway.ts';
import { durationText } from '../../foundation/duration.ts';
import { decimalText } from '../../foundation/number-text.ts';

/** From the most urgent to the least. */
type CreditsState =
	| 'tooFew'
	| 'low'
	| 'enough'
	| 'unspent'
	| 'unmeasured'
	| 'unreported'
	| 'unread';

type CreditsOptions = {
	credits: Credits | undefined;
	runway: Runway | null;
};

function creditsStateOf({ credits, runway }: CreditsOptions): CreditsState {
	if (!credits) return 'unread';
	if (credits.canRun === false) return 'tooFew';
	if (runway && runway.timeLeftMs !== null) return runway.isLow ? 'low' : 'enough';
	if (credits.balance === null) return 'unreported';
	return runway ? 'unspent' : 'unmeasured';
}

type CreditsWords = { state: CreditsState; screen: string; line: string };

/** On the screen, the balance stands before this text. */
export function creditsWords(options: CreditsOptions): CreditsWords {
	const state = creditsStateOf(options);
	const { credits, runway } = options;
	const timeLeftMs = runway?.timeLeftMs ?? 0;
	const { balance: left = null } = credits ?? {};
	const balance = left === null ? undefined : decimalText(left);
	const begin = balance === undefined ? 'Credits' : `Credits ${balance}`;
	const time = durationText(timeLeftMs);
	const words = (): readonly [screen: string, line: string] => {
		switch (state) {
			case 'tooFew':
				return ['too few to run a computer', `${begin}: too few to run a computer`];
			case 'low':
				return [`${time} left`, `Credits run low: ${balance ?? 'few'} left, enough for ${time}`];
			case 'enough':
				return [`${time} left`, `${begin}, enough for ${time}`];
			case 'unspent':
				return ['not being spent', `${begin}, not being spent`];
			case 'unmeasured':
				return ['burn rate not known yet', `${begin}, burn rate not known yet`];
			case 'unreported':
				return ['not reported', 'The platform does not report credits'];
			case 'unread':
				return ['not read yet', 'Credits not read yet'];
		}
	};
	const [screen, line] = words();
	return { state, screen, line };
}
