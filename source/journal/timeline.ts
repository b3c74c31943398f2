import type { Change } from '../fleet/change.ts';
import { changesBetween } from '../store/change-log.ts';
import { changeWithAccountName } from '../store/selectors.ts';
import { emptyAccount, emptyState, type State } from '../store/state.ts';
import { fold } from '../store/store.ts';
import { factFrom, type PreviousLists, type Recording } from './recording.ts';

export type Timeline = ReturnType<typeof createTimeline>;

type Checkpoint = { factCount: number; lists: PreviousLists; state: State };

const maxCheckpoints = 64;
const minCheckpointDistance = 64;

export function createTimeline({ times, entryAt }: Pick<Recording, 'times' | 'entryAt'>) {
	const length = times.length;
	const every = Math.max(minCheckpointDistance, Math.ceil(length / maxCheckpoints));
	let latest: Checkpoint = { factCount: 0, lists: new Map(), state: emptyState };
	const points = [latest];

	function stateAfter(count: number): State {
		const wanted = Math.max(0, Math.min(count, length));
		const known = points[Math.min(Math.floor(wanted / every), points.length - 1)] ?? latest;
		if (latest.factCount > wanted || latest.factCount < known.factCount) latest = known;
		while (latest.factCount < wanted) {
			const { lists, fact } = factFrom(latest.lists, entryAt(latest.factCount).fact);
			latest = { factCount: latest.factCount + 1, lists, state: fold(latest.state, fact) };
			if (latest.factCount === points.length * every) points.push(latest);
		}
		return latest.state;
	}

	function nextChange(from: number, to: number): number | undefined {
		let before = stateAfter(from);
		for (let count = from + 1; count <= to; count += 1) {
			const after = stateAfter(count);
			if (newChangesBetween(before, after).length > 0) return count;
			before = after;
		}
		return undefined;
	}

	return {
		factCount: length,
		stateAfter,
		factCountAt: (time: number) => times.findLastIndex(each => each <= time) + 1,
		timeOfFact: (count: number) => times[Math.max(0, Math.min(count, length) - 1)] ?? 0,
		factCountAtNextChange: (count: number) => nextChange(count, length),
		factCountAtPreviousChange(count: number): number | undefined {
			for (let to = count - 1; to > 0; ) {
				const from = Math.floor((to - 1) / every) * every;
				let last: number | undefined;
				for (let at = nextChange(from, to); at !== undefined; at = nextChange(at, to)) last = at;
				if (last !== undefined) return last;
				to = from;
			}
			return undefined;
		},
	};
}

export function newChangesBetween(
	before: State,
	after: State,
	labels?: ReadonlyMap<string, string>,
): readonly Change[] {
	return [...after.accounts].flatMap(([name, account]) => {
		const label = labels?.get(name);
		const changes = changesBetween(before.accounts.get(name) ?? emptyAccount, account);
		return label === undefined
			? changes
			: changes.map(change => changeWithAccountName(label, change));
	});
}
