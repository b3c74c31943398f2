export type Strictness = 'off' | 'ask' | 'wait' | 'type';

export const countdownMs = 4_000;

export const strictnessRows: Readonly<
	Record<Strictness, { isTyped: boolean; countdownMs: number }>
> = {
	off: { isTyped: false, countdownMs: 0 },
	ask: { isTyped: false, countdownMs: 0 },
	wait: { isTyped: false, countdownMs },
	type: { isTyped: true, countdownMs },
};

const mildestFirst = Object.keys(strictnessRows) as readonly Strictness[];

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
