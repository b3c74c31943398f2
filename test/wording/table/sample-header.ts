import { bindings } from '../../../source/keys/bindings.ts';
import type { JointAccount } from '../../../source/store/state.ts';
import { emptyAccount } from '../../../source/store/state.ts';
import type { CountsOptions } from '../../../source/wording/frame/counts-line.ts';
import type { TitleOptions } from '../../../source/wording/frame/title-line.ts';
import { now } from '../../arbitraries/values.ts';
import { theme } from '../../sample-theme.ts';

/** An account that was read a moment ago. */
export const readAccount: JointAccount = {
	...emptyAccount,
	contact: { since: now, lastAnswerAt: now },
	reads: { list: { answer: { askedAt: now, at: now } } },
	standings: {
		create: { limit: 5, spent: 0 },
		status: { limit: 60, spent: 9 },
		other: { limit: 30, spent: 16 },
	},
};

/** The values of the header besides those that a test is about. */
export const sampleHeader: TitleOptions & CountsOptions = {
	account: readAccount,
	badge: undefined,
	view: 'fleet',
	bindings,
	isReadOnly: false,
	isLocked: false,
	counts: { total: 24, phases: { active: 17, creating: 2, stopped: 4, error: 1 }, outdated: 3 },
	runway: null,
	now,
	width: 120,
	theme,
};
