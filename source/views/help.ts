import { flowing, type Line, line } from '../lines/line.ts';
import { clickable, fitTo, type Span, widthOf, wrapText } from '../lines/span.ts';
import { aboutSign } from '../lines/time-text.ts';
import { keyHints, keyLine } from './dialogs/dialog.ts';
import { helpGroups, helpHeadings, type Place, shownKey, spokenKey, worksIn } from './keys.ts';
import type { Choice } from './look/cursor.ts';
import type { Click } from './look/moves.ts';
import { helpOf, placeOfView, type Screen } from './look/screen.ts';
import type { Action, Scene } from './scene.ts';

//  Keys in the table                            / searches all · Enter runs · Ctrl-D scrolls · a names actions
//   ✖ error  ◐ changing, or waiting for the limits  ↑ behind the latest version  ? unknown or old  …
//  Go                              Look                            Do
//    j Down    one row down        /        filter by words or   ❯ s        start computers

type HelpEntry = { id: string; place: Place | 'everywhere'; action: Action };

const minColumnWidth = 38;

export function help(scene: Scene) {
	const { lines, choices } = helpLines(scene);
	const none = line([`No key matches ${helpOf(scene.screen).filter}.`, 'faint']);
	return { title: helpTitle(scene), lines: lines.length > 0 ? lines : [none], choices };
}

function helpTitle({ actions, screen, width }: Scene) {
	const { filter, showsNames } = helpOf(screen);
	const placeHere = placeOfView(screen);
	const [, heading = ''] = helpHeadings.find(([place]) => place === placeHere) ?? [];
	const left: readonly Span[] = [
		[`Keys ${heading.toLowerCase()}`, 'strong'],
		[filter === '' ? '' : ` /${filter}`, 'accent'],
	];
	const hints = keyHints(actions, [
		['helpFilter', 'searches all'],
		['runHelpLine', 'runs'],
		['halfPageDown', 'scrolls'],
		['helpNames', showsNames ? 'explains keys' : 'names actions'],
	]);
	const room = Math.max(0, width - widthOf(left) - 4);
	return [left, [[' '], ...keyLine(hints, room), [' ']]] as const;
}

export function chosenEntry(scene: Scene): HelpEntry | undefined {
	const entries = helpBlocks(scene).flatMap(block => block.entries);
	return entries.find(({ id }) => id === scene.screen.listCursors.help?.id) ?? entries[0];
}

const wordsOf = (screen: Screen) =>
	helpOf(screen).filter.toLowerCase().split(/\s+/).filter(Boolean);

const hasWords = (text: string, words: readonly string[]) =>
	words.every(word => text.toLowerCase().includes(word));

/** A filter also finds the keys of other places, and the ear hears them all at once. */
function helpBlocks(scene: Scene, hasOthers = wordsOf(scene.screen).length > 0) {
	const { actions, screen } = scene;
	const placeHere = placeOfView(screen);
	const words = wordsOf(screen);
	const isHere = (action: Action) =>
		worksIn(action, placeHere) || action.where.includes('everywhere');
	const listed = actions.filter(
		({ id, keys, where, help: text, words: more = '', edit, refusal }) =>
			refusal?.(scene) === undefined &&
			keys.length > 0 &&
			// The keys of a line editor are the usual ones, and the menu of orders names its own.
			!edit &&
			where.join() !== 'order' &&
			hasWords(`${keys.map(shownKey).join(' ')} ${text} ${id} ${more}`, words),
	);
	// A key that works in several places is listed below the first of them.
	const headingOf = ({ where }: Action) => helpHeadings.find(([place]) => where.includes(place));
	const blockOf = (title: string, place: Place | 'everywhere', those: readonly Action[]) => ({
		title,
		entries: those.map((action): HelpEntry => ({ id: `${place} ${action.id}`, place, action })),
	});
	const [here, others] = [listed.filter(isHere), listed.filter(each => !isHere(each))];
	const blocks = [
		...helpGroups.map(title => {
			const those = here.filter(({ group }) => group === title);
			return blockOf(title, placeHere, those);
		}),
		...(hasOthers ? helpHeadings : []).map(heading => {
			const those = others.filter(each => headingOf(each) === heading);
			return blockOf(heading[1], heading[0], those);
		}),
	];
	return blocks.filter(({ entries }) => entries.length > 0);
}

