import type { OperationId } from './operation.ts';

/** What is typed is counted down as well. */
const mildestFirst = ['off', 'ask', 'wait', 'type'] as const;

export type Strictness = (typeof mildestFirst)[number];

export type QuestionStrictness = Readonly<Partial<Record<OperationId, Strictness>>>;

export const countdownMs = 4_000;

const strictestOf = (all: readonly Strictness[]): Strictness =>
	mildestFirst.findLast(each => all.includes(each)) ?? 'ask';

const maxComputersWithoutTyping = 5;

type AskingRow = {
	asks: Strictness;
	mayBeUnasked: boolean;
	changes: boolean;
	endsProcesses: boolean;
};

/** The stricter of the table and of each setting holds, except that a setting may switch off an optional question. */
export function strictnessOf(
	{ asks, mayBeUnasked, changes, endsProcesses }: AskingRow,
	computerCount: number,
	accounts: readonly { setting: Strictness | undefined; isProduction: boolean }[],
): Strictness {
	if (changes && computerCount > maxComputersWithoutTyping) return 'type';
	return strictestOf(
		accounts.map(({ setting = asks, isProduction }) => {
			if (isProduction && endsProcesses) return 'type';
			return setting === 'off' && mayBeUnasked ? 'off' : strictestOf([asks, setting]);
		}),
	);
}
