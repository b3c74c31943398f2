import type { KeyOverride, Preferences } from '../fleet/preferences.ts';
import type { ConfigValues, ProfileValues } from './setting-table.ts';

type PreferenceLayer = Pick<
	ConfigValues & ProfileValues,
	| 'readOnly'
	| 'colour'
	| 'theme'
	| 'glyphs'
	| 'columns'
	| 'screenReader'
	| 'mouse'
	| 'lockAfter'
	| 'confirm'
	| 'notify'
	| 'keys'
>;

/**
 * Merges the layers setting by setting; a later layer wins. A layer's `path` is the path of its table in the configuration.
 */
export function preferencesFrom(
	layers: readonly { values: PreferenceLayer; path: readonly string[] }[],
	lineOf: (path: readonly string[]) => number | undefined,
): Preferences {
	const values = layers.map(layer => layer.values);
	const keys = new Map<string, KeyOverride>();
	for (const { values, path } of layers) {
		for (const [action, actionKeys] of values.keys ?? []) {
			keys.set(action, { action, keys: actionKeys, line: lineOf([...path, 'keys', action]) });
		}
	}
	const columnsLayer = layers.findLast(layer => layer.values.columns !== undefined);
	return {
		readOnly: lastDefined(values, 'readOnly') ?? false,
		colour: lastDefined(values, 'colour'),
		theme: lastDefined(values, 'theme'),
		glyphs: lastDefined(values, 'glyphs'),
		columns: columnsLayer?.values.columns && {
			names: columnsLayer.values.columns,
			line: lineOf([...columnsLayer.path, 'columns']),
		},
		screenReader: lastDefined(values, 'screenReader') ?? false,
		mouse: lastDefined(values, 'mouse') ?? false,
		lockAfter: lastDefined(values, 'lockAfter') ?? 10 * 60_000,
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

function lastDefined<Name extends keyof PreferenceLayer>(
	layers: readonly PreferenceLayer[],
	name: Name,
) {
	return layers.findLast(layer => layer[name] !== undefined)?.[name];
}
