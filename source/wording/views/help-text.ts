import type { Section } from '../../drawing/section.ts';
import { fitToWidth, partsThatFit, type Span, widthOf, wrapText } from '../../drawing/span.ts';
import {
	type Binding,
	bindingWorksIn,
	type HelpContext,
	helpHeadings,
	type KeyContext,
} from '../../keys/binding.ts';
import { helpGroupOf, helpGroups } from '../../keys/help-groups.ts';
import { shownKey, shownKeyOf } from '../../keys/shown-keys.ts';
import { clickable } from '../../lines/span.ts';
import type { Theme } from '../../lines/theme.ts';
import type { Choice } from '../../screen/choice.ts';
import { isMap, type Screen } from '../../screen/screen.ts';
import type { JointAccount } from '../../store/state.ts';
import { type HelpSign, helpSigns } from './help-signs.ts';

//  Keys in the table                            / searches all · Enter runs · Ctrl-D scrolls · a names actions
//   ✖ error  ◐ changing, or waiting for the limits  ↑ behind the latest version  ? unknown or old  …
//
//  Go                              Look                            Do
//    j Down    one row down        /        filter by words or   ❯ s        start computers
//    k Up      one row up                   fields                 x        stop computers; files and
//    g Home    first row           o        choose the order                processes are kept

type HelpOptions = {
	bindings: readonly Binding[];
	screen: Pick<Screen, 'view' | 'map' | 'help'>;
	account?: Pick<JointAccount, 'standings'>;
	width: number;
	theme: Theme;
};

/** One key of the help: its binding, and the place in which the key works. */
export type HelpEntry = { id: string; place: HelpContext; binding: Binding };

/** Returns the place in which the help was opened. */
export const keyContextOfView = (screen: Pick<Screen, 'view' | 'map'>): KeyContext =>
	isMap(screen) ? 'map' : screen.view;

type HelpBlock = { title: string; entries: readonly HelpEntry[] };

const minColumnWidth = 38;
const maxColumns = 4;
const maxFoundInOneColumn = 8;

/** Names the place, the filter and the keys of the help. */
function helpTitle({
	bindings,
	screen,
	width,
	theme,
}: HelpOptions): readonly [Span[], readonly Span[]] {
	const { help } = screen;
	const placeHere = keyContextOfView(screen);
	const [, heading = ''] = helpHeadings.find(([place]) => place === placeHere) ?? [];
	const hints = (
		[
			['helpFilter', 'searches all'],
			['runHelpLine', 'runs'],
			['halfPageDown', 'scrolls'],
			['helpNames', help.showsNames ? 'explains keys' : 'names actions'],
		] as const
	).flatMap(([action, effect]) => {
		const key = shownKeyOf(bindings, action);
		return key === undefined ? [] : [`${key} ${effect}`];
	});
	const filter: readonly Span[] = help.filter === '' ? [] : [[` /${help.filter}`, 'accent']];
	const left: Span[] = [[`Keys ${heading.toLowerCase()}`, 'strong'], ...filter];
	const parts = hints.map((hint): readonly Span[] => [[hint, 'faint']]);
	const room = Math.max(0, width - widthOf(left, theme) - 4);
	const keys = partsThatFit(parts, ` ${theme.glyphs.separator} `, room, theme);
	return [left, [[' '], ...keys, [' ']]];
}

/**
 * Returns the blocks of the help: the signs and the groups of the keys that work here. A filter also finds the keys of other
 * places.
 */
