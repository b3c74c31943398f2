import type { OperationMove } from '../fleet/change.ts';
import type { Clock } from '../fleet/clock.ts';
import type { OperationId } from '../fleet/operation.ts';
import { changeEntryFrom, isEntryOfOwner } from '../journal/journal-entry.ts';
import { tailFile } from './file-tail.ts';

export type OtherRuns = {
	/** Looks at once, and tells what is new. */
	checkNow(): Promise<void>;
	/** One that ends what runs on that computer was asked for a short while before. */
	wasEndedOnPurpose(computer: string, at: number): boolean;
	stop(): void;
};

type OtherRunsOptions = {
	/** Of the journal. */
	path: string;
	account: string;
	clock: Clock;
	onMove: (move: OperationMove) => void;
};

const lookEvery = 2_000;
const shortWhile = 120_000;
const ending: readonly OperationId[] = ['stop', 'restart', 'update', 'delete'];

/** Operations that other runs on this host ask for, as they note them in the journal. */
export async function followOtherRuns(parts: OtherRunsOptions): Promise<OtherRuns> {
	const { path, account, clock, onMove } = parts;
	const tail = await tailFile(path);
	const asked = new Map<string, number>();
	let callOff = () => {};
	let looking: Promise<void> = Promise.resolve();

	async function lookOnce() {
		const lines = await tail.newLines().catch(() => []);
		for (const entry of lines.flatMap(line => changeEntryFrom(line) ?? [])) {
			if (isEntryOfOwner({ account }, entry) && entry.what.type === 'operationMoved')
				note(entry.what);
		}
	}

	function note(move: OperationMove) {
		const { operation, computer } = move.wish;
		for (const [id, at] of asked) if (move.at - at >= shortWhile) asked.delete(id);
		if (computer !== undefined && ending.includes(operation)) asked.set(computer, move.at);
		onMove(move);
	}

	// One look after the other: what is read twice would be told twice.
	function look() {
		looking = looking.then(lookOnce);
		return looking;
	}

	function turn() {
		callOff = clock.after(lookEvery, turn);
		void look();
	}

	turn();
	return {
		checkNow: look,
		wasEndedOnPurpose: (computer, at) =>
			at - (asked.get(computer) ?? Number.NEGATIVE_INFINITY) < shortWhile,
		stop() {
			callOff();
			void looking.then(tail.close);
		},
	};
}
