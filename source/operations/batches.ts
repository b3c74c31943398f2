import type { OperationId, OperationSpec } from '../fleet/operation.ts';
import type { OperationDetails, SkippedComputer } from '../fleet/operation-row.ts';

/** The state of one operation in a batch. */
export type BatchItemState = 'waiting' | 'underWay' | 'done' | 'failed' | 'unknown' | 'cancelled';

/** The progress of a batch: how many are in each state, and which failed. */
export type BatchProgress = {
	id: string;
	operation: OperationId;
	details: OperationDetails;
	total: number;
	countsByState: Readonly<Record<BatchItemState, number>>;
	failures: readonly { id: string; name: string; message: string }[];
	skipped: readonly SkippedComputer[];
	isOver: boolean;
};

type Batches = {
	add(batch: {
		id: string;
		specs: readonly OperationSpec[];
		details: OperationDetails;
		skipped: readonly SkippedComputer[];
	}): void;
	/** Records the new state of an operation. An operation without a batch is ignored. */
	noteState(spec: OperationSpec, state: BatchItemState, message?: string): void;
	remove(id: string): void;
	find(id: string): BatchProgress | undefined;
	list(): readonly BatchProgress[];
};

// Beyond this count the oldest batches are dropped, even if no person has dismissed them.
const maxBatches = 10;

export function createBatches(): Batches {
	const batches = new Map<
		string,
		{ progress: BatchProgress; states: Map<string, BatchItemState> }
	>();

	return {
		add({ id, specs, details, skipped }) {
			const [first] = specs;
			if (!first) return;
			const over = [...batches.values()].filter(({ progress }) => progress.isOver);
			for (const { progress } of over.slice(0, Math.max(0, batches.size - maxBatches + 1))) {
				batches.delete(progress.id);
			}
			const states = new Map(specs.map(({ key }) => [key, 'waiting' as const]));
			const countsByState = { ...zeroCounts, waiting: specs.length };
			const { operation } = first;
			const total = specs.length;
			const failures: BatchProgress['failures'] = [];
			const progress = {
				id,
				operation,
				details,
				total,
				countsByState,
				failures,
				skipped,
				isOver: false,
			};
			batches.set(id, { progress, states });
		},
		noteState(spec, state, message = '') {
			const batch = batches.get(spec.batch ?? '');
			const before = batch?.states.get(spec.key);
			if (!batch || before === undefined || before === state) return;
			batch.states.set(spec.key, state);
			batch.progress = withStateChanged(batch.progress, before, state);
			if (state !== 'failed') return;
			const { computer: id = '', name = id } = spec;
			const failures = [...batch.progress.failures, { id, name, message }];
			batch.progress = { ...batch.progress, failures };
		},
		remove: id => batches.delete(id),
		find: id => batches.get(id)?.progress,
		list: () => [...batches.values()].map(({ progress }) => progress),
	};
}

const zeroCounts = { waiting: 0, underWay: 0, done: 0, failed: 0, unknown: 0, cancelled: 0 };

function withStateChanged(
	progress: BatchProgress,
	from: BatchItemState,
	to: BatchItemState,
): BatchProgress {
	const counts = { ...progress.countsByState };
	counts[from] -= 1;
	counts[to] += 1;
	return {
		...progress,
		countsByState: counts,
		isOver: counts.waiting + counts.underWay + counts.unknown === 0,
	};
}
