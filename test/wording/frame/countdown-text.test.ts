import { expect, test } from 'vitest';
import type {
	BatchProgress,
	Operation,
	OperationId,
} from '../../../source/fleet/operations/operation.ts';
import { emptyAccount } from '../../../source/store/state.ts';
import { isCountingDown, nextCountdownLine } from '../../../source/wording/frame/progress-text.ts';
import { wholeLine } from '../../../source/wording/phrases/waiting-text.ts';
import { now } from '../../arbitraries/values.ts';
import { theme } from '../../sample-theme.ts';

type Counting = readonly [operation: OperationId, name: string, left: number];

function textOf(...counting: readonly Counting[]): string | undefined {
	const untils = new Map(counting.map(([, name, left]) => [name, now + left]));
	const operations = counting.map(([operation, name]): [string, Operation] => {
		const wish = { key: name, operation, computer: name, name };
		return [name, { spec: wish, stage: 'counting', askedAt: now, hasPhaseChanged: false }];
	});
	const line = nextCountdownLine({
		account: { ...emptyAccount, operations: new Map(operations) },
		canChange: true,
		waitingFor: key => ({ type: 'grace', until: untils.get(key) ?? now }),
		now,
		theme,
	});
	return line && wholeLine(line);
}

test('the text of a countdown says that Esc cancels', () => {
	expect(textOf(['stop', 'atlas', 3200])).toBe('Stopping atlas in 4 s, Esc to cancel');
	expect(textOf()).toBeUndefined();
});

test('the text of several countdowns names the one that ends first, and says that Esc cancels all', () => {
	expect(textOf(['stop', 'atlas', 4000], ['stop', 'gemini', 2000])).toBe(
		'Stopping gemini in 2 s, then 1 more, Esc cancels both',
	);
	expect(textOf(['stop', 'atlas', 4000], ['delete', 'draco', 5000], ['stop', 'gemini', 4000])).toBe(
		'Stopping atlas in 4 s, then 2 more, Esc cancels all 3',
	);
});

test('all operations of a batch share one countdown, which counts them', () => {
	const operations = ['k1', 'k2'].map((key): [string, Operation] => {
		const spec = { key, operation: 'stop', computer: key, batch: 'b' };
		return [key, { spec, stage: 'counting', askedAt: now, hasPhaseChanged: false }];
	});
	const batch = { id: 'b', operation: 'stop', total: 17 } as BatchProgress;
	const batches = new Map([['b', batch]]);
	const line = nextCountdownLine({
		account: { ...emptyAccount, operations: new Map(operations), batches },
		canChange: true,
		waitingFor: () => ({ type: 'grace', until: now + 3_500 }),
		now,
		theme,
	});
	expect(line && wholeLine(line)).toBe('Stopping 17 in 4 s, Esc to cancel');
});

test('looking for a countdown asks for no operation in the queue why it waits', () => {
	const operations = Array.from({ length: 500 }, (_, n): [string, Operation] => {
		const spec = { key: `k${n}`, operation: 'stop', computer: `sb_${n}`, batch: 'b' };
		return [spec.key, { spec, stage: 'queued', askedAt: now, hasPhaseChanged: false }];
	});
	let asked = 0;
	const account = { ...emptyAccount, operations: new Map(operations) };
	const waitingFor = () => {
		asked += 1;
		return undefined;
	};
	expect(isCountingDown({ account, waitingFor })).toBe(false);
	expect(asked).toBe(0);
});
