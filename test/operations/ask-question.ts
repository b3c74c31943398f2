import type { Reading } from '../../source/fleet/computers/computer.ts';
import type { OperationId } from '../../source/fleet/operations/operation.ts';
import type { OperationDetails } from '../../source/fleet/operations/operation-row.ts';
import { operationRowOf } from '../../source/fleet/operations/operation-table.ts';
import type { Strictness } from '../../source/fleet/operations/strictness.ts';
import { strictnessOf } from '../../source/fleet/operations/strictness.ts';
import { captureTargets } from '../../source/operations/question.ts';
import {
	type AskedAccount,
	buildQuestion,
	type Question,
} from '../../source/operations/question-wording.ts';
import type { AccountState } from '../../source/store/state.ts';
import { accountAfter, fact, listRead } from '../arbitraries/sample-facts.ts';
import { createHeldClock } from '../held-clock.ts';
import { createMemoryLimiter } from '../limits/memory-log.ts';
import { profileOf, testAccount } from '../opened-account.ts';

const clock = createHeldClock();
export const now = clock.now();
export const hour = 3_600_000;
const limiter = createMemoryLimiter(clock);

export const atlas: Reading = {
	id: 'sb_atlas01',
	name: 'atlas',
	status: 'active',
	version: '1.3.9',
	startedAt: now - 148 * hour,
	ports: [{ port: 8080 }],
};
export const boxComputer = (n: number, more: Partial<Reading> = {}): Reading => ({
	id: `sb_${n}`,
	name: `box ${n}`,
	status: 'active',
	version: '1.4.0',
	...more,
});
export const release = { version: '1.4.2', title: 'Faster starts', changes: [] };
export const fleet = accountAfter(
	listRead(now, [
		atlas,
		boxComputer(1),
		boxComputer(2),
		boxComputer(3, { status: 'stopped' }),
		boxComputer(4, { name: 'box 1' }),
	]),
	fact(now, { type: 'answered', read: 'release', answer: release }),
);

/** The account of the computers that a question captures. */
export const sourceOf = (state: AccountState): AskedAccount => ({
	profile: { ...profileOf(testAccount), name: 'work' },
	state: () => state,
	limiter,
	platform: { publicAddress: () => '' },
});

type More = {
	account?: AccountState;
	details?: OperationDetails;
	strictness?: Strictness;
	openingKey?: string;
	options?: readonly string[];
};

export function ask(
	operation: OperationId,
	ids: readonly string[] = [atlas.id],
	more: More = {},
): Question {
	const { account = fleet, details = {}, strictness, openingKey, options = [] } = more;
	const asked = { ...sourceOf(account), commandOptions: options };
	const { targets, skipped } = captureTargets(asked, operation, ids, details, now);
	return buildQuestion(
		{
			id: 'q',
			operation,
			skipped,
			details,
			starting: undefined,
			openingKey,
			namesAccount: false,
		},
		[{ account: asked, targets }],
		strictnessOf(operationRowOf(operation), targets.length, [
			{ setting: strictness, isProduction: false },
		]),
		now,
	);
}