function helpLines(scene: Scene): { lines: readonly Line[]; choices: readonly Choice[] } {
	const { screen, width } = scene;
	const chosenId = chosenEntry(scene)?.id;
	const count = Math.max(1, Math.floor((width - 1) / minColumnWidth));
	const columnWidth = Math.floor((width - 1) / count);
	const columns = Array.from({ length: count }, (): (readonly Span[])[] => []);
	const signs = signLines(scene);
	const choices: Choice[] = [];
	for (const { title, entries } of helpBlocks(scene)) {
		const column = columns.reduce((one, other) => (other.length < one.length ? other : one));
		column.push([], [[title, 'strong']]);
		for (const entry of entries) {
			choices.push({ id: entry.id, line: signs.length + column.length });
			column.push(...entryLines(entry, screen, entry.id === chosenId, columnWidth));
		}
	}
	const height = Math.max(...columns.map(({ length }) => length));
	const rows = Array.from({ length: height }, (_, at) =>
		line(...columns.flatMap(column => fitTo(column[at] ?? [], columnWidth))),
	);
	return { lines: [...signs, ...rows], choices };
}

const keyWidth = 10;

function entryLines(
	{ place, action }: HelpEntry,
	screen: Screen,
	isChosen: boolean,
	width: number,
): readonly (readonly Span[])[] {
	const { id, keys, help: text } = action;
	const { showsNames } = helpOf(screen);
	const [first = '', ...others] = keys.map(key =>
		shownKey(key).replace('Pagedown', 'PgDn').replace('Pageup', 'PgUp'),
	);
	const all = [first, ...others].join(' ');
	const names = all.length <= keyWidth ? all : first;
	const tone = isChosen ? 'strong' : showsNames ? 'faint' : undefined;
	const room = Math.max(1, width - keyWidth - 4);
	return wrapText(showsNames ? id : text, room).map((part, at) => {
		const cursor = isChosen && at === 0 ? '❯ ' : '  ';
		const key = fitTo([[at === 0 ? names : '', 'accent']], keyWidth);
		const spans: readonly Span[] = [[cursor, 'accent'], ...key, [' '], [part, tone]];
		const click: Click = { type: 'key', key: keys[0] ?? '' };
		// A click does what the key does in the place where the help was opened.
		return place === placeOfView(screen) ? clickable(spans, click) : spans;
	});
}

const signs = [
	['✖', 'error'],
	['◐', 'changing, or waiting for the limits'],
	['↑', 'behind the latest version'],
	['?', 'unknown or old'],
	['≥', 'at least'],
	[aboutSign, 'an estimate'],
	['▪', 'marked'],
	['◆', 'pinned'],
	['┊', 'stays while it is worked on'],
	['▼', 'an operation'],
	['·', 'not watched'],
] as const;

/** The limits of an account stand nowhere else on the screen. */
function signLines({ account, accounts, screen, width }: Scene): readonly Line[] {
	const { other, status } = account.standings ?? {};
	const limits =
		other && status && accounts.length === 1
			? `this minute: reads ${other.spent} of ${other.limit}, statuses ${status.spent} of ${status.limit}`
			: undefined;
	const all = limits === undefined ? signs : [...signs, ['Limits', limits] as const];
	const parts = all
		.filter(([sign, meaning]) => hasWords(`${sign} ${meaning}`, wordsOf(screen)))
		.map(([sign, meaning]): readonly Span[] => [[` ${sign} `, 'accent'], [meaning]]);
	return flowing(parts, width, ' ');
}

export function spokenHelp(scene: Scene): readonly string[] {
	const lines = helpBlocks(scene, true).flatMap(({ title, entries }) => [
		`${title}:`,
		...entries.map(({ action: { keys, help } }) => `${keys.map(spokenKey).join(' or ')}: ${help}.`),
	]);
	return ['Keys here.', ...lines];
}