function helpBlocks({
	bindings,
	screen,
	account,
	theme,
}: Pick<HelpOptions, 'bindings' | 'screen' | 'account'> & Partial<Pick<HelpOptions, 'theme'>>) {
	const { help } = screen;
	const placeHere = keyContextOfView(screen);
	const words = help.filter.toLowerCase().split(/\s+/).filter(Boolean);
	const hasWords = (text: string) => words.every(word => text.toLowerCase().includes(word));
	const isFound = ({ action, keys, help: text, words: more = '' }: Binding) =>
		hasWords(`${keys.map(shownKey).join(' ')} ${text} ${action} ${more}`);
	const listed = bindings.filter(
		binding =>
			!binding.isRefused && binding.keys.length > 0 && isListed(binding) && isFound(binding),
	);
	const entriesIn = (place: HelpContext, some: readonly Binding[]): readonly HelpEntry[] =>
		some.map(binding => ({ id: `${place} ${binding.action}`, place, binding }));
	const isHere = (binding: Binding) =>
		bindingWorksIn(binding, placeHere) || binding.contexts.includes('everywhere');
	// The keys that the footer offers come first, because a narrow footer leaves some of them out.
	const isOffered = ({ hint }: Binding) => Number(hint !== undefined);
	const here = listed.filter(isHere).toSorted((a, b) => isOffered(b) - isOffered(a));
	const groups = helpGroups.map((title): HelpBlock => {
		const some = here.filter(({ intent }) => helpGroupOf(intent) === title);
		return { title, entries: entriesIn(placeHere, some) };
	});
	const others = (words.length === 0 ? [] : helpHeadings).map(([place, title]): HelpBlock => {
		const some = listed.filter(each => !isHere(each) && isListedUnder(place, each.contexts));
		return { title, entries: entriesIn(place, some) };
	});
	const signs = theme
		? helpSigns(theme, account?.standings).filter(sign => hasWords(sign.join(' ')))
		: [];
	const isFilled = ({ entries }: HelpBlock) => entries.length > 0;
	return { signs, groups: groups.filter(isFilled), others: others.filter(isFilled) };
}

/**
 * Whether the help lists a key: not those of the line editor, which are the usual ones, and not those of the menu of orders,
 * which names them itself.
 */
const isListed = ({ intent }: Binding) =>
	intent.type !== 'edit' && !(intent.type === 'move' && intent.move.type === 'orderByField');

/** Returns whether a binding with these contexts is listed below this heading. It is listed below the first one only. */
const isListedUnder = (heading: HelpContext, contexts: readonly HelpContext[]) =>
	helpHeadings.find(([place]) => contexts.includes(place))?.[0] === heading;

/** The lines of the help, and the line of each key in the order in which the cursor moves. */
type HelpLayout = { lines: readonly (readonly Span[])[]; choices: readonly Choice[] };

/**
 * Lays out the help in as few lines as possible: many columns wrap most explanations, and few columns leave much of
 * the width empty. No explanation is cut at any width. A few keys that a filter has found need one column only.
 */
function layoutHelp(options: HelpOptions): HelpLayout {
	const isFiltered = options.screen.help.filter !== '';
	const isShort = isFiltered && helpEntries(options).length <= maxFoundInOneColumn;
	const fitting = Math.floor((options.width - 1) / minColumnWidth);
	const most = isShort ? 1 : Math.max(1, Math.min(maxColumns, fitting));
	const layouts = Array.from({ length: most }, (_, at) => layoutInColumns(options, most - at));
	const [first = { lines: [], choices: [] }, ...others] = layouts;
	return others.reduce(
		(best, each) => (each.lines.length < best.lines.length ? each : best),
		first,
	);
}

/** Lays out the help in this number of columns. Each block goes into the column that is shortest so far. */
function layoutInColumns(options: HelpOptions, count: number): HelpLayout {
	const { width, theme } = options;
	const columnWidth = Math.floor((width - 1) / count);
	const { signs, groups, others } = helpBlocks(options);
	const lines = signLines(signs, width, theme);
	if (lines.length > 0 && groups.length + others.length > 0) lines.push([]);
	const choices: Choice[] = [];
	for (const blocks of [groups, others]) {
		const top = lines.length;
		const columns = Array.from({ length: count }, (): (readonly Span[])[] => []);
		for (const { title, entries } of blocks) {
			const column = columns.reduce((one, other) => (other.length < one.length ? other : one));
			if (column.length > 0) column.push([]);
			column.push([[title, 'strong']]);
			for (const entry of entries) {
				choices.push({ id: entry.id, line: top + column.length });
				column.push(...entryLines(entry, options, columnWidth));
			}
		}
		const height = Math.max(0, ...columns.map(({ length }) => length));
		for (let at = 0; at < height; at += 1)
			lines.push([
				[' '],
				...columns.flatMap(column => fitToWidth(column[at] ?? [], columnWidth, theme)),
			]);
		if (blocks === groups && groups.length > 0 && others.length > 0) lines.push([]);
	}
	return { lines, choices };
}

