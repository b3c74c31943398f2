import type { WholeReadName } from '../fleet/reads.ts';
import { jsonText } from '../foundation/json.ts';
import { withAsciiSigns } from '../lines/ascii.ts';
import type { LabelledValue, Line } from '../lines/line.ts';
import { plainTexts } from '../lines/print.ts';
import { table } from '../lines/table.ts';
import { createTheme, type Theme } from '../lines/theme.ts';
import type { Host } from '../session/host.ts';
import {
	loadSettings,
	loadSettingsOfAll,
	requireAccount,
	requireAccounts,
} from '../session/settings.ts';
import { environmentFrom } from '../terminal/features/environment.ts';
import { cleanForTerminal } from '../terminal/features/escape-sequences.ts';
import type { Program } from '../terminal/terminal.ts';
import { printedScene } from '../views/read-scene.ts';
import { withAccount } from '../views/records.ts';
import type { Scene } from '../views/scene.ts';
import { terminalPreferencesFrom } from './display-options.ts';
import { type Fleet, withFleets } from './fleet.ts';
import type { ParsedArgs } from './parsed-args.ts';
import { accountCells, readAccounts } from './read-accounts.ts';

/** A pipe has no width: nothing is cut. */
export type Printer = { width: number; hasUnicode: boolean; theme: Theme };

export function printerFor(
	{ env, stdout: { isTTY, columns } }: Program,
	args: ParsedArgs,
): Printer {
	const { hasUnicode } = environmentFrom(env, terminalPreferencesFrom(args));
	return {
		width: isTTY ? columns : Number.POSITIVE_INFINITY,
		hasUnicode,
		theme: createTheme({ colourBits: 0, background: 'dark', hasUnicode }),
	};
}

export const sceneOf = (
	fleets: readonly Pick<Fleet, 'session' | 'accountNow' | 'clock'>[],
	{ theme, width }: Pick<Printer, 'theme' | 'width'>,
): Scene =>
	printedScene({
		accounts: fleets.map(({ session: { profile }, accountNow }) => ({
			profile,
			state: accountNow(),
		})),
		now: fleets[0]?.clock.now() ?? 0,
		theme,
		width,
	});

export const printed = (lines: readonly Line[], { hasUnicode }: Pick<Printer, 'hasUnicode'>) =>
	plainTexts(lines)
		.map(text => text.replace(/\p{Control}+/gu, ' '))
		.map(text => `${hasUnicode ? text : withAsciiSigns(text)}\n`)
		.join('');

export const labelledLines = (values: readonly LabelledValue[]): readonly Line[] =>
	table(
		[
			{ title: '', cell: ([label]) => [[label]] },
			{ title: '', cell: ([, value]) => value },
		],
		values,
		Number.POSITIVE_INFINITY,
		() => ({}),
	).slice(1);

/** A bar would fill the whole width of a terminal. */
const maxWidth = 120;

export type AccountView = {
	reads: readonly WholeReadName[];
	lines: (scene: Scene) => readonly Line[];
	record: (scene: Scene) => object;
};

export function printView(
	host: Host,
	args: ParsedArgs,
	{ reads, lines, record }: AccountView,
): Promise<number> {
	const printer = printerFor(host.program, args);
	const width = printer.width === Infinity ? Infinity : Math.min(maxWidth, printer.width);
	const read = async (fleet: Fleet) => {
		for (const name of reads) await fleet.readOrThrow(name);
		return { fleet, scene: sceneOf([fleet], { ...printer, width }) };
	};
	return withFleets(host, args, accountsFor(host, args), async (fleets, write) => {
		const cellOf = accountCells(fleets);
		const isJson = args.flag('json');
		const { results, code } = await readAccounts(host, args, fleets, read, answered => {
			if (isJson) return;
			for (const { fleet, scene } of answered)
				write(printed(lines(scene), printer).replace(/^(?=.)/gm, cellOf(fleet)));
		});
		if (isJson && results.length > 0) {
			const records = results.map(({ scene, fleet }) => withAccount(record(scene), fleet.label));
			write(jsonText(fleets.length > 1 ? records : records[0]));
		}
		return code;
	});
}

export const accountsFor = (host: Host, args: ParsedArgs) =>
	args.hasOption('all-profiles')
		? requireAccounts(host, loadSettingsOfAll(host, args))
		: ([requireAccount(host, loadSettings(host, args))] as const);

export function printRecord(
	{ program }: Host,
	args: ParsedArgs,
	record: object,
	text: string,
): void {
	program.stdout.write(args.flag('json') ? jsonText(record) : `${cleanForTerminal(text)}\n`);
}
