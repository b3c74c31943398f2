import type { Reading } from '../../source/fleet/computers/computer.ts';
import { globalIdOf } from '../../source/fleet/computers/global-id.ts';
import type { OperationId } from '../../source/fleet/operations/operation.ts';
import type { OperationDetails, Strictness } from '../../source/fleet/operations/operation-row.ts';
import { captureQuestion } from '../../source/operations/question.ts';
import type { Question } from '../../source/operations/question-wording.ts';
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

type More = {
	account?: AccountState;
	details?: OperationDetails;
	strictness?: Strictness;
	options?: readonly string[];
};

export function capture(operation: OperationId, ids: readonly string[], more: More = {}) {
	const { account: state = fleet, details = {}, strictness, options = [] } = more;
	const account = {
		profile: { ...profileOf(testAccount), name: 'work' },
		state: () => state,
		limiter,
		platform: { publicAddress: () => '' },
		commandOptions: options,
		questionStrictness: strictness && { [operation]: strictness },
	};
	const globalIds = ids.map(id => globalIdOf(testAccount, id));
	return captureQuestion('q', operation, globalIds, [account], now, details);
}

/** Captures a question that some computer accepts. */
export function ask(
	operation: OperationId,
	ids: readonly string[] = [atlas.id],
	more: More = {},
): Question {
	const question = capture(operation, ids, more);
	if ('refusal' in question) throw new Error(question.refusal.message);
	return question;
}
