import type { ConfigValues, ProfileValues } from './setting-table.ts';

/** How careful one operation's question is: not asked, y/n, or the name typed. */
export type Strictness = 'off' | 'ask' | 'type';

export type Attention = 'off' | 'bell' | 'notify';

export type Preferences = {
	readOnly: boolean;
	/** A name such as `red`, or `#rrggbb`. */
	colour: string | undefined;
	/** Milliseconds without a key; Infinity for never. */
	lockAfter: number;
	/** Only where a person wants other than the usual. */
	confirm: Readonly<
		Partial<
			Record<'start', Strictness> &
				Record<'stop' | 'restart' | 'update' | 'publish' | 'unpublish', 'ask' | 'type'>
		>
	>;
	notify: {
		operationEnded: Attention;
		computerFailed: Attention;
		creditsLow: Attention;
		/** Credits are low when they last no longer than that many milliseconds. */
		creditsLeft: number;
	};
	keys: readonly OwnKeys[];
};

/** A person's own keys for an action; whoever has the actions checks its name and says the line. */
export type OwnKeys = { action: string; keys: readonly string[]; line: number | undefined };

type Layer = Pick<
	ConfigValues & ProfileValues,
	'readOnly' | 'colour' | 'lockAfter' | 'confirm' | 'notify' | 'keys'
>;

/** Later layers count more, setting by setting. Each comes with where it stands. */
export function preferencesFrom(
	layers: readonly { values: Layer; path: readonly string[] }[],
	lineOf: (path: readonly string[]) => number | undefined,
): Preferences {
	const values = layers.map(layer => layer.values);
	const keys = new Map<string, OwnKeys>();
	for (const { values, path } of layers) {
		for (const [action, each] of values.keys ?? []) {
			keys.set(action, { action, keys: each, line: lineOf([...path, 'keys', action]) });
		}
	}
	return {
		readOnly: last(values, 'readOnly') ?? false,
		colour: last(values, 'colour'),
		lockAfter: last(values, 'lockAfter') ?? 10 * 60_000,
		confirm: Object.assign({}, ...values.map(({ confirm }) => confirm)),
		notify: Object.assign(
			{
				operationEnded: 'bell',
				computerFailed: 'notify',
				creditsLow: 'notify',
				creditsLeft: 86_400_000,
			},
			...values.map(({ notify }) => notify),
		),
		keys: [...keys.values()],
	};
}

function last<Name extends keyof Layer>(layers: readonly Layer[], name: Name) {
	return layers.findLast(layer => layer[name] !== undefined)?.[name];
}
