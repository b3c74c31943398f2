import type { Theme } from '../drawing/theme.ts';
import type { Change } from '../fleet/change.ts';
import type { Operations, OperationsState } from '../operations/operations.ts';
import type { WaitReason } from '../operations/waiting.ts';
import { type Age, createRowAge } from '../store/age.ts';
import { statusAnswerOf } from '../store/answer-times.ts';
import type { Row } from '../store/selectors.ts';
import type { AccountState } from '../store/state.ts';

/** Everything that a cell of the table needs in addition to its row. */
export type CellContext = {
	now: number;
	latestVersion: string | undefined;
	/** The time at which the row's computer was last read; undefined if it never was. */
	lastReadAtOf: (row: Row) => number | undefined;
	/** Whether the last reading of the row's computer is recent enough. */
	ageOf: (row: Row) => Age;
	/** The reason why the operation with this key has not been sent yet. */
	waitingFor: (key: string) => WaitReason | undefined;
	/** Whether a person can start operations here, so that hints name their keys. */
	canChange: boolean;
	/** The history from which the usual duration of each operation is computed. */
	changes: readonly Change[];
	theme: Theme;
};

type CellContextOptions = {
	account: AccountState;
	operationsState: OperationsState;
	waitingFor: Operations['waitingFor'];
	now: number;
	theme: Theme;
};

/** The context that all cells of one frame share. */
export function cellContextOf(options: CellContextOptions): CellContext {
	const { account, operationsState, waitingFor, now, theme } = options;
	const ageOf = createRowAge(account, now);
	return {
		now,
		latestVersion: account.release?.version,
		lastReadAtOf: ({ computer }) => statusAnswerOf(account, computer)?.at,
		ageOf: ({ computer }) => ageOf(computer),
		waitingFor,
		canChange: !operationsState.isReadOnly,
		changes: account.changes,
		theme,
	};
}