const keyWidth = 10;

const shortKeyNames = [
	['Pagedown', 'PgDn'],
	['Pageup', 'PgUp'],
] as const;

/** Returns the names of the keys that fit; the first one in any case. */
function keysText([first = '', ...others]: readonly string[]): string {
	const shortName = (key: string) =>
		shortKeyNames.reduce((name, [long, short]) => name.replace(long, short), shownKey(key));
	return others.reduce((text, key) => {
		const longer = `${text} ${shortName(key)}`;
		return longer.length <= keyWidth ? longer : text;
	}, shortName(first));
}

function entryLines(
	{ id, place, binding }: HelpEntry,
	{ screen, theme }: HelpOptions,
	width: number,
): readonly (readonly Span[])[] {
	const { help } = screen;
	const { action, keys, help: text } = binding;
	const isChosen = help.chosenId === id;
	const keyNames = fitToWidth([[keysText(keys), 'accent']], keyWidth, theme);
	const begin: readonly Span[] = [
		[isChosen ? `${theme.glyphs.cursor} ` : '  ', 'accent'],
		...keyNames,
		[' '],
	];
	const indent: readonly Span[] = [[' '.repeat(keyWidth + 3)]];
	const tone = isChosen ? 'strong' : help.showsNames ? 'faint' : undefined;
	const click = { type: 'key', key: keys[0] ?? '' } as const;
	const room = Math.max(1, width - keyWidth - 4);
	return wrapText(help.showsNames ? action : text, room, theme).map((part, at) => {
		const line: readonly Span[] = [...(at === 0 ? begin : indent), [part, tone]];
		// A click does what the key does in the place where the help was opened.
		return fitToWidth(
			place === keyContextOfView(screen) ? clickable(line, click) : line,
			width - 1,
			theme,
		);
	});
}

/** Writes the signs one after the other, as many in each line as fit. */
function signLines(signs: readonly HelpSign[], width: number, theme: Theme): (readonly Span[])[] {
	const lines: (readonly Span[])[] = [];
	for (const [sign, meaning] of signs) {
		const spans: readonly Span[] = [[`  ${sign} `, 'accent'], [meaning]];
		const joined = [...(lines.at(-1) ?? []), ...spans];
		if (lines.length > 0 && widthOf(joined, theme) < width) lines[lines.length - 1] = joined;
		else lines.push(fitToWidth(spans, Math.min(width, widthOf(spans, theme)), theme));
	}
	return lines;
}

/** Builds the help from the key bindings, so that the help is never out of date. */
export function helpText(options: HelpOptions) {
	const chosen = chosenEntry(options);
	const { help } = options.screen;
	// Until a person moves the cursor, it is on the first key.
	const screen = { ...options.screen, help: { ...help, chosenId: chosen?.id } };
	const { choices, lines } = layoutHelp({ ...options, screen });
	const noMatch: readonly Span[] = [[` No key matches ${help.filter}.`, 'faint']];
	const sections: readonly Section[] = [
		[{ type: 'lines', lines: lines.length > 0 ? lines : [noMatch] }],
	];
	return { title: helpTitle(options), sections, choices };
}

/** Returns the key under the cursor of the help; undefined if no key matches the filter. */
export function chosenEntry(
	options: Pick<HelpOptions, 'bindings' | 'screen'>,
): HelpEntry | undefined {
	const entries = helpEntries(options);
	return entries.find(({ id }) => id === options.screen.help.chosenId) ?? entries[0];
}

/** Returns the keys of the help in the order in which the cursor moves. */
function helpEntries(options: Pick<HelpOptions, 'bindings' | 'screen'>): readonly HelpEntry[] {
	const { groups, others } = helpBlocks(options);
	return [...groups, ...others].flatMap(({ entries }) => entries);
}
