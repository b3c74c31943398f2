import type { Theme } from '../drawing/theme.ts';
import type { Change } from '../fleet/change.ts';
import type { Operations, OperationsState } from '../operations/operations.ts';
import type { WaitReason } from '../operations/waiting.ts';
import { type Age, createRowAge } from '../store/age.ts';
import { statusAnswerOf } from '../store/answer-times.ts';
import type { Row } from '../store/selectors.ts';
import type { AccountState } from '../store/state.ts';

/** Everything besides its row that a cell needs. */
export type CellContext = {
	now: number;
	latest: string | undefined;
	/** When the row's computer was last read; undefined if never. */
	seenAt: (row: Row) => number | undefined;
	/** Whether that reading is as young as it should be. */
	ageOf: (row: Row) => Age;
	/** Why the operation with this key has not been sent yet. */
	waitingFor: (key: string) => WaitReason | undefined;
	/** Whether operations are possible here, so that hints name their keys. */
	canChange: boolean;
	/** Earlier changes, from which the usual durations are derived. */
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
