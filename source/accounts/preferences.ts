import type { Setting } from './setting-reader.ts';
import { preferenceSettings } from './setting-table.ts';

type Rows = typeof preferenceSettings;

type ValueOf<Row> = Row extends Setting<infer Value> ? Value : never;

/** The settings of the program for one account. Settings without a default are undefined if nothing sets them. */
export type Preferences = {
	[Name in keyof Rows]: Rows[Name] extends { default: infer Default }
		? ValueOf<Rows[Name]> & Default
		: ValueOf<Rows[Name]> | undefined;
};

/** The preferences in one table of the configuration: those for all profiles, or those of one profile. */
type PreferenceLayer = { readonly [Name in keyof Rows]?: ValueOf<Rows[Name]> };

/**
 * Merges several tables of preferences. The last table that has a setting wins, unless the setting combines the
 * values of all tables.
 */
export function preferencesFrom(layers: readonly PreferenceLayer[]): Preferences {
	const rows: Readonly<Record<string, Setting<unknown>>> = preferenceSettings;
	const layersByName: readonly Readonly<Record<string, unknown>>[] = layers;
	const values = Object.entries(rows).map(([name, { default: usual, combine }]) => {
		const present = [usual, ...layersByName.map(layer => layer[name])].filter(
			value => value !== undefined,
		);
		return [name, combine ? combine(present) : present.at(-1)] as const;
	});
	return Object.fromEntries(values) as Preferences;
}
