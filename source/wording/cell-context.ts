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
	latest: string | undefined;
	/** The time at which the row's computer was last read; undefined if it never was. */
	seenAt: (row: Row) => number | undefined;
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

type ContextOptions = {
	account: AccountState;
	picture: OperationsState;
	waitingFor: Operations['waitingFor'];
	now: number;
	theme: Theme;
};

/** The context that all cells of one frame share. */
export function contextOf(options: ContextOptions): CellContext {
	const { account, picture, waitingFor, now, theme } = options;
	const ageOf = createRowAge(account, now);
	return {
		now,
		latest: account.release?.version,
		seenAt: ({ computer }) => statusAnswerOf(account, computer)?.at,
		ageOf: ({ computer }) => ageOf(computer),
		waitingFor,
		canChange: !picture.isReadOnly,
		changes: account.changes,
		theme,
	};
}
